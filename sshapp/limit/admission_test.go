package limit

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"notakto/match"
)

func playsAlways(match.PlayerID) bool { return true }

func TestAdmissionKeepsItsLimits(t *testing.T) {
	settings := DefaultSettings()
	settings.MaxSessions, settings.MaxWaiting, settings.MaxSessionsPerAddress, settings.MaxSessionsPerKey = 4, 1, 3, 2
	c := NewAdmission(settings, new(SourceTracker), playsAlways)
	enter := func(address string, player match.PlayerID) (*Slot, error) {
		return c.Enter(AddressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}), player, Waits, func(error) {})
	}
	must := func(v *Slot, err error) *Slot {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
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
	refused(ErrAddressFull, "2001:db8::4", "d") // the same /64
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
	slot, err := c.Enter(AddressOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), "a", Waits, func(error) {})
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

// While a server is about to stop, only players who are awaited at a match enter, and administrators.
func TestAPausedServerLetsInWhoIsAwaited(t *testing.T) {
	c := NewAdmission(DefaultSettings(), new(SourceTracker), func(match.PlayerID) bool { return false })
	c.SetPaused(true)
	at := netip.MustParsePrefix("192.0.2.1/32")
	for priority, want := range map[Priority]error{
		Waits: ErrServerDraining, Awaited: nil, Moderating: nil, Reserved: nil, Unlimited: nil,
	} {
		if _, err := c.Enter(at, match.PlayerID(rune('a'+priority)), priority, func(error) {}); !errors.Is(err, want) {
			t.Errorf("%d: %v", priority, err)
		}
	}
	c.SetPaused(false)
	if _, err := c.Enter(at, "z", Waits, func(error) {}); err != nil {
		t.Error(err)
	}
}

// A moderator could keep administrators out by taking what is reserved for them, and fill the server with sessions by
// one key.
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
