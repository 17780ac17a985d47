"""From bytes to clean terms: charset, main text, language, words."""
