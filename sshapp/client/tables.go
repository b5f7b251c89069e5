package client

import (
	"slices"

	"notakto/match"
)

// Tables are tables that a front end has open, in the order of their opening.
type Tables []*Table

// Find returns the table of a match, or nil.
func (t Tables) Find(id match.ID) *Table {
	if i := slices.IndexFunc(t, func(at *Table) bool { return at.ID == id }); i >= 0 {
		return t[i]
	}
	return nil
}

// Drop closes a table and removes it from t.
func (t *Tables) Drop(at *Table) {
	at.Close()
	*t = slices.DeleteFunc(*t, func(other *Table) bool { return other == at })
}

// IsOpponentsTurn reports whether it is the opponent's turn at one of the tables.
func (t Tables) IsOpponentsTurn() bool { return slices.ContainsFunc(t, (*Table).IsTheirTurn) }
