"""Pure values and formulas: no I/O, no clock, standard library only."""
