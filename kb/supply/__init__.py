"""The knowledge supply line: cards with their checks, gates and life; what hands them to agents and counts it."""
