package sshapp

import (
	"encoding/json"
	"fmt"
	"reflect"

	"notakto/rules"
)

// botFrontEnd is a bot.
type botFrontEnd struct {
	*seat
	*talk
	match string // its ID
}

// botEvent is any event of the protocol that tells of a match.
type botEvent struct {
	Event    string
	Code     string
	Match    string
	Variant  string
	Message  string
	Seat     rules.Side
	Ply      int
	Move     string
	Died     *string
	Turn     rules.Side
	Moves    []string
	Position string
	Over     bool
	Winner   rules.Side
	Reason   string
}

func (d *botFrontEnd) opens(request string) {
	d.talk = newTalk(d.testServer.t, d.dial(d.name, newKey(d.testServer.t, d.key)), "bot")
	d.types(request)
}

// next waits for the next event of a kind. It is told of no error.
func (d *botFrontEnd) next(kind string) botEvent {
	d.testServer.t.Helper()
	for {
		line := d.expects()
		var e botEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			d.testServer.t.Fatalf("%s is told %q: %v", d.name, line, err)
		}
		switch e.Event {
		case kind:
			return e
		case "error", "match", "move", "end":
			d.testServer.t.Fatalf("%s is told %q, and waits for %q", d.name, line, kind)
		}
	}
}

func (d *botFrontEnd) invites() string {
	d.opens(`{"do":"create","variant":"notakto/2"}`)
	return d.next("table").Code
}

func (d *botFrontEnd) joins(code string) { d.opens(fmt.Sprintf(`{"do":"join","code":%q}`, code)) }

func (d *botFrontEnd) begins() rules.Side {
	e := d.next("match")
	d.match, d.side = e.Match, e.Seat
	return d.side
}

func (d *botFrontEnd) plays(move string) {
	d.types(fmt.Sprintf(`{"do":"move","match":%q,"move":%q}`, d.match, move))
}

// sees takes the next event, which has to be this move's.
func (d *botFrontEnd) sees(m turn) {
	d.testServer.t.Helper()
	want := botEvent{Event: "move", Match: d.match, Ply: m.ply, Seat: m.side, Move: m.move.String(), Turn: m.next()}
	if board := int(m.move.Board); m.after.Dead(board) {
		name := rules.BoardName(board)
		want.Died = &name
	}
	if e := d.next("move"); !reflect.DeepEqual(e, want) {
		d.testServer.t.Fatalf("%s is told %+v, want %+v", d.name, e, want)
	}
}

// ends takes the event of the end, and asks for the match once more.
func (d *botFrontEnd) ends(match []turn) {
	d.testServer.t.Helper()
	last := match[len(match)-1]
	want := botEvent{Event: "end", Match: d.match, Winner: last.winner(), Reason: "boards"}
	if e := d.next("end"); !reflect.DeepEqual(e, want) {
		d.testServer.t.Errorf("%s is told %+v, want %+v", d.name, e, want)
	}
	moves := make([]string, len(match))
	for i, m := range match {
		moves[i] = m.move.String()
	}
	d.types(fmt.Sprintf(`{"do":"state","match":%q}`, d.match))
	want = botEvent{
		Event: "match", Match: d.match, Variant: "notakto/2", Seat: d.side, Moves: moves, Position: last.after.String(),
		Over: true,
	}
	if e := d.next("match"); !reflect.DeepEqual(e, want) {
		d.testServer.t.Errorf("%s is told %+v, want %+v", d.name, e, want)
	}
}
