"""Prompt templates, as Markdown resources."""
