package main

import "fmt"

// contender is a server to measure and the keys that a client types there.
type contender struct {
	name    string
	toTable []string // keys from the first frame to the table
	place   string   // key that plays a move at the cursor; empty if the server has none
	answers bool     // an opponent answers that move
	matches bool     // every session at its table is a match that the server counts
}

const up, down, right, left, enter = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r"

func contenderNamed(name string) (contender, error) {
	switch name {
	case "notakto":
		return contender{
			name: name,
			// play the computer; the third row: who begins; me
			toTable: []string{"2", down, down, right, enter},
			place:   enter,
			answers: true,
			matches: true,
		}, nil
	case "stock":
		return contender{name: name, place: enter}, nil
	case "echo":
		return contender{name: name}, nil
	}
	return contender{}, fmt.Errorf("%w: there is no server %q; they are notakto, stock and echo", errBadOption, name)
}

// step is one key of the cursor's walk.
type step struct {
	key     string
	crosses bool // to another board
}

// cursorWalk returns the keys of a closed walk: six keys that cross the edge between two boards twice. It never leaves
// a table of three boards when it starts at the centre of the first.
func cursorWalk() []step {
	return []step{
		{key: right}, {key: right, crosses: true}, {key: down}, {key: left, crosses: true}, {key: left}, {key: up},
	}
}
