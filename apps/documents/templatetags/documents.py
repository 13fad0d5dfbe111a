"""Words of metadata in templates."""

from django import template

from apps.documents.metadata_words import kind_in_words, period_in_words

register = template.Library()
register.filter("kind_words", kind_in_words)
register.filter("period_words", period_in_words)
