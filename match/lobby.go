package match

import (
	"time"

	"notakto/rules"
)

// Lobby is where players wait for an opponent: one queue for each variant, the longest waiting first, one place for each identity. Its
// methods may be called from any goroutine.
type Lobby struct{}

// Seek is a place in a queue.
type Seek struct{ box chan SeekStatus }

// SeekStatus is how a seek stands.
type SeekStatus struct {
	Variant rules.Variant
	Since   time.Time
	Waiting int // how many wait for this variant, oneself included
	Match   ID  // once paired
}

// Seek takes a place in the queue of a variant. [ErrAlreadySeeking], [ErrTooMany], [ErrDraining].
func (l *Lobby) Seek(p Player, v rules.Variant) (*Seek, error) { return nil, ErrDraining }

// Waiting is how many wait for a variant.
func (l *Lobby) Waiting(v rules.Variant) int { return 0 }

// Status receives how the seek stands at once and then after every change. There is room for one: a newer status takes the place of one
// that was not read. It is closed after the status that names the match, after [Seek.Cancel] and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box }

// Cancel gives the place up. It may be called again. While the table is being laid it is too late: the match is then told all the same.
func (s *Seek) Cancel() {}
