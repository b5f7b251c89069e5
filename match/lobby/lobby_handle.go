package lobby

import (
	"time"

	"notakto/match"
)

// cancelling is how long Cancel waits for the registry.
const cancelling = 500 * time.Millisecond

// Seek is a player's request for an opponent, made on this node. Its methods are safe for concurrent use.
type Seek struct {
	lobby   *Lobby
	player  match.Player
	number  uint64 // among the seeks of this node
	begunAt time.Time
	box     match.Mailbox[SeekStatus]

	// under the lobby's lock
	status      SeekStatus
	state       seekState
	revision    uint64 // of the ticket when it was taken
	isCancelled bool   // too late to take effect, or to take effect if the pairing fails
}

// seekState is the progress of a seek. It only grows, except when a pairing fails.
type seekState uint8

const (
	seekEntering seekState = iota // the ticket is being put
	seekWaiting
	seekPairing // an opponent is being reserved
	seekOpening // the match is being opened
	seekOver    // cancelled, moved or paired
)

// SeekStatus is the status of a seek.
type SeekStatus struct {
	Accepts []match.Terms // the preferred ones first; not to be modified
	Since   time.Time
	Waiting int      // how many wait, on all nodes, this player included
	Others  []Waiter // who wait only for terms that this player does not accept: at most [MaxWaiters]
	Match   match.ID // once paired; take the seat with Manager.Sit
	Moved   bool     // the player has since sought on another node and waits there
	CutOff  bool     // as in [match.Snapshot]: no opponent can be found until it ends
}

// Status receives the current status at once and then after every change. It holds one value: a newer status replaces
// one that was not received. It is closed after the status that names the match, after the one that says that the
// ticket has moved, after [Seek.Cancel] and when the lobby drains.
func (s *Seek) Status() <-chan SeekStatus { return s.box }

// Latest returns the newest status, whether or not it was received from Status.
func (s *Seek) Latest() SeekStatus {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.status
}

// Cancel gives the ticket up. Calling it again is harmless. Once an opponent has been found it has no effect: Status
// still names the match. It waits briefly for the registry, so that the ticket is usually free when it returns.
func (s *Seek) Cancel() {
	done := make(chan struct{})
	if !s.lobby.lockAndSpawn(func() {
		defer close(done)
		s.lobby.cancelSeek(s)
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
