package sshapp

import (
	"errors"
	"net"
	"testing"

	"notakto/match"
)

func TestCensusKeepsItsLimits(t *testing.T) {
	settings := DefaultSettings()
	settings.MaxSessions, settings.MaxSessionsPerAddress, settings.MaxSessionsPerKey = 4, 3, 2
	c := newCensus(settings)
	enter := func(address string, player match.PlayerID) (func(), error) {
		return c.enter(addressOf(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}), player)
	}
	must := func(leave func(), err error) func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	refused := func(want error, address string, player match.PlayerID) {
		t.Helper()
		if _, err := enter(address, player); !errors.Is(err, want) {
			t.Fatalf("got %v, want %v", err, want)
		}
	}
	first := must(enter("2001:db8::1", "a"))
	must(enter("2001:db8::2", "a"))
	refused(errPlayerFull, "192.0.2.1", "a")
	must(enter("2001:db8::3", "b"))
	refused(errAddressFull, "2001:db8::4", "c") // the same /64
	must(enter("2001:db8:0:1::1", "c"))
	refused(errHouseFull, "192.0.2.1", "d")
	first()
	must(enter("192.0.2.1", "a"))
	c.close()
	refused(errServerStopped, "192.0.2.2", "e")
}

func TestCensusSaysWhenTheHouseIsEmpty(t *testing.T) {
	c := newCensus(DefaultSettings())
	leave, err := c.enter(addressOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}), "a")
	if err != nil {
		t.Fatal(err)
	}
	emptied := c.close()
	select {
	case <-emptied:
		t.Fatal("the house is said to be empty with a session in it")
	default:
	}
	leave()
	<-emptied
	<-newCensus(DefaultSettings()).close()
}
