"""What a person sees: screens and widgets over the folds of journals. Only here are textual and rich imported."""
