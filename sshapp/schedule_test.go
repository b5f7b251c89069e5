package sshapp

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp/cli/admin"
)

// turnedAway returns the reason that a client cannot begin a session.
func (s *testServer) turnedAway(user string, key gossh.Signer) string {
	s.t.Helper()
	_, _, err := s.dial(user, key).OpenChannel("session", nil)
	if err == nil {
		s.t.Fatal("the session begins")
	}
	return err.Error()
}

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
	idler := h.sit("ida", newKey(t, 3))
	idler.sees("Play someone")
	waiting := h.bot("walt", 4)
	waiting.says(`{"do":"seek","variant":"notakto/9"}`, "seeking")

	out, complaint, status := h.as(newKey(t, adminKey), "admin drain --within 1h --json")
	var state admin.DrainStatus
	if err := json.Unmarshal([]byte(out), &state); err != nil || status != 0 || !state.Draining || state.Until == nil ||
		state.Sessions != 5 {
		t.Fatalf("%d: %s%s: %v", status, out, complaint, err)
	}
	idler.sees("No new matches: the server stops when the matches")
	testkit.ErrorIs(t, h.manager.Ready(), match.ErrDraining)
	testkit.Contains(t, h.turnedAway("carol", newKey(t, 5)), limit.ErrServerDraining.Error())
	if _, complaint, status := h.as(newKey(t, adminKey), "admin drain"); status != 1 ||
		!strings.Contains(complaint, "draining already") {
		t.Errorf("a second time: %d: %s", status, complaint)
	}
	for line, want := range map[string]int{"x": 2, "cancel now": 2, "--within -1s": 2, "status": 0} {
		if _, complaint, status := h.as(newKey(t, adminKey), "admin drain "+line); status != want {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
	}
	h.leavesAfter(time.Second)
	_ = idler.leaves()
	idler.restored()
	idler.sees("the server is about to stop")
	received := ""
	for line := range waiting.said {
		received += line
	}
	testkit.Contains(t, received, "no new matches begin here now; you no longer wait", `"cancelled"`,
		`"the server is about to stop; please come back later"`)
	// Both players are still at their match. alice comes back by another session, and a new match is refused.
	again := h.bot("alice", 1)
	if kind, _ := alice.says(`{"do":"computer","level":"club"}`, "error draining"), id; kind.Code != "draining" {
		t.Errorf("another match: %+v", kind)
	}
	again.says(`{"do":"watch","match":"`+id+`"}`, "match")
	alice.says(`{"do":"resign","match":"`+id+`"}`, "end")
	for name, bot := range map[string]verbs{"alice": alice, "again": again, "bob": bob} {
		received := ""
		for line := range bot.said {
			received += line
		}
		if (name == "alice") == strings.Contains(received, `"event":"end"`) ||
			!strings.Contains(received, "the server is about to stop") {
			t.Errorf("%s is told %s", name, received)
		}
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

// A caller that waits for the end of a drain must not wait after a stop.
func TestAStopEndsADrain(t *testing.T) {
	for name, end := range map[string]func(*schedule){"stop": (*schedule).stop, "close": (*schedule).endNow} {
		h := startServer(t)
		h.sit("ann", newKey(t, 1)).sees("Play someone")
		testkit.OK(t, h.StartDrain(time.Hour))
		end(h.schedule)
		select {
		case <-h.Drained():
		default:
			t.Errorf("%s: the drain goes on", name)
		}
		end(h.schedule)
	}
}

// When the time is over, the sessions that are left do not matter.
func TestDrainingIsCancelledOrEndsInTime(t *testing.T) {
	h := startServer(t, withAdmins(t))
	h.leavesAfter(time.Hour)
	person := h.sit("ann", newKey(t, 1))
	person.sees("Play someone")
	if _, complaint, status := h.as(newKey(t, adminKey), "admin drain cancel"); status != 1 {
		t.Errorf("without one: %d: %s", status, complaint)
	}
	if _, complaint, status := h.as(newKey(t, moderatorKey), "admin drain"); status != 1 ||
		!strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator's: %d: %s", status, complaint)
	}
	h.as(newKey(t, adminKey), "admin drain")
	person.sees("No new matches: the server stops")
	out, complaint, status := h.as(newKey(t, adminKey), "admin drain cancel")
	if status != 0 || out != "The server is not draining; 2 sessions.\n" {
		t.Errorf("cancelled: %d: %s%s", status, out, complaint)
	}
	person.sees("The server does not stop after all")
	h.bot("carol", 5).says(`{"do":"computer","level":"club","seat":1}`, "match")
	testkit.OK(t, h.StartDrain(10*time.Millisecond))
	<-h.Drained()
	h.schedule.checkDrain() // a check that waited while the drain was canceled and begun again
	testkit.Equal(t, h.admission.Sessions(), 2)
}

// All players read of maintenance, also those that log in later. From then on no match begins, until the maintenance
// is over.
func TestMaintenanceIsAnnounced(t *testing.T) {
	h := startServer(t, withAdmins(t))
	screen, bot := h.sit("ann", newKey(t, 1)), h.bot("bob", 2)
	screen.sees("Play someone")
	out, complaint, status := h.as(newKey(t, adminKey),
		"admin maintenance on --in 2m --message 'back at\x07 noon' --json")
	var state admin.MaintenanceStatus
	if err := json.Unmarshal([]byte(out), &state); err != nil || status != 0 || state.State != "announced" ||
		state.Message != "back at noon" || state.Begins == nil {
		t.Fatalf("%d: %s%s: %v", status, out, complaint, err)
	}
	screen.sees("Maintenance in 2 minutes: no new matches from then on. back at noon")
	testkit.Contains(t, bot.expects(), `"notice"`, "Maintenance in 2 minutes")
	bot.says(`{"do":"computer","level":"club","seat":1}`, "match")
	h.as(newKey(t, adminKey), "admin maintenance on --in 1ms --message back at noon")
	screen.sees("Maintenance: no new matches begin. back at noon")
	got := bot.expects()
	if strings.Contains(got, "Maintenance in 1 second") { // unless the millisecond is over before all sessions are told
		got = bot.expects()
	}
	testkit.Contains(t, got, "Maintenance: no new matches begin")
	bot.says(`{"do":"seek"}`, "error draining")
	testkit.ErrorIs(t, h.manager.Ready(), match.ErrDraining)
	h.sit("lea", newKey(t, 3)).sees("Maintenance: no new matches begin. back at noon")
	if out, _, _ := h.as(newKey(t, adminKey), "admin maintenance status"); !strings.HasPrefix(out,
		"Maintenance: no new") {
		t.Errorf("its status: %s", out)
	}
	if _, _, status := h.as(newKey(t, moderatorKey), "admin maintenance off"); status != 1 {
		t.Errorf("a moderator's command: %d", status)
	}
	for range 2 {
		out, _, status = h.as(newKey(t, adminKey), "admin maintenance off")
		if status != 0 || out != "No maintenance is announced.\n" || h.manager.Ready() != nil {
			t.Errorf("off: %d: %s; ready is %v", status, out, h.manager.Ready())
		}
	}
	screen.sees("The maintenance is over")
	testkit.Contains(t, bot.expects(), "The maintenance is over")
	bot.says(`{"do":"seek"}`, "seeking")
	for _, line := range []string{"on --in -1s", "on --in 8d", "on --in 0s", "on --in x", "on now", "onn", "off now"} {
		if _, complaint, status := h.as(newKey(t, adminKey), "admin maintenance "+line); status != 2 {
			t.Errorf("%s: %d: %s", line, status, complaint)
		}
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
		schedule.announce(time.Hour, "")
		<-time.After(time.Minute)
		synctest.Wait()
		<-c.inbox.notices
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

// Maintenance applies to all servers that share a database.
func TestMaintenanceOfSeveralServers(t *testing.T) {
	registry := new(match.Memory)
	share := func(o *options) { o.registry = registry }
	here, there := startServer(t, withAdmins(t), share), startServer(t, share)
	if _, complaint, status := here.as(newKey(t, adminKey), "admin maintenance on --in 1ns"); status != 0 {
		t.Errorf("%d: %s", status, complaint)
	}
	for _, h := range []*testServer{here, there} {
		testkit.ErrorIs(t, h.manager.Ready(), match.ErrDraining)
	}
	here.as(newKey(t, adminKey), "admin maintenance off")
	testkit.OK(t, there.manager.Ready())
}

// An administrator may give the order at any server.
func TestAServerIsDrainedByItsName(t *testing.T) {
	registry := match.NewMemory()
	at := func(name string) func(*options) {
		return func(o *options) {
			o.registry, o.node, o.Journal, o.Node = registry, name, registry, match.Node(name)
		}
	}
	here, there := startServer(t, withAdmins(t), at("a")), startServer(t, at("b"))
	gives := func(line, want string, status int) {
		t.Helper()
		if out, complaint, got := here.as(newKey(t, adminKey), "admin drain "+line); got != status ||
			!strings.Contains(out+complaint, want) {
			t.Errorf("%s: %d: %s%s", line, got, out, complaint)
		}
	}
	there.leavesAfter(time.Hour)
	eventually(t, "both servers are up", func() bool { return len(here.manager.Servers()) == 2 })
	here.sit("bob", newKey(t, 2)).sees("Play someone") // otherwise a drain is over at once
	there.sit("ann", newKey(t, 1)).sees("Play someone")
	gives("--node b", "b was told.\n", 0)
	if here.schedule.drainStatus().Draining || !there.schedule.drainStatus().Draining {
		t.Error("it is not b alone that drains")
	}
	gives("--node b cancel --json", `{"sessions":0,"others":true}`, 0)
	if there.schedule.drainStatus().Draining {
		t.Error("b still drains")
	}
	gives("--node a --within 1h --json", `"node":"a"`, 0)
	gives("--node a cancel", "not draining", 0)
	gives("--node b status", "give the command to that server", 2)
	gives("--node c", "there is no server", 1)
	single := startServer(t, withAdmins(t))
	if _, complaint, status := single.as(newKey(t, adminKey), "admin drain --node b"); status != 1 ||
		!strings.Contains(complaint, `there is no server "b"`) {
		t.Errorf("a single server: %d: %s", status, complaint)
	}
}

func TestATimeIsSaidInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1 second", 1500 * time.Millisecond: "2 seconds", time.Minute: "60 seconds",
		2 * time.Minute: "2 minutes", time.Hour: "60 minutes",
	} {
		testkit.Equal(t, inWords(d), want, d)
	}
}
