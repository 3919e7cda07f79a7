"""The ways of the data: ingest, search, ask, evaluate."""
