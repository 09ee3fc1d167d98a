//! Integer Game Notation and archives of games.
