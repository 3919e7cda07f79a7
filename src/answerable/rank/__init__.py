"""Ranking: terms, BM25, vectors, fusion, routing; pure, numpy welcome."""
