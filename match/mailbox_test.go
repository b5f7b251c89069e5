package match_test

import (
	"testing"

	"notakto/match"
)

func TestMailboxesShareABell(t *testing.T) {
	rings := 0
	bell := func() { rings++ }
	rang := func(times int) bool {
		defer func() { rings = 0 }()
		return rings == times
	}
	one, two := match.NewMailbox[int](), match.NewMailbox[int]()
	one.Put(1)
	one.Notify(bell)
	if !rang(1) {
		t.Error("it does not tell of a value from before")
	}
	one.Put(2)
	two.Notify(bell)
	two.Put(3)
	if !rang(3) {
		t.Error("it does not tell of each value")
	}
	one.Put(4)
	if first, second := <-one.Values(), <-one.Values(); first != 2 || second != 4 {
		t.Errorf("the newest values are %d and %d", first, second)
	}
	two.Close()
	if !rang(2) {
		t.Error("it does not tell of the end")
	}
	if got := <-two.Values(); got != 3 {
		t.Errorf("the last value is %d", got)
	}
}
