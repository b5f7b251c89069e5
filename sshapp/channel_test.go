package sshapp

import "testing"

func TestTheOldestNoticeGivesWay(t *testing.T) {
	c := &channel{inbox: newInbox()}
	shown := 0
	c.inbox.onNotice(func() { shown++ })
	for _, text := range []string{"1", "2", "3", "4", "5", "6"} {
		c.inbox.notify(text)
	}
	if first := <-c.inbox.notices; first != "3" || shown != 6 || len(c.inbox.notices) != 3 {
		t.Errorf("the first is %s, reported %d times", first, shown)
	}
}
