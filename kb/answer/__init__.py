"""From question to answer: evidence first, the model's words second, the checker between them and the screen."""
