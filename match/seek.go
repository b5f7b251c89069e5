package match

import (
	"time"

	"notakto/rules"
)

// Seek is a place in a queue. Its methods may be called from any goroutine.
type Seek struct {
	lobby  *Lobby
	player Player
	ticket uint64 // the order in which places were taken
	box    mailbox[SeekStatus]

	// under the lobby's lock
	status    SeekStatus
	pairing   bool // the table is being laid
	cancelled bool // meanwhile
	over      bool // cancelled or delivered
}

// SeekStatus is how a seek stands.
type SeekStatus struct {
	Variant rules.Variant
	Since   time.Time
	Waiting int // how many wait for this variant, oneself included
	Match   ID  // once paired; the seat is to be taken with [Manager.Sit]
}

// Status receives how the seek stands at once and then after every change. There is room for one: a newer status takes the place of one
// that was not read. It is closed after the status that names the match, after [Seek.Cancel] and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box }

// Cancel gives the place up. It may be called again. While the table is being laid it comes too late: the match is told all the same.
func (s *Seek) Cancel() { s.lobby.cancel(s) }
