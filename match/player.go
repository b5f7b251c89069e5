package match

import "notakto/rules/strategy"

// PlayerID is an identity: that of an account (see package account), a guest's random name, or a computer's level. It
// tells nothing about the keys of a player.
type PlayerID string

// Player is a person or computer at a table. The maker of a Player ensures that Name is printable, at most 16 cells
// wide and free of control characters.
type Player struct {
	ID    PlayerID
	Name  string
	Guest bool
	Level strategy.Level // of a computer player; zero for a person
}

// Computer returns the computer player of a level.
func Computer(level strategy.Level) Player {
	return Player{ID: PlayerID("computer:" + level.String()), Name: level.String(), Level: level}
}

// IsComputer reports whether p is a computer player.
func (p Player) IsComputer() bool { return p.Level != 0 }
