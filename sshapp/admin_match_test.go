package sshapp

import (
	"encoding/json"
	"strings"
	"testing"

	"notakto/rules"
	"notakto/sshapp/admin"
)

// The players of a match that does not go on are told in every front end that the operator has ended it, and so is a
// spectator.
func TestTheOperatorEndsAMatchInEveryFrontEnd(t *testing.T) {
	h := startServer(t, withAdmins(t))
	bot := &botFrontEnd{seat: &seat{testServer: h, name: "alice", other: "bob", key: 1}}
	plain := &plainFrontEnd{seat: &seat{testServer: h, name: "bob", other: "alice", key: 2}}
	plain.joins(bot.invites())
	bot.begins()
	plain.begins()
	moderator, operator := newKey(t, moderatorKey), h.operator()
	list := func(flags string) (all []admin.Match) {
		t.Helper()
		out, complaint, status := h.as(moderator, "admin match list --json "+flags)
		if err := json.Unmarshal([]byte(out), &all); err != nil || status != 0 || complaint != "" {
			t.Fatalf("%d: %s%s: %v", status, out, complaint, err)
		}
		return all
	}
	eventually(t, "the match to be idle for a second", func() bool { return len(list("--idle 1s")) == 1 })
	if all := list("--idle 1h"); all == nil || len(all) != 0 {
		t.Errorf("idle for an hour: %+v", all)
	}
	m := list("")[0]
	if string(m.Match) != bot.match || !m.Private || m.State != "playing" || m.Turn != rules.First || m.Idle < 1 ||
		m.Plies != 0 || !m.Players[0].Here || m.Players[bot.side-1].Name != "alice" ||
		m.Players[bot.side-1].Account != h.player(1, "").ID {
		t.Errorf("the match is %+v", m)
	}
	spectator := newPersonAt(t, h.dial("cleo", newKey(t, 3)), "watch "+bot.match)
	spectator.sees("alice", "bob")
	eventually(t, "the spectator to be counted", func() bool { return list("")[0].Spectators == 1 })
	if out, _, _ := h.as(moderator, "admin match list"); !strings.Contains(out, " to move against ") ||
		!strings.HasPrefix(out, bot.match+"  notakto/2, playing, 0 moves, idle for ") {
		t.Errorf("in words: %s", out)
	}

	end := "admin match end " + bot.match + " --reason 'it was stuck' "
	if _, complaint, status := h.as(moderator, end); status != 1 || !strings.Contains(complaint, "for administrators") {
		t.Errorf("a moderator is answered with %d: %s", status, complaint)
	}
	if _, complaint, status := runOn(t, operator, end+"--winner 3"); status != 2 ||
		!strings.Contains(complaint, "1, 2, or 0") {
		t.Errorf("a third seat has won: %d %s", status, complaint)
	}
	out, complaint, status := runOn(t, operator, end+"--winner 1 --json")
	if status != 0 || out != `{"match":"`+bot.match+`","winner":1,"reason":"operator"}`+"\n" {
		t.Errorf("%d: %s%s", status, out, complaint)
	}
	if e := bot.next("end"); e.Winner != rules.First || e.Reason != "operator" {
		t.Errorf("the bot is told %+v", e)
	}
	plain.waitsFor(`Ended by the operator\.`)
	spectator.sees("Ended by the operator")
	if _, complaint, status := runOn(t, operator, end); status != 1 || !strings.Contains(complaint, "the match is over") {
		t.Errorf("again: %d %s", status, complaint)
	}
	if _, complaint, status := runOn(t, operator, "admin match end nosuchmatch"); status != 1 ||
		!strings.Contains(complaint, "no such match") {
		t.Errorf("of no match: %d %s", status, complaint)
	}
	out, _, _ = h.as(moderator, "admin match show "+bot.match)
	if !strings.Contains(out, ", finished, ") || !strings.Contains(out, "ended by operator, ") {
		t.Errorf("it is shown as %s", out)
	}
	recorded := `command="match end" object=` + bot.match + ` reason="it was stuck" status=ok`
	if book := h.log.String(); !strings.Contains(book, recorded) {
		t.Errorf("the log says\n%s", book)
	}
}
