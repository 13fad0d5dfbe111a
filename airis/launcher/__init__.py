"""Starts the whole product on one machine: embedded PostgreSQL and Valkey, web, workers, beat.

Knows processes, sockets and files; never Django models. `setup.py` runs before the virtualenv exists and uses
nothing but the standard library.
"""
