package main

import "fmt"

// contender is a server to measure and what a client types there.
type contender struct {
	name    string
	toTable []string // from the first frame to the table, a key at a time
	place   string   // plays a move where the cursor is; empty if the server knows none
	shown   int      // moves that place brings to the screen, the opponent's answer included
	matches bool     // every session at its table is a match that the server counts
}

func contenderNamed(name string) (contender, error) {
	switch name {
	case "echo":
		return contender{name: name}, nil
	case "stock":
		return contender{name: name, place: "\r", shown: 1}, nil
	}
	return contender{}, fmt.Errorf("%w: there is no server %q; they are notakto, stock and echo", errBadOption, name)
}

// cursorWalk is pressed round and round: back where it began after six keys, and over the edge between two boards twice. It never leaves
// a table of three boards when it starts at the centre of the first.
func cursorWalk() []string {
	const up, down, right, left = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	return []string{right, right, down, left, left, up}
}
