"""llama.cpp's server: probing, starting, asking and reading it."""
