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

const drainCheckEvery = time.Second

// leaveAfter is the time that a draining server leaves to a player without a match in progress, to read the result
// of the last one.
const leaveAfter = 5 * time.Second

var (
	errDraining    = errors.New("the server is draining already: cancel that first for another time")
	errNotDraining = errors.New("the server is not draining")
)

type phase uint8

const (
	phaseOpen     phase = iota // sessions begin, and matches begin except during maintenance
	phaseDraining              // no match begins, and sessions begin only with limit.Expected or a higher priority
	phaseDrained               // all sessions have ended, or the time for that is over
	phaseStopped               // every session ends
)

// schedule decides whether matches and sessions may begin. Only schedule pauses and resumes the manager and the
// admission. Players are told of maintenance when it is announced, as it comes near, and when a session begins. Any
// goroutine may call the methods.
type schedule struct {
	admission *limit.Admission
	manager   *manager.Manager
	sessions  *sessions
	isSeated  func(match.PlayerID) bool
	log       *slog.Logger
	drained   chan struct{}
	stopped   context.Context
	endAll    context.CancelFunc

	mu                 sync.Mutex
	phase              phase
	drainUntil         time.Time              // zero in phaseOpen
	leaveAfter         time.Duration          // differs from the constant in tests
	leavingSince       map[*channel]time.Time // sessions to end, with the time when checkDrain first found them
	nextDrainCheck     *time.Timer
	maintenanceAt      time.Time // zero without maintenance
	maintenanceMessage string
	nextNotice         *time.Timer
}

func newSchedule(
	a *limit.Admission, m *manager.Manager, s *sessions, isSeated func(match.PlayerID) bool, log *slog.Logger,
) *schedule {
	stopped, endAll := context.WithCancel(context.Background())
	return &schedule{
		admission: a, manager: m, sessions: s, isSeated: isSeated, log: log, leaveAfter: leaveAfter,
		drained: make(chan struct{}), stopped: stopped, endAll: endAll,
	}
}

// drain begins to drain, and tells all players that the server stops when the matches have ended, or after the
// duration within. Outside phaseOpen, drain returns errDraining.
func (s *schedule) drain(within time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != phaseOpen {
		return errDraining
	}
	s.phase, s.drainUntil, s.leavingSince = phaseDraining, time.Now().Add(within), map[*channel]time.Time{}
	s.admission.SetPaused(true)
	s.pauseOrResume(time.Now())
	s.log.Info("no new match begins; the server stops when the last session has ended",
		"event", "drain-begin", "within_ms", within.Milliseconds())
	const text = "No new matches: the server stops when the matches in progress end, in %s at the latest."
	s.sessions.tellAll(fmt.Sprintf(text, inWords(within)))
	s.nextDrainCheck = time.AfterFunc(0, s.checkDrain)
	return nil
}

func (s *schedule) cancelDrain() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase != phaseDraining {
		return errNotDraining
	}
	s.nextDrainCheck.Stop()
	s.phase, s.drainUntil, s.leavingSince = phaseOpen, time.Time{}, nil
	s.admission.SetPaused(false)
	now := time.Now()
	s.pauseOrResume(now)
	s.log.Info("the drain was cancelled", "event", "drain-cancel")
	text := "The server does not stop after all: new matches can begin."
	if !s.matchesBegin(now) {
		text = "The server does not stop after all. " + s.maintenanceText()
	}
	s.sessions.tellAll(text)
	return nil
}

func (s *schedule) drainStatus() admin.DrainStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := admin.DrainStatus{Draining: !s.drainUntil.IsZero(), Sessions: s.admission.Sessions()}
	if status.Draining {
		until := s.drainUntil.UTC().Truncate(time.Second)
		status.Until = &until
	}
	return status
}

func (s *schedule) checkDrain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case s.phase != phaseDraining: // the timer had fired when draining was canceled, or the server stopped
		return
	case s.admission.Sessions() == 0 || !now.Before(s.drainUntil):
		s.phase = phaseDrained
		s.log.Info("the server stops now", "event", "drain-end", "sessions", s.admission.Sessions())
		close(s.drained)
		return
	}
	leavers := map[*channel]time.Time{}
	for _, ch := range s.sessions.list() {
		since, ok := s.leavingSince[ch]
		switch {
		case s.isSeated(ch.identity.ID), ch.identity.role != cli.Player && ch.stats.Name == frontEndCommand:
			continue
		case !ok:
			since = now
		case now.Sub(since) >= s.leaveAfter:
			ch.life.end(limit.ErrServerDraining)
		}
		leavers[ch] = since
	}
	s.leavingSince = leavers
	s.nextDrainCheck = time.AfterFunc(min(drainCheckEvery, s.leaveAfter, time.Until(s.drainUntil)), s.checkDrain)
}

func (s *schedule) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endPhases() // before Drain, to keep pauseOrResume from resuming the manager
	s.manager.Drain()
	s.endAll()
}

func (s *schedule) endNow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endPhases()
	s.endAll()
}

// endPhases ends a drain and enters phaseStopped. The caller holds s.mu.
func (s *schedule) endPhases() {
	if s.phase == phaseDraining {
		close(s.drained)
	}
	s.phase = phaseStopped
}

// pauseOrResume applies the phase and the time of maintenance to the manager. The caller holds s.mu.
func (s *schedule) pauseOrResume(now time.Time) {
	switch {
	case s.phase == phaseStopped:
	case s.matchesBegin(now):
		s.manager.Resume()
	default:
		s.manager.Pause()
	}
}

// matchesBegin reports whether the phase and the time of maintenance allow new matches. The caller holds s.mu.
func (s *schedule) matchesBegin(now time.Time) bool {
	return s.phase == phaseOpen && (s.maintenanceAt.IsZero() || now.Before(s.maintenanceAt))
}

// announce replaces the time of maintenance, and returns the number of sessions told.
func (s *schedule) announce(in time.Duration, message string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setMaintenance(time.Now().Add(in), message)
	s.log.Info("maintenance is announced", "event", "maintenance-announced", "in_ms", in.Milliseconds())
	return s.countDown()
}

// endMaintenance ends maintenance that has begun, or cancels maintenance that is announced. The result is the number of
// sessions told.
func (s *schedule) endMaintenance() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.maintenanceAt.IsZero() {
		return 0
	}
	s.setMaintenance(time.Time{}, "")
	s.log.Info("maintenance is over", "event", "maintenance-end")
	if s.phase != phaseOpen {
		return s.sessions.tellAll("The maintenance is over or cancelled, but the server stops soon: no new matches begin.")
	}
	return s.sessions.tellAll("The maintenance is over or cancelled: new matches can begin.")
}

// setMaintenance replaces the time of maintenance. The caller holds s.mu.
func (s *schedule) setMaintenance(begins time.Time, message string) {
	if s.nextNotice != nil {
		s.nextNotice.Stop()
	}
	s.maintenanceAt, s.maintenanceMessage = begins, message
	s.pauseOrResume(time.Now())
}

// countDown tells all players of maintenance, and returns the number of sessions told. Until the maintenance begins,
// countDown repeats itself by a timer. The caller holds s.mu.
func (s *schedule) countDown() int {
	left := time.Until(s.maintenanceAt)
	if left <= 0 {
		s.pauseOrResume(time.Now())
		s.log.Info("maintenance begins: no new matches", "event", "maintenance-begin")
		return s.sessions.tellAll(s.maintenanceText())
	}
	begins, at := s.maintenanceAt, s.maintenanceAt
	for _, before := range []time.Duration{ // when all players are told again
		0, time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute,
		30 * time.Minute, time.Hour,
	} {
		if before >= left {
			break
		}
		at = begins.Add(-before)
	}
	s.nextNotice = time.AfterFunc(time.Until(at), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.maintenanceAt.Equal(begins) { // otherwise the maintenance was replaced, or ended
			s.countDown()
		}
	})
	return s.sessions.tellAll(s.maintenanceText())
}

// maintenanceText returns the sentence for players, "" without maintenance. The caller holds s.mu.
func (s *schedule) maintenanceText() string {
	left := time.Until(s.maintenanceAt)
	switch {
	case s.maintenanceAt.IsZero():
		return ""
	case left <= 0:
		return strings.TrimSpace("Maintenance: no new matches begin. " + s.maintenanceMessage)
	default:
		return strings.TrimSpace("Maintenance in " + inWords(left) + ": no new matches from then on. " + s.maintenanceMessage)
	}
}

func (s *schedule) greet(ch *channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := s.maintenanceText(); text != "" {
		ch.inbox.notify(text)
	}
}

func (s *schedule) maintenanceStatus() admin.MaintenanceStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := admin.MaintenanceStatus{State: admin.MaintenanceOff}
	if s.maintenanceAt.IsZero() {
		return status
	}
	status.State, status.Message = admin.MaintenanceAnnounced, s.maintenanceMessage
	begins := s.maintenanceAt.UTC().Truncate(time.Second)
	status.Begins = &begins
	if !time.Now().Before(s.maintenanceAt) {
		status.State = admin.MaintenanceOn
	}
	return status
}

// inWords returns d in seconds up to 90 seconds, in minutes up to two hours, in hours and minutes up to a day, and
// otherwise in days and hours. The smallest unit is rounded up.
func inWords(d time.Duration) string {
	minutes := (d + time.Minute - 1).Truncate(time.Minute)
	switch {
	case d > 24*time.Hour:
		return wording.ClockLeft((d + time.Hour - 1).Truncate(time.Hour))
	case d > 2*time.Hour:
		return wording.ClockLeft(minutes)
	case d > 90*time.Second:
		return wording.Count(int(minutes/time.Minute), "minute", "minutes")
	default:
		return wording.Count(wording.Seconds(d), "second", "seconds")
	}
}
