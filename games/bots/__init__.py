"""The house players: accounts that play by themselves. The rules they obey are games.rules."""
