"""The English of the demo models: a lexicon of everyday words, and how each word changes its form. Standard library only."""
