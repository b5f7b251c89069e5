package lobby

import (
	"time"

	"notakto/match"
)

// cancelling is how long giving up a ticket is waited for.
const cancelling = 500 * time.Millisecond

// Seek is a ticket in a queue that was taken from this node. Its methods may be called from any goroutine.
type Seek struct {
	lobby  *Lobby
	player match.Player
	number uint64 // of those taken from this node
	box    match.Mailbox[SeekStatus]

	// under the lobby's lock
	status      SeekStatus
	state       seekState
	revision    uint64 // of the ticket when it was taken
	isCancelled bool   // it came too late, or will be found when the pairing fails
}

// seekState is how far a seek has come. It only grows, but that a pairing may fail.
type seekState uint8

const (
	seekEntering seekState = iota // the ticket is being taken
	seekWaiting
	seekPairing // an opponent is being asked
	seekOpening // the match is being opened
	seekOver    // cancelled, moved or delivered
)

// SeekStatus is how a seek stands.
type SeekStatus struct {
	match.Terms
	Since   time.Time
	Waiting int // how many wait for this variant, on all nodes, oneself included
	// Elsewhere are the terms for which the most others wait, if no other player waits for this one, and how many do.
	Elsewhere        match.Terms
	WaitingElsewhere int
	Match            match.ID // once paired; the seat is to be taken with [Manager.Sit]
	Moved            bool     // the player waits at another node now, having sought there
	CutOff           bool     // as of [Snapshot]: no opponent can be found until that is over
}

// Status receives how the seek stands at once and then after every change. There is room for one: a newer status takes
// the place of one that was not read. It is closed after the status that names the match, after the one that says
// that the ticket has moved, after [Seek.Cancel] and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box }

// Cancel gives the ticket up. It may be called again. Once an opponent has been found it comes too late: the match is
// told all the same. It waits a moment for the registry, so that as a rule the ticket is free when it returns; Status
// tells.
func (s *Seek) Cancel() {
	done := make(chan struct{})
	if !s.lobby.lockAndSpawn(func() {
		defer close(done)
		cancelSeek(s.lobby, s)
	}) {
		return
	}
	moment := time.NewTimer(cancelling)
	defer moment.Stop()
	select {
	case <-done:
	case <-moment.C:
	}
}
