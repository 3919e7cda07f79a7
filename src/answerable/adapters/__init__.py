"""The world outside: files, databases, models, formats."""
