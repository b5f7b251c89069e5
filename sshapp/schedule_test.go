package sshapp

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/cli/admin"
)

func (s *testServer) leavesAfter(d time.Duration) {
	s.schedule.mu.Lock()
	defer s.schedule.mu.Unlock()
	s.schedule.leaveAfter = d
}

// A draining server ends the sessions of players without a match, refuses others, and is drained when the last one
// has left. A player in a match may come back to it, and an administrator may always come in.
func TestADrainingServerLetsMatchesEnd(t *testing.T) {
	besideOthers(t)
	h := startServer(t, withAdmins(t))
	h.leavesAfter(time.Hour)
	alice, bob := h.bot("alice", 1), h.bot("bob", 2)
	alice.says(`{"do":"seek"}`, "seeking")
	bob.types(`{"do":"seek"}`)
	id := alice.gets("match").Match
	idler := h.inLobby("ida", 3)
	waiting := h.bot("walt", 4)
	waiting.says(`{"do":"seek","variant":"notakto/9"}`, "seeking")

	state := parse[admin.DrainStatus](t, h.answers(adminKey, "admin drain --within 1h --json", 0))
	if !state.Draining || state.Until == nil || state.Sessions != 5 {
		t.Fatalf("the drain is %+v", state)
	}
	idler.sees("No new matches: the server stops when the matches")
	testkit.ErrorIs(t, h.manager.Ready(), match.ErrDraining)
	_, _, err := h.dial("carol", newKey(t, 5)).OpenChannel("session", nil)
	testkit.Contains(t, fmt.Sprint(err), limit.ErrServerDraining.Error())
	h.answers(adminKey, "admin drain", 1, "draining already")
	for line, want := range map[string]int{"x": 2, "cancel now": 2, "--within -1s": 2, "status": 0} {
		h.answers(adminKey, "admin drain "+line, want)
	}
	h.leavesAfter(time.Second)
	_ = idler.leaves()
	idler.restored()
	idler.sees("the server is about to stop")
	testkit.Contains(t, waiting.rest(), "no new matches begin here now; you no longer wait", `"cancelled"`,
		`"the server is about to stop; please come back later"`)
	// Both players are still at their match. alice comes back by another session, and a new match is refused.
	again := h.bot("alice", 1)
	alice.says(`{"do":"computer","level":"club"}`, "error draining")
	again.says(`{"do":"watch","match":"`+id+`"}`, "match")
	alice.says(`{"do":"resign","match":"`+id+`"}`, "end")
	for name, bot := range map[string]verbs{"alice": alice, "again": again, "bob": bob} {
		received := bot.rest()
		testkit.Contains(t, received, "the server is about to stop")
		testkit.Equal(t, strings.Contains(received, `"event":"end"`), name != "alice", name)
	}
	select {
	case <-h.Drained():
	case <-time.After(testTimeout):
		t.Error("it is not over")
	}
	testkit.ErrorIs(t, h.schedule.cancelDrain(), errNotDraining)
	testkit.Contains(t, h.log.String(), "event=drain-begin within_ms=3600000", "event=drain-end sessions=0",
		"reason=shutdown")
}

// When the time is over, the sessions that are left do not matter. A caller that waits for the end of a drain must not
// wait after a stop.
func TestDrainingIsCancelledOrEndsInTime(t *testing.T) {
	h := startServer(t, withAdmins(t))
	h.leavesAfter(time.Hour)
	person := h.inLobby("ann", 1)
	h.answers(adminKey, "admin drain cancel", 1)
	h.answers(moderatorKey, "admin drain", 1, "for administrators")
	h.answers(adminKey, "admin drain", 0)
	h.answers(adminKey, "admin drain cancel", 0, "The server is not draining; 2 sessions.\n")
	person.sees("The server does not stop after all")
	h.bot("carol", 5).says(`{"do":"computer","level":"club","seat":1}`, "match")
	testkit.OK(t, h.StartDrain(10*time.Millisecond))
	<-h.Drained()
	h.schedule.checkDrain() // a check that waited while the drain was canceled and begun again
	testkit.Equal(t, h.admission.Sessions(), 2)
	for _, end := range []func(*schedule){(*schedule).stop, (*schedule).endNow} {
		h := startServer(t)
		h.inLobby("ann", 1)
		testkit.OK(t, h.StartDrain(time.Hour))
		end(h.schedule)
		<-h.Drained()
		end(h.schedule)
	}
}

// All players read of maintenance, also those that log in later. From then on no match begins, until the maintenance
// is over.
func TestMaintenanceIsAnnounced(t *testing.T) {
	h := startServer(t, withAdmins(t))
	screen, bot := h.sit("ann", newKey(t, 1)), h.bot("bob", 2)
	screen.sees("Play someone")
	state := parse[admin.MaintenanceStatus](t, h.answers(adminKey,
		"admin maintenance on --message back at\x07 noon --in 2m --json", 0))
	if state.State != "announced" || state.Message != "back at noon" || state.Begins == nil {
		t.Fatalf("the maintenance is %+v", state)
	}
	screen.sees("Maintenance in 2 minutes: no new matches from then on. back at noon")
	testkit.Contains(t, bot.expects(), `"notice"`, "Maintenance in 2 minutes")
	bot.says(`{"do":"computer","level":"club","seat":1}`, "match")
	h.answers(adminKey, "admin maintenance on --in 1ms --message back at noon", 0)
	screen.sees("Maintenance: no new matches begin. back at noon")
	got := bot.expects()
	if strings.Contains(got, "Maintenance in 1 second") { // unless the millisecond is over before all sessions are told
		got = bot.expects()
	}
	testkit.Contains(t, got, "Maintenance: no new matches begin")
	bot.says(`{"do":"seek"}`, "error draining")
	testkit.ErrorIs(t, h.manager.Ready(), match.ErrDraining)
	h.sit("lea", newKey(t, 3)).sees("Maintenance: no new matches begin. back at noon")
	h.answers(adminKey, "admin maintenance status", 0, "Maintenance: no new")
	h.answers(moderatorKey, "admin maintenance off", 1)
	for range 2 {
		h.answers(adminKey, "admin maintenance off", 0, "No maintenance is announced.\n")
		testkit.OK(t, h.manager.Ready())
	}
	screen.sees("The maintenance is over")
	testkit.Contains(t, bot.expects(), "The maintenance is over")
	bot.says(`{"do":"seek"}`, "seeking")
	testkit.Contains(t, h.log.String(), `command="maintenance on" object="back at noon"`)
	for _, line := range []string{"on --in -1s", "on --in 8d", "on --in 0s", "on --in x", "on now", "onn", "off now"} {
		h.answers(adminKey, "admin maintenance "+line, 2)
	}
}

// The result depends only on the state, not on the order of its changes. Maintenance outlasts a canceled drain, a drain
// outlasts maintenance, and a stopped server stays stopped. Players read of new matches only if they begin.
func TestWhetherMatchesBegin(t *testing.T) {
	c := &channel{conn: new(connection), inbox: newInbox()}
	m := manager.New(manager.Config{Seed: 1})
	defer m.Close()
	sessions := newSessions(nil, m)
	sessions.add(c)
	admission := limit.NewAdmission(limit.DefaultSettings(), new(limit.SourceTracker), nil)
	slot, err := admission.Enter(netip.MustParsePrefix("192.0.2.1/32"), "alice", limit.Unlimited, func(error) {})
	testkit.OK(t, err)
	defer slot.Leave() // keeps a drain going
	isSeated := func(match.PlayerID) bool { return true }
	s := newSchedule(admission, m, sessions, isSeated, slog.New(slog.DiscardHandler))
	drain, cancel := func() error { return s.drain(time.Hour) }, s.cancelDrain
	announce := func() error { s.announce(-time.Second, "back at noon"); return nil }
	end := func() error { s.endMaintenance(); return nil }
	const on = "Maintenance: no new matches begin. back at noon"
	const stops = "No new matches: the server stops when the matches in progress end, in 60 minutes at the latest."
	for i, step := range []struct {
		do     func() error
		err    error
		begins bool
		says   string
	}{
		{announce, nil, false, on},
		{drain, nil, false, stops},
		{cancel, nil, false, "The server does not stop after all. " + on},
		{end, nil, true, "The maintenance is over or cancelled: new matches can begin."},
		{cancel, errNotDraining, true, ""},
		{drain, nil, false, stops},
		{drain, errDraining, false, ""},
		{announce, nil, false, on},
		{end, nil, false, "The maintenance is over or cancelled, but the server stops soon: no new matches begin."},
		{cancel, nil, true, "The server does not stop after all: new matches can begin."},
		{func() error { s.stop(); return nil }, nil, false, ""},
		{drain, errDraining, false, ""},
		{cancel, errNotDraining, false, ""},
	} {
		testkit.ErrorIs(t, step.do(), step.err, i)
		testkit.Equal(t, m.Ready() == nil, step.begins, i)
		said := ""
		select {
		case said = <-c.inbox.notices:
		default:
		}
		testkit.Equal(t, said, step.says, i)
	}
	testkit.OK(t, errors.Join(announce(), end()))
	testkit.ErrorIs(t, m.Ready(), match.ErrDraining)
}

// One timer drives the countdown, at most once a minute, and another announcement replaces it.
func TestTheCountdownOfMaintenance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &channel{conn: new(connection), inbox: newInbox()}
		m := manager.New(manager.Config{Seed: 1})
		defer m.Close()
		sessions := newSessions(nil, m)
		sessions.add(c)
		schedule := newSchedule(nil, m, sessions, nil, slog.New(slog.DiscardHandler))
		began := time.Now()
		schedule.announce(24*time.Hour+30*time.Minute, "")
		<-time.After(time.Minute)
		synctest.Wait()
		testkit.Contains(t, <-c.inbox.notices, "Maintenance in 1 day 1 hour: ")
		schedule.announce(12*time.Minute, "")
		var got []string
		for schedule.maintenanceStatus().State != admin.MaintenanceOn {
			got = append(got, <-c.inbox.notices)
			synctest.Wait()
		}
		want := "12 minutes, 10 minutes, 5 minutes, 3 minutes, 2 minutes, 60 seconds, now"
		for i, text := range got {
			got[i], _, _ = strings.Cut(strings.TrimPrefix(text, "Maintenance in "), ":")
		}
		got[len(got)-1] = "now"
		testkit.Equal(t, strings.Join(got, ", "), want)
		if took := time.Since(began); took != 13*time.Minute || m.Ready() == nil {
			t.Errorf("it begins after %v", took)
		}
	})
}
