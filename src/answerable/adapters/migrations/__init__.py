"""Changes of the database's form, run by alembic when a database is behind."""
