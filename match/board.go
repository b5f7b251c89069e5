package match

import (
	"context"
	"time"
)

// Board is a notice board that all nodes of a house see: who waits for an opponent, and which nodes are up. What is on it need not outlast
// the nodes. Its methods may be called from any goroutine, and return soon after ctx has ended.
type Board interface {
	// Pin puts a note up, or in the place of the one whose revision is n.Revision (0 if there is to be none), and returns it with its new
	// revision and the time. By then it has been told to [Board.Look]. [ErrConflict] if another stands there, [ErrUnavailable].
	Pin(ctx context.Context, n Note) (Note, error)
	// Unpin takes down the note with this key and revision. [ErrConflict] if another stands there, or none; [ErrUnavailable].
	Unpin(ctx context.Context, n Note) error
	// Look calls look with every note that stands, then it returns, then with every change, made here or on another node, until stop is
	// called: a note without a text was taken down. A note that was not pinned again for [NoteLife] may vanish without a word. look is
	// called by one goroutine at a time; it must not wait, nor call the board.
	Look(look func(Note)) (stop func())
}

// NoteLife is how long a note on a [Board] is good after it was pinned, by [Journal.Now].
const NoteLife = 15 * time.Second

// Note is a small text on a [Board]. Its key consists of lower-case letters, digits, dots and hyphens.
type Note struct {
	Key      string
	Text     []byte // not empty
	Revision uint64 // grows with every change of the board
	At       time.Time
}
