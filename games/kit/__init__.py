"""A page for designers: every state of the table, drawn from positions that are played out by the rules."""
