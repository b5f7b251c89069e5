package match_test

import (
	"testing"

	"notakto/match"
)

func TestMailboxesShareABell(t *testing.T) {
	bell := make(chan struct{}, 1)
	rang := func() bool {
		select {
		case <-bell:
			return true
		default:
			return false
		}
	}
	one, two := match.NewMailbox[int](), match.NewMailbox[int]()
	one.Put(1)
	one.Notify(bell)
	if !rang() {
		t.Error("it does not tell of a value from before")
	}
	one.Put(2)
	two.Notify(bell)
	two.Put(3)
	if !rang() || rang() {
		t.Error("it does not tell once of several values")
	}
	one.Put(4)
	if first, second := <-one.Values(), <-one.Values(); first != 2 || second != 4 {
		t.Errorf("the newest values are %d and %d", first, second)
	}
	two.Close()
	if !rang() {
		t.Error("it does not tell of the end")
	}
	if got := <-two.Values(); got != 3 {
		t.Errorf("the last value is %d", got)
	}
}
