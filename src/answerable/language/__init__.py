"""What text of every kind is made of: sentences, abbreviations, number words, dates."""
