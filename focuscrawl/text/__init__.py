"""Bytes in, clean terms out: charset, main text, language, words."""
