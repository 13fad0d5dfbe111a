"""Dates as people of several countries read them alike: day, month by name, year; 24 hours."""
