package limit

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"notakto/match"
)

func playsAlways(match.PlayerID) Engagement { return WithOthers }

func TestAdmissionKeepsItsLimits(t *testing.T) {
	settings := DefaultSettings()
	settings.MaxSessions, settings.MaxWaiting, settings.MaxSessionsPerAddress, settings.MaxSessionsPerKey = 4, 1, 3, 2
	c := NewAdmission(settings, new(SourceTracker), playsAlways)
	enter := func(address string, player match.PlayerID) (*Slot, error) {
		return c.Enter(SourceAddress(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}), player, Ordinary, func(error) {})
	}
	must := func(s *Slot, err error) *Slot {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	refused := func(want error, address string, player match.PlayerID) {
		t.Helper()
		if _, err := enter(address, player); !errors.Is(err, want) {
			t.Fatalf("got %v, want %v", err, want)
		}
	}
	first := must(enter("2001:db8::1", "a"))
	must(enter("2001:db8::2", "b"))
	must(enter("2001:db8::3", "c"))
	refused(ErrAddressFull, "2001:db8::4", "d") // of one /64
	must(enter("2001:db8:0:1::1", "a"))
	refused(ErrPlayerFull, "192.0.2.1", "a")
	next := must(enter("192.0.2.1", "d"))
	refused(ErrServerFull, "192.0.2.1", "e")
	if place := next.Position(); place != 1 {
		t.Errorf("the first in line is number %d", place)
	}
	first.Leave()
	if place := next.Position(); place != 0 {
		t.Errorf("the first in line was not let in: number %d", place)
	}
	next.Leave()
	must(enter("192.0.2.1", "a"))
	c.Close()
	refused(ErrServerStopped, "192.0.2.2", "e")
}

func TestAdmissionReportsAnEmptyServer(t *testing.T) {
	c := NewAdmission(DefaultSettings(), new(SourceTracker), playsAlways)
	slot, err := c.Enter(SourceAddress(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), "a", Ordinary, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	emptied := c.Close()
	select {
	case <-emptied:
		t.Fatal("the server is said to be empty with a session in it")
	default:
	}
	slot.Leave()
	<-emptied
	<-NewAdmission(DefaultSettings(), new(SourceTracker), playsAlways).Close()
}

func TestAPausedServerLetsInExpectedPlayers(t *testing.T) {
	c := NewAdmission(DefaultSettings(), new(SourceTracker), func(match.PlayerID) Engagement { return NotPlaying })
	c.SetPaused(true)
	at := netip.MustParsePrefix("192.0.2.1/32")
	for priority, want := range map[Priority]error{
		Ordinary: ErrServerDraining, Expected: nil, Moderating: nil, Reserved: nil, Unlimited: nil,
	} {
		if _, err := c.Enter(at, match.PlayerID(rune('a'+priority)), priority, func(error) {}); !errors.Is(err, want) {
			t.Errorf("%d: %v", priority, err)
		}
	}
	c.SetPaused(false)
	if _, err := c.Enter(at, "z", Ordinary, func(error) {}); err != nil {
		t.Error(err)
	}
}

// Moderators must not use up the sessions reserved for administrators, or fill the server with sessions of one key.
func TestAModeratorLeavesRoomForOthers(t *testing.T) {
	settings := DefaultSettings()
	settings.MaxSessions, settings.MaxSessionsPerKey, settings.MaxWaiting = 1, 3, 100
	c := NewAdmission(settings, new(SourceTracker), playsAlways)
	at := netip.MustParsePrefix("192.0.2.1/32")
	inside := func(player match.PlayerID, priority Priority) bool {
		t.Helper()
		slot, err := c.Enter(at, player, priority, func(error) {})
		if err != nil {
			t.Fatal(err)
		}
		return slot.Position() == 0
	}
	for i, want := range []bool{true, true, false, false, false} {
		if got := inside("moderator", Moderating); got != want {
			t.Errorf("session %d of the moderator is inside: %v", i+1, got)
		}
	}
	if _, err := c.Enter(at, "moderator", Moderating, func(error) {}); !errors.Is(err, ErrPlayerFull) {
		t.Errorf("one more than the player may have: %v", err)
	}
	for i, want := range []bool{true, true, false} {
		if got := inside("administrator", Reserved); got != want {
			t.Errorf("session %d of the administrator is inside: %v", i+1, got)
		}
	}
}

// admissionTest records the sessions that give way. plays holds the players with a match.
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
	a.Admission = NewAdmission(settings, new(SourceTracker), func(p match.PlayerID) Engagement { return a.plays[p] })
	return a
}

func (a *admissionTest) enters(address string, player match.PlayerID) (*Slot, error) {
	from := SourceAddress(&net.TCPAddr{IP: net.ParseIP(address), Port: 1})
	return a.Enter(from, player, Ordinary, func(error) { a.gaveWay = append(a.gaveWay, player) })
}

func (a *admissionTest) play(is bool, players ...match.PlayerID) {
	if is {
		a.engage(WithOthers, players...)
	} else {
		a.engage(NotPlaying, players...)
	}
}

func (a *admissionTest) engage(as Engagement, players ...match.PlayerID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range players {
		a.plays[p] = as
	}
}

func (a *admissionTest) gone() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return fmt.Sprint(a.gaveWay)
}

func (a *admissionTest) mustEnter(address string, player match.PlayerID) *Slot {
	a.t.Helper()
	s, err := a.enters(address, player)
	if err != nil {
		a.t.Fatalf("%s: %v", player, err)
	}
	return s
}

// Otherwise 100 silent bots lock out their neighbour.
func TestANewSessionReplacesAnIdleOneOfTheAddress(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessionsPerAddress = 4 })
	for _, player := range []match.PlayerID{"one", "two", "two", "two"} {
		a.mustEnter("192.0.2.1", player)
	}
	elsewhere := a.mustEnter("198.51.100.1", "elsewhere")
	alice := a.mustEnter("192.0.2.1", "alice")
	if alice.Position() != 0 || a.gone() != "[two]" {
		t.Fatalf("alice is number %d, %s gave way", alice.Position(), a.gone())
	}
	if _, err := a.enters("192.0.2.1", "alice"); err != nil || a.gone() != "[two two]" { // two still has two sessions
		t.Errorf("%v, %s gave way", err, a.gone())
	}
	if _, err := a.enters("192.0.2.1", "alice"); !errors.Is(err, ErrAddressFull) {
		t.Errorf("a third session of alice: %v", err)
	}
	a.play(true, "one", "two", "alice", "bob")
	a.mustEnter("192.0.2.1", "bob") // in the place of alice's other session
	if _, err := a.enters("192.0.2.1", "carol"); !errors.Is(err, ErrAddressFull) {
		t.Errorf("while all play: %v", err)
	}
	elsewhere.Leave()
	alice.Leave()
	if got := a.count(); got != 3+3 { // and three that gave way and have not ended yet
		t.Errorf("%d sessions are left", got)
	}
}

// In a trial, 52 addresses of a /48 filled the server in ten seconds, and kept it full with a ping each per half
// hour.
func TestSessionsOfANetworkAreLimited(t *testing.T) {
	for network, want := range map[string]int{"2001:db8:0:%x::1": 4 * 100, "2001:db8:0:%x00::1": 16 * 100} {
		a := newAdmissionTest(t, func(*Settings) {})
		a.playing = playsAlways
		came := 0
		for i := range want + 100 {
			if _, err := a.enters(fmt.Sprintf(network, i%52), match.PlayerID(fmt.Sprint(i))); err == nil {
				came++
			} else if !errors.Is(err, ErrAddressFull) {
				t.Fatal(err)
			}
		}
		if came != want {
			t.Errorf("%s: %d sessions came in, want %d", network, came, want)
		}
		a.mustEnter("2001:db8:1::1", "neighbour")
	}
}

func TestAFullServerEvictsForNewSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 3, 2 })
		a.play(true, "player", "late")
		for i, player := range []match.PlayerID{"player", "silent", "late"} {
			a.mustEnter(fmt.Sprint("192.0.2.", i), player)
		}
		<-time.After(giveWayAfter - time.Second)
		bob, carol := a.mustEnter("198.51.100.1", "bob"), a.mustEnter("198.51.100.2", "carol")
		if _, err := a.enters("198.51.100.3", "dan"); !errors.Is(err, ErrServerFull) || bob.Position() != 1 {
			t.Fatalf("dan: %v, bob is number %d", err, bob.Position())
		}
		a.play(false, "late")
		<-time.After(refreshDelay + time.Millisecond)
		if a.gone() != "[silent]" || bob.Position() != 0 || carol.Position() != 1 {
			t.Fatalf("%s gave way, bob is number %d", a.gaveWay, bob.Position())
		}
		<-time.After(giveWayAfter)
		if a.gone() != "[silent late]" || carol.Position() != 0 { // bob came after late's last match
			t.Fatalf("%s gave way, carol is number %d", a.gaveWay, carol.Position())
		}
		a.mustEnter("192.0.2.99", "late") // at once, because bob has been in for a minute
		if a.gone() != "[silent late bob]" {
			t.Fatalf("%s gave way", a.gone())
		}
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
	a.play(true, "alice")
	first := a.mustEnter("192.0.2.1", "alice")
	second := a.mustEnter("192.0.2.2", "alice")
	wantAddress("with two sessions", "192.0.2.2/32")
	if _, err := a.enters("192.0.2.3", "alice"); !errors.Is(err, ErrServerFull) {
		t.Fatal(err)
	}
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
	a.play(true, "inside")
	a.mustEnter("192.0.2.1", "inside")
	a.mustEnter("192.0.2.2", "mallory")
	a.mustEnter("192.0.2.2", "mallory")
	last := a.mustEnter("192.0.2.3", "last")
	at := netip.MustParsePrefix("192.0.2.2/32")
	if s, err := a.Enter(at, "expected", Expected, func(error) {}); err != nil || s.Position() != 0 {
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
	a.play(true, "one", "two", "alice", "bob", "carol", "dan")
	slots[1].typedAt.Store(1) // one plays there
	for _, player := range []match.PlayerID{"alice", "bob", "carol", "dan"} {
		a.mustEnter("192.0.2.1", player)
	}
	if _, err := a.enters("192.0.2.1", "erin"); !errors.Is(err, ErrAddressFull) {
		t.Errorf("while each session is that of a match: %v", err)
	}
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
	a.playing = playsAlways
	a.mustEnter("192.0.2.1", "inside")
	for i := range 10 {
		a.mustEnter("192.0.2.66", match.PlayerID(fmt.Sprint("flood", i)))
	}
	for i := range 6 {
		if s := a.mustEnter(fmt.Sprint("198.51.100.", i), match.PlayerID(fmt.Sprint("guest", i))); s.Position() != 10 {
			t.Errorf("guest %d is number %d", i, s.Position())
		}
	}
	if want := "[flood9 flood8 flood7 flood6 flood5 flood4]"; a.gone() != want {
		t.Errorf("%s gave way, want %s", a.gone(), want)
	}
	for _, address := range []string{"198.51.100.9", "192.0.2.66"} { // no network has more than fewWaiting
		if _, err := a.enters(address, "late"); !errors.Is(err, ErrServerFull) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if got := len(a.waitQueue); got != 10 {
		t.Errorf("%d wait", got)
	}
}

// If each /64 of a /48 counted on its own, no network would have more than one place.
func TestALineIsSharedAmongLargeNetworks(t *testing.T) {
	a := newAdmissionTest(t, func(s *Settings) { s.MaxSessions, s.MaxWaiting = 1, 100 })
	a.playing = playsAlways
	a.mustEnter("192.0.2.1", "inside")
	for i := range 100 {
		a.mustEnter(fmt.Sprintf("2001:db8:0:%x::1", i<<8), match.PlayerID(fmt.Sprint("flood", i)))
	}
	a.mustEnter("2001:db8:1::1", "alice")
	if _, err := a.enters("2001:db8:0:7777::1", "flood"); !errors.Is(err, ErrServerFull) {
		t.Errorf("one more from there: %v", err)
	}
	if want := "[flood99]"; a.gone() != want {
		t.Errorf("%s gave way, want %s", a.gone(), want)
	}
}
