package limit

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

// admissionTest records the sessions that give way. plays holds the players with a match; nil if all have one.
type admissionTest struct {
	*Admission
	t       *testing.T
	plays   map[match.PlayerID]Engagement
	gaveWay []match.PlayerID
}

func newAdmissionTest(t *testing.T, change func(*Settings)) *admissionTest {
	t.Helper()
	settings := DefaultSettings()
	change(&settings)
	a := &admissionTest{t: t, plays: map[match.PlayerID]Engagement{}}
	a.Admission = NewAdmission(settings, new(SourceTracker), func(p match.PlayerID) Engagement {
		if a.plays == nil {
			return WithOthers
		}
		return a.plays[p]
	})
	return a
}

func (a *admissionTest) enters(address string, player match.PlayerID, as Priority) (*Slot, error) {
	from := SourceAddress(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})
	return a.Enter(from, player, as, func(error) { a.gaveWay = append(a.gaveWay, player) })
}

func (a *admissionTest) engage(as Engagement, players ...match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range players {
		a.plays[p] = as
	}
}

// wantGone checks which sessions have given way.
func (a *admissionTest) wantGone(want string) {
	a.t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if got := fmt.Sprint(a.gaveWay); got != want {
		a.t.Fatalf("%s gave way, want %s", got, want)
	}
}

func (a *admissionTest) mustEnter(address string, player match.PlayerID) *Slot {
	a.t.Helper()
	s, err := a.enters(address, player, Ordinary)
	if err != nil {
		a.t.Fatalf("%s: %v", player, err)
	}
	return s
}

func (a *admissionTest) refuses(want error, address string, player match.PlayerID, as Priority) {
	a.t.Helper()
	if _, err := a.enters(address, player, as); !errors.Is(err, want) {
		a.t.Errorf("%s with priority %d: %v, want %v", player, as, err, want)
	}
}

func (s *Slot) wantPosition(t *testing.T, want int) {
	t.Helper()
	if got := s.Position(); got != want {
		t.Fatalf("%s is number %d, want %d", s.player, got, want)
	}
}

func TestAdmissionKeepsItsLimits(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) {
		s.MaxSessions, s.MaxWaiting, s.MaxSessionsPerAddress, s.MaxSessionsPerKey = 4, 1, 3, 2
	})
	a.plays = nil
	first := a.mustEnter("2001:db8::1", "a")
	a.mustEnter("2001:db8::2", "b")
	a.mustEnter("2001:db8::3", "c")
	a.refuses(ErrAddressFull, "2001:db8::4", "d", Ordinary) // of one /64
	a.mustEnter("2001:db8:0:1::1", "a")
	a.refuses(ErrPlayerFull, "192.0.2.1", "a", Ordinary)
	next := a.mustEnter("192.0.2.1", "d")
	a.refuses(ErrServerFull, "192.0.2.1", "e", Ordinary)
	next.wantPosition(t, 1)
	first.Leave()
	next.wantPosition(t, 0)
	next.Leave()
	a.mustEnter("192.0.2.1", "a")
	a.Close()
	a.refuses(ErrServerStopped, "192.0.2.2", "e", Ordinary)
}

func TestAdmissionReportsAnEmptyServer(t *testing.T) {
	a := newAdmissionTest(t, func(*Settings) {})
	slot := a.mustEnter("127.0.0.1", "a")
	emptied := a.Close()
	select {
	case <-emptied:
		t.Fatal("the server is said to be empty with a session in it")
	default:
	}
	slot.Leave()
	<-emptied
	<-newAdmissionTest(t, func(*Settings) {}).Close()
}

func TestAPausedServerLetsInExpectedPlayers(t *testing.T) {
	a := newAdmissionTest(t, func(*Settings) {})
	a.SetPaused(true)
	for priority, want := range map[Priority]error{
		Ordinary: ErrServerDraining, Expected: nil, Moderating: nil, Reserved: nil, Unlimited: nil,
	} {
		a.refuses(want, "192.0.2.1", match.PlayerID(rune('a'+priority)), priority)
	}
	a.SetPaused(false)
	a.mustEnter("192.0.2.1", "z")
}

// Moderators must not use up the sessions reserved for administrators, or fill the server with sessions of one key.
func TestAModeratorLeavesRoomForOthers(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxSessionsPerKey, s.MaxWaiting = 1, 3, 100 })
	a.plays = nil
	for i, row := range []struct {
		player   match.PlayerID
		as       Priority
		isInside bool
	}{
		{"moderator", Moderating, true}, {"moderator", Moderating, true}, {"moderator", Moderating, false},
		{"moderator", Moderating, false}, {"moderator", Moderating, false},
		{"administrator", Reserved, true}, {"administrator", Reserved, true}, {"administrator", Reserved, false},
	} {
		slot, err := a.enters("192.0.2.1", row.player, row.as)
		if err != nil || (slot.Position() == 0) != row.isInside {
			t.Errorf("session %d, of the %s: %+v, %v", i+1, row.player, slot, err)
		}
	}
	a.refuses(ErrPlayerFull, "192.0.2.1", "moderator", Moderating)
}

// Otherwise 100 silent bots lock out their neighbour.
func TestANewSessionReplacesAnIdleOneOfTheAddress(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessionsPerAddress = 4 })
	for _, player := range []match.PlayerID{"one", "two", "two", "two"} {
		a.mustEnter("192.0.2.1", player)
	}
	elsewhere := a.mustEnter("198.51.100.1", "elsewhere")
	alice := a.mustEnter("192.0.2.1", "alice")
	alice.wantPosition(t, 0)
	a.wantGone("[two]")
	a.mustEnter("192.0.2.1", "alice")
	a.wantGone("[two two]") // two still has two sessions
	a.refuses(ErrAddressFull, "192.0.2.1", "alice", Ordinary)
	a.engage(WithOthers, "one", "two", "alice", "bob")
	a.mustEnter("192.0.2.1", "bob") // in the place of alice's other session
	a.refuses(ErrAddressFull, "192.0.2.1", "carol", Ordinary)
	elsewhere.Leave()
	alice.Leave()
	if got := a.count(); got != 3+3 { // and three that gave way and have not ended yet
		t.Errorf("%d sessions are left", got)
	}
}

func TestAFullServerEvictsForNewSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 3, 2 })
		a.engage(WithOthers, "player", "late")
		for i, player := range []match.PlayerID{"player", "silent", "late"} {
			a.mustEnter(fmt.Sprint("192.0.2.", i), player)
		}
		<-time.After(giveWayAfter - time.Second)
		bob, carol := a.mustEnter("198.51.100.1", "bob"), a.mustEnter("198.51.100.2", "carol")
		a.refuses(ErrServerFull, "198.51.100.3", "dan", Ordinary)
		bob.wantPosition(t, 1)
		a.engage(NotPlaying, "late")
		<-time.After(refreshDelay + time.Millisecond)
		a.wantGone("[silent]")
		bob.wantPosition(t, 0)
		carol.wantPosition(t, 1)
		<-time.After(giveWayAfter)
		a.wantGone("[silent late]") // bob came after late's last match
		carol.wantPosition(t, 0)
		a.mustEnter("192.0.2.99", "late") // at once, because bob has been in for a minute
		a.wantGone("[silent late bob]")
		a.Close()
	})
}

// Otherwise the limits of the wrong network hold for a player that has tried to enter from a second address.
func TestAPlayerIsAtTheAddressOfTheLatestSession(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 1, 1 })
	wantAddress := func(when, want string) {
		t.Helper()
		if got := whereIs(a.addresses, "alice"); got != want {
			t.Errorf("%s: alice is at %q, want %q", when, got, want)
		}
	}
	a.engage(WithOthers, "alice")
	first := a.mustEnter("192.0.2.1", "alice")
	second := a.mustEnter("192.0.2.2", "alice")
	wantAddress("with two sessions", "192.0.2.2/32")
	a.refuses(ErrServerFull, "192.0.2.3", "alice", Ordinary)
	wantAddress("after a refused session", "192.0.2.2/32")
	second.Leave()
	wantAddress("after the end of the second session", "192.0.2.1/32")
	third := a.mustEnter("192.0.2.3", "alice")
	first.Leave()
	wantAddress("after the end of the first session", "192.0.2.3/32")
	third.Leave()
	wantAddress("after the last session", "")
}

func TestWaitingSessionsMoveUpWhenOneOfThemGivesWay(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxSessionsPerAddress = 1, 2 })
	a.engage(WithOthers, "inside")
	a.mustEnter("192.0.2.1", "inside")
	a.mustEnter("192.0.2.2", "mallory")
	a.mustEnter("192.0.2.2", "mallory")
	last := a.mustEnter("192.0.2.3", "last")
	if s, err := a.enters("192.0.2.2", "expected", Expected); err != nil || s.Position() != 0 {
		t.Fatalf("the expected player: %v", err)
	}
	if last.Position() != 2 || a.Stats.Waiting.Load() != 2 {
		t.Errorf("the last of %d waiting sessions is number %d, want 2 of 2", a.Stats.Waiting.Load(), last.Position())
	}
}

// If a match protected all sessions of its player, ten keys with a match each could hold an address, and fifty times
// as many the server.
func TestAMatchProtectsOneSessionOfItsPlayer(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessionsPerAddress = 6 })
	var slots []*Slot
	for _, player := range []match.PlayerID{"one", "one", "one", "two", "two", "two"} {
		slots = append(slots, a.mustEnter("192.0.2.1", player))
	}
	a.engage(WithOthers, "one", "two", "alice", "bob", "carol", "dan")
	slots[1].typedAt.Store(1) // one plays there
	for _, player := range []match.PlayerID{"alice", "bob", "carol", "dan"} {
		a.mustEnter("192.0.2.1", player)
	}
	a.refuses(ErrAddressFull, "192.0.2.1", "erin", Ordinary)
	for i, stays := range [...]bool{false, true, false, true, false, false} {
		if slots[i].evicted == stays {
			t.Errorf("session %d of %s gave way: %v", i+1, slots[i].player, slots[i].evicted)
		}
	}
}

// In a trial, four networks of slow matches against the computer kept a full server full for good.
func TestAMatchAgainstTheComputerHoldsNoMoreThanTheShareOfItsNetwork(t *testing.T) {
	const full = 4 * fewSessions
	for name, test := range map[string]struct {
		crowds int // networks that fill the server
		as     Engagement
		enters bool // whether the newcomer does, within two minutes
	}{
		"two networks that play the computer": {2, Alone, true},
		"two networks that play others":       {2, WithOthers, false},
		"many small networks":                 {full, Alone, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions = full })
			defer a.Close()
			for i := range full {
				player := match.PlayerID(fmt.Sprint("busy", i))
				a.engage(test.as, player)
				a.mustEnter(fmt.Sprintf("2001:db8:%x:%x::1", i%test.crowds, i), player)
			}
			<-time.After(2 * giveWayAfter)
			a.engage(Alone, "same", "new")
			same := a.mustEnter("2001:db8:0:ffff::1", "same") // of a network with more than its share
			newcomer := a.mustEnter("192.0.2.1", "new")
			<-time.After(giveWayAfter + 2*refreshDelay)
			if got := newcomer.Position() == 0; got != test.enters || same.Position() == 0 {
				t.Errorf("%s: the newcomer is number %d, one more of the first network %d", name, newcomer.Position(),
					same.Position())
			}
		})
	}
}

// Otherwise one address takes all places, and newcomers from elsewhere are refused.
func TestALineIsSharedAmongNetworks(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 1, 10 })
	a.plays = nil
	a.mustEnter("192.0.2.1", "inside")
	for i := range 10 {
		a.mustEnter("192.0.2.66", match.PlayerID(fmt.Sprint("flood", i)))
	}
	for i := range 6 {
		a.mustEnter(fmt.Sprint("198.51.100.", i), match.PlayerID(fmt.Sprint("guest", i))).wantPosition(t, 10)
	}
	a.wantGone("[flood9 flood8 flood7 flood6 flood5 flood4]")
	for _, address := range []string{"198.51.100.9", "192.0.2.66"} { // no network has more than fewWaiting
		a.refuses(ErrServerFull, address, "late", Ordinary)
	}
	if got := len(a.waitQueue); got != 10 {
		t.Errorf("%d wait", got)
	}
}

// If each /64 of a /48 counted on its own, no network would have more than one place.
func TestALineIsSharedAmongLargeNetworks(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 1, 100 })
	a.plays = nil
	a.mustEnter("192.0.2.1", "inside")
	for i := range 100 {
		a.mustEnter(fmt.Sprintf("2001:db8:0:%x::1", i<<8), match.PlayerID(fmt.Sprint("flood", i)))
	}
	a.mustEnter("2001:db8:1::1", "alice")
	a.refuses(ErrServerFull, "2001:db8:0:7777::1", "flood", Ordinary)
	a.wantGone("[flood99]")
}
