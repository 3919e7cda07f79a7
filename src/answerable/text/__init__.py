"""Pure functions on text: reading, cutting, dressing, expanding, anchoring."""
