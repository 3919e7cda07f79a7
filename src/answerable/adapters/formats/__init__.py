"""Foreign file formats: BEIR, TREC, golden JSONL."""
