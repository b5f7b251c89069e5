package match

import "notakto/rules/strategy"

// PlayerID is an identity: the fingerprint of the key that authenticated, a guest's random name, or a computer's level.
type PlayerID string

// Player is who sits at a table. Name is clean: printable, at most 16 cells wide, free of control characters; the code
// that makes a Player sees to it.
type Player struct {
	ID    PlayerID
	Name  string
	Guest bool
	Level strategy.Level // of a computer player; zero for a person
}

// Computer is the computer player of a level.
func Computer(level strategy.Level) Player {
	return Player{ID: PlayerID("computer:" + level.String()), Name: level.String(), Level: level}
}

// IsComputer reports whether no person sits there.
func (p Player) IsComputer() bool { return p.Level != 0 }
