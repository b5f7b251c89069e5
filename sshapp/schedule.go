package sshapp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/wording"
)

// drainCheckEvery is the time between two looks at the sessions of a draining server.
const drainCheckEvery = time.Second

// leaveAfter is the time that a draining server leaves to a player without a match in progress, to read the result of
// the last one.
const leaveAfter = 5 * time.Second

// The errors of drain and cancelDrain.
var (
	errDraining    = errors.New("the server is draining already: cancel that first for another time")
	errNotDraining = errors.New("the server is not draining")
)

// phase is the state of a server.
type phase uint8

const (
	open     phase = iota // sessions begin; matches begin except during maintenance
	draining              // no match begins; only players in a match and administrators begin sessions
	drained               // all sessions have ended, or the time for that is over
	stopped               // every session ends
)

// schedule decides what may begin at a server. The server is open, draining until a time, drained or stopped. From the
// time of maintenance on, an open server begins no match either. Players read of maintenance when it is announced and
// when they log in. Only schedule pauses and resumes the manager and the admission. Its methods may be called from any
// goroutine.
type schedule struct {
	admission *limit.Admission
	manager   *manager.Manager
	sessions  *sessions
	isSeated  func(match.PlayerID) bool // reports whether a player is at a match in progress
	log       *slog.Logger
	drained   chan struct{}   // closed in the phase drained
	stopped   context.Context // done in the phase stopped
	endAll    context.CancelFunc

	mu        sync.Mutex
	phase     phase
	until     time.Time              // the end of draining; zero while open
	leave     time.Duration          // leaveAfter, except in tests
	leavers   map[*channel]time.Time // sessions to end, by the time when check first found them; nil unless draining
	nextCheck *time.Timer            // nil before draining
	begins    time.Time              // of maintenance; zero for none
	message   string                 // about maintenance
	next      *time.Timer            // for the next notice of maintenance, or its begin; nil before the first
}

func newSchedule(
	a *limit.Admission, m *manager.Manager, s *sessions, isSeated func(match.PlayerID) bool, log *slog.Logger,
) *schedule {
	stopped, endAll := context.WithCancel(context.Background())
	return &schedule{
		admission: a, manager: m, sessions: s, isSeated: isSeated, log: log, leave: leaveAfter,
		drained: make(chan struct{}), stopped: stopped, endAll: endAll,
	}
}

// drain begins to drain, and tells all players that the server stops after the time within, at the latest. The error
// says that the server is not open.
func (s *schedule) drain(within time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != open {
		return errDraining
	}
	s.phase, s.until, s.leavers = draining, time.Now().Add(within), map[*channel]time.Time{}
	s.admission.SetPaused(true)
	s.apply(time.Now())
	s.log.Info("no new match begins, and the server stops when the last one is over",
		"event", "lame-duck-begin", "within_ms", within.Milliseconds())
	const text = "No new matches: the server stops once those in progress are over, at the latest in %s."
	s.sessions.tellAll(fmt.Sprintf(text, inWords(within)))
	s.nextCheck = time.AfterFunc(0, s.check)
	return nil
}

// cancelDrain opens the server again. The error says that the server is not draining.
func (s *schedule) cancelDrain() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != draining {
		return errNotDraining
	}
	s.nextCheck.Stop()
	s.phase, s.until, s.leavers = open, time.Time{}, nil
	s.admission.SetPaused(false)
	s.apply(time.Now())
	s.log.Info("the server goes on after all", "event", "lame-duck-cancel")
	s.sessions.tellAll("The server goes on: new matches can begin.")
	return nil
}

func (s *schedule) drainStatus() admin.DrainStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := admin.DrainStatus{Draining: !s.until.IsZero(), Sessions: s.admission.Sessions()}
	if status.Draining {
		until := s.until.UTC().Truncate(time.Second)
		status.Until = &until
	}
	return status
}

// check ends the sessions that a draining server does not wait for, and ends draining once no session is left or the
// time is over.
func (s *schedule) check() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case s.phase != draining: // the timer had fired when draining was cancelled, or the server stopped
		return
	case s.admission.Sessions() == 0 || !now.Before(s.until):
		s.phase = drained
		s.log.Info("the server stops now", "event", "lame-duck-end", "sessions", s.admission.Sessions())
		close(s.drained)
		return
	}
	leavers := map[*channel]time.Time{}
	for _, c := range s.sessions.list() {
		since, ok := s.leavers[c]
		switch {
		case s.isSeated(c.who.ID), c.who.role != cli.Player && c.frontEnd.Name == frontEndCommand:
			continue
		case !ok:
			since = now
		case now.Sub(since) >= s.leave:
			c.life.end(limit.ErrServerDraining)
		}
		leavers[c] = since
	}
	s.leavers = leavers
	s.nextCheck = time.AfterFunc(min(drainCheckEvery, s.leave, time.Until(s.until)), s.check)
}

// stop has the manager drain for good and ends every session.
func (s *schedule) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = stopped // before Drain, so that nothing resumes the manager
	s.manager.Drain()
	s.endAll()
}

// cut ends every session at once.
func (s *schedule) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = stopped
	s.endAll()
}

// apply pauses or resumes the manager as the phase and the time of maintenance demand. s is locked.
func (s *schedule) apply(now time.Time) {
	switch {
	case s.phase == stopped:
	case s.phase == open && (s.begins.IsZero() || now.Before(s.begins)):
		s.manager.Resume()
	default:
		s.manager.Pause()
	}
}

// announce sets the time of maintenance, in place of any other, and returns the number of sessions told.
func (s *schedule) announce(in time.Duration, message string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setMaintenance(time.Now().Add(in), message)
	s.log.Info("maintenance is announced", "event", "maintenance-announced", "in_ms", in.Milliseconds())
	return s.countDown()
}

// endMaintenance ends maintenance, or cancels it before it begins, and returns the number of sessions told.
func (s *schedule) endMaintenance() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begins.IsZero() {
		return 0
	}
	s.setMaintenance(time.Time{}, "")
	s.log.Info("maintenance is over", "event", "maintenance-end")
	return s.sessions.tellAll("The maintenance is over, or was called off: new matches can begin.")
}

// setMaintenance replaces the time of maintenance. s is locked.
func (s *schedule) setMaintenance(begins time.Time, message string) {
	if s.next != nil {
		s.next.Stop()
	}
	s.begins, s.message = begins, message
	s.apply(time.Now())
}

// countDown tells all players of maintenance, and returns the number of sessions told. If the time of maintenance has
// come, countDown begins the maintenance. If not, it sets a timer for the next notice. s is locked.
func (s *schedule) countDown() int {
	left := time.Until(s.begins)
	if left <= 0 {
		s.apply(time.Now())
		s.log.Info("maintenance begins: no new matches", "event", "maintenance-begin")
		return s.sessions.tellAll(s.maintenanceText())
	}
	begins, at := s.begins, s.begins
	for _, before := range []time.Duration{ // when all players are told again
		0, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute,
		30 * time.Minute, time.Hour,
	} {
		if before >= left {
			break
		}
		at = begins.Add(-before)
	}
	s.next = time.AfterFunc(time.Until(at), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.begins.Equal(begins) { // otherwise the maintenance was replaced, or ended
			s.countDown()
		}
	})
	return s.sessions.tellAll(s.maintenanceText())
}

// maintenanceText returns the sentence for players, "" without maintenance. s is locked.
func (s *schedule) maintenanceText() string {
	left := time.Until(s.begins)
	switch {
	case s.begins.IsZero():
		return ""
	case left <= 0:
		return strings.TrimSpace("Maintenance: no new matches begin. " + s.message)
	default:
		return strings.TrimSpace("Maintenance in " + inWords(left) + ": no new matches then. " + s.message)
	}
}

// greet tells a new session of maintenance.
func (s *schedule) greet(c *channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := s.maintenanceText(); text != "" {
		c.inbox.notify(text)
	}
}

func (s *schedule) maintenanceStatus() admin.MaintenanceStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := admin.MaintenanceStatus{State: admin.MaintenanceOff}
	if s.begins.IsZero() {
		return status
	}
	status.State, status.Message = admin.MaintenanceAnnounced, s.message
	begins := s.begins.UTC().Truncate(time.Second)
	status.Begins = &begins
	if !time.Now().Before(s.begins) {
		status.State = admin.MaintenanceOn
	}
	return status
}

// inWords returns d in words, in seconds up to 90 seconds, else in minutes, rounded up.
func inWords(d time.Duration) string {
	if d > 90*time.Second {
		return wording.Count(int((d+time.Minute-1)/time.Minute), "minute", "minutes")
	}
	return wording.Count(wording.Seconds(d), "second", "seconds")
}
