package sshapp

import (
	"errors"
	"net"
	"testing"

	"notakto/match"
)

func playsAlways(match.PlayerID) bool { return true }

func TestAdmissionKeepsItsLimits(t *testing.T) {
	settings := DefaultSettings()
	settings.MaxSessions, settings.MaxWaiting, settings.MaxSessionsPerAddress, settings.MaxSessionsPerKey = 4, 1, 3, 2
	c := newAdmission(settings, new(SourceTracker), playsAlways)
	enter := func(address string, player match.PlayerID) (*slot, error) {
		return c.enter(addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}), player, false, func(error) {})
	}
	must := func(v *slot, err error) *slot {
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
	refused(errAddressFull, "2001:db8::4", "d") // the same /64
	must(enter("2001:db8:0:1::1", "a"))
	refused(errPlayerFull, "192.0.2.1", "a")
	next := must(enter("192.0.2.1", "d"))
	refused(errServerFull, "192.0.2.1", "e")
	if place := next.position(); place != 1 {
		t.Errorf("the first in line is number %d", place)
	}
	first.leave()
	if place := next.position(); place != 0 {
		t.Errorf("the first in line was not let in: number %d", place)
	}
	next.leave()
	must(enter("192.0.2.1", "a"))
	c.close()
	refused(errServerStopped, "192.0.2.2", "e")
}

func TestAdmissionReportsAnEmptyServer(t *testing.T) {
	c := newAdmission(DefaultSettings(), new(SourceTracker), playsAlways)
	slot, err := c.enter(addressOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), "a", false, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	emptied := c.close()
	select {
	case <-emptied:
		t.Fatal("the house is said to be empty with a session in it")
	default:
	}
	slot.leave()
	<-emptied
	<-newAdmission(DefaultSettings(), new(SourceTracker), playsAlways).close()
}
