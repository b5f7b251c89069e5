package sshapp

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/sshapp/admin"
	"notakto/sshapp/limit"
	"notakto/sshapp/wording"
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

const (
	pausedByLameDuck pauseReason = iota
	pausedByMaintenance
)

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
		p.manager.Pause()
	default:
		p.manager.Resume()
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
	const text = "No new matches: the server stops once those in progress are over, at the latest in %s."
	d.sessions.notifyAll(fmt.Sprintf(text, inWords(within)))
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
	d.sessions.notifyAll("The server goes on: new matches can begin.")
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

// look ends the sessions that are not needed any more, and finds out whether all have ended.
func (d *LameDuck) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	switch {
	case d.until.IsZero(), d.isOver: // it waited while the lame duck was canceled, or canceled and begun again
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
	if d > 90*time.Second {
		return wording.Count(int((d+time.Minute-1)/time.Minute), "minute", "minutes")
	}
	return wording.Count(wording.Seconds(d), "second", "seconds")
}

// maintenance is a time from which on no new match begins. It is announced to all players, and to those who come
// later. Its methods may be called from any goroutine.
type maintenance struct {
	pauses   *pauses
	sessions *sessionSet
	log      *slog.Logger

	mu      sync.Mutex
	begins  time.Time // zero for none
	message string
	timer   *time.Timer // of the next notice, or of the begin
}

// announceAt returns how long before maintenance all players are notified again.
func announceAt() []time.Duration {
	return []time.Duration{
		0, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute,
		30 * time.Minute, time.Hour,
	}
}

// announce has maintenance begin after a time, in place of any other, and returns how many sessions are notified.
func (m *maintenance) announce(in time.Duration, message string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end()
	m.begins, m.message = time.Now().Add(in), message
	m.log.Info("maintenance is announced", "event", "maintenance-announced", "in_ms", in.Milliseconds())
	return m.next()
}

// cancel ends maintenance, or takes it back.
func (m *maintenance) cancel() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.begins.IsZero() {
		return 0
	}
	m.end()
	m.log.Info("maintenance is over", "event", "maintenance-end")
	return m.sessions.notifyAll("The maintenance is over, or was called off: new matches can begin.")
}

func (m *maintenance) end() {
	if m.timer != nil {
		m.timer.Stop()
	}
	m.begins, m.message = time.Time{}, ""
	m.pauses.set(pausedByMaintenance, false)
}

// next notifies all players, has maintenance begin if it is time, and otherwise comes back for the next notice.
func (m *maintenance) next() int {
	left := time.Until(m.begins)
	if left <= 0 {
		m.pauses.set(pausedByMaintenance, true)
		m.log.Info("maintenance begins: no new matches", "event", "maintenance-begin")
		return m.sessions.notifyAll(m.text())
	}
	begins, at := m.begins, m.begins
	for _, before := range announceAt() {
		if before >= left {
			break
		}
		at = begins.Add(-before)
	}
	m.timer = time.AfterFunc(time.Until(at), func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.begins.Equal(begins) { // else it was replaced, or ended
			m.next()
		}
	})
	return m.sessions.notifyAll(m.text())
}

// text is what players read; empty without maintenance.
func (m *maintenance) text() string {
	left := time.Until(m.begins)
	switch {
	case m.begins.IsZero():
		return ""
	case left <= 0:
		return strings.TrimSpace("Maintenance: no new matches begin. " + m.message)
	default:
		return strings.TrimSpace("Maintenance in " + inWords(left) + ": no new matches then. " + m.message)
	}
}

// greet tells a session that begins of maintenance.
func (m *maintenance) greet(c *channel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := m.text(); text != "" {
		c.notify(text)
	}
}

func (m *maintenance) status() admin.MaintenanceStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	status := admin.MaintenanceStatus{State: admin.MaintenanceOff}
	if m.begins.IsZero() {
		return status
	}
	status.State, status.Message = admin.MaintenanceAnnounced, m.message
	begins := m.begins.UTC().Truncate(time.Second)
	status.Begins = &begins
	if !time.Now().Before(m.begins) {
		status.State = admin.MaintenanceOn
	}
	return status
}
