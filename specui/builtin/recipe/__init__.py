"""The recipe of the toy models: it writes the text, learns from it, and stores what was learnt as GGUF files."""
