package sshapp

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/sshapp/admin"
	"notakto/sshapp/limit"
)

// While the matches end, the sessions are looked at every lameDuckLook.
const lameDuckLook = time.Second

// leaveAfter is how long a player is at no table of a match in progress before the session ends: so long there is time
// to see how a match has ended.
const leaveAfter = 5 * time.Second

// Why a command about a lame duck fails.
var (
	errDraining    = errors.New("the server is draining already: cancel that first for another time")
	errNotDraining = errors.New("the server is not draining")
)

// pauseReason is why a server begins no new match.
type pauseReason uint8

const pausedByLameDuck pauseReason = iota

// pauses has a manager begin no new match while there is a reason for that.
type pauses struct {
	manager *manager.Manager

	mu      sync.Mutex
	reasons map[pauseReason]bool // that hold
	stopped bool                 // nothing resumes any more
}

func (p *pauses) set(why pauseReason, holds bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if holds {
		p.reasons[why] = true
	} else {
		delete(p.reasons, why)
	}
	switch {
	case p.stopped:
	case len(p.reasons) > 0:
		manager.Pause(p.manager)
	default:
		manager.Resume(p.manager)
	}
}

// stop has the manager drain for good.
func (p *pauses) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	p.manager.Drain()
}

// LameDuck lets the matches of a server end before it stops: no new match begins, no session but those of players in a
// match and of administrators, and each session ends once its match is over. Its methods may be called from any
// goroutine.
type LameDuck struct {
	admission *limit.Admission
	pauses    *pauses
	sessions  *sessionSet
	isSeated  func(match.PlayerID) bool
	leave     time.Duration // as of [leaveAfter]
	log       *slog.Logger
	over      chan struct{} // closed when there is nothing left to wait for

	mu     sync.Mutex
	until  time.Time // zero unless it goes on
	isOver bool
	timer  *time.Timer            // of the next look; nil before the first
	idle   map[*channel]time.Time // since when sessions were seen at no table
}

// Over returns a channel that is closed when all sessions have ended, or the time is over.
func (d *LameDuck) Over() <-chan struct{} { return d.over }

// Begin has the server end within a time. All players are notified. It is an error if it has begun already.
func (d *LameDuck) Begin(within time.Duration) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.until.IsZero() {
		return errDraining
	}
	d.until, d.idle = time.Now().Add(within), map[*channel]time.Time{}
	d.admission.SetPaused(true)
	d.pauses.set(pausedByLameDuck, true)
	d.log.Info("no new match begins, and the server stops when the last one is over",
		"event", "lame-duck-begin", "within_ms", within.Milliseconds())
	d.notify(fmt.Sprintf("No new matches: the server stops once those in progress are over, at the latest in %s.",
		inWords(within)))
	d.timer = time.AfterFunc(0, d.look)
	return nil
}

// Cancel has the server go on. It is an error if Begin was not called, or the lame duck is over.
func (d *LameDuck) Cancel() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.until.IsZero() || d.isOver {
		return errNotDraining
	}
	d.timer.Stop()
	d.until, d.idle = time.Time{}, nil
	d.admission.SetPaused(false)
	d.pauses.set(pausedByLameDuck, false)
	d.log.Info("the server goes on after all", "event", "lame-duck-cancel")
	d.notify("The server goes on: new matches can begin.")
	return nil
}

// Status returns whether it goes on, and until when.
func (d *LameDuck) Status() admin.DrainStatus {
	d.mu.Lock()
	defer d.mu.Unlock()
	status := admin.DrainStatus{Draining: !d.until.IsZero(), Sessions: d.admission.Sessions()}
	if status.Draining {
		until := d.until.UTC().Truncate(time.Second)
		status.Until = &until
	}
	return status
}

func (d *LameDuck) notify(text string) {
	for _, c := range d.sessions.list() {
		notify(c, text)
	}
}

// look ends the sessions that are not needed any more, and finds out whether all have ended.
func (d *LameDuck) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	switch {
	case d.until.IsZero():
		return
	case d.admission.Sessions() == 0 || !now.Before(d.until):
		d.isOver = true
		d.log.Info("the server stops now", "event", "lame-duck-end", "sessions", d.admission.Sessions())
		close(d.over)
		return
	}
	idle := map[*channel]time.Time{}
	for _, c := range d.sessions.list() {
		since, ok := d.idle[c]
		switch {
		case d.isSeated(c.who.ID), c.who.role != admin.Player && c.asked.frontEnd.Name == frontEndCommand:
			continue
		case !ok:
			since = now
		case now.Sub(since) >= d.leave:
			c.life.end(limit.ErrServerDraining)
		}
		idle[c] = since
	}
	d.idle = idle
	d.timer = time.AfterFunc(min(lameDuckLook, d.leave, time.Until(d.until)), d.look)
}

// inWords says how long something takes, to a minute if it takes several.
func inWords(d time.Duration) string {
	if d > 2*time.Minute {
		return fmt.Sprintf("%d minutes", (d+time.Minute-1)/time.Minute)
	}
	return fmt.Sprintf("%d seconds", (d+time.Second-1)/time.Second)
}

// BeginDrain implements [admin.Drainer].
func (s adminServer) BeginDrain(within time.Duration) error { return s.people.admin.duck.Begin(within) }

// CancelDrain implements [admin.Drainer].
func (s adminServer) CancelDrain() error { return s.people.admin.duck.Cancel() }

// DrainStatus implements [admin.Drainer].
func (s adminServer) DrainStatus() admin.DrainStatus { return s.people.admin.duck.Status() }
