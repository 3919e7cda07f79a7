"""Models: embedders and their tokenizers."""
