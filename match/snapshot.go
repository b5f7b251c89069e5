package match

import "notakto/rules"

// Snapshot is a match at one moment, for one reader: it holds no code that this reader may not know. It never changes.
type Snapshot struct {
	State
	Spectators int
}

// Summary is a match in progress as a list shows it.
type Summary struct {
	ID         ID
	Variant    rules.Variant
	Players    [2]Player // who moves first, who moves second
	Plies      int
	Spectators int
}
