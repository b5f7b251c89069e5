package sshapp

import (
	"fmt"
	"regexp"
	"strings"

	"notakto/rules"
)

// plainFrontEnd is a player who hears the match line by line, without a terminal.
type plainFrontEnd struct {
	*seat
	*talk
	last string // line about a board
}

func (d *plainFrontEnd) opens(command string) {
	d.talk = newTalk(d.testServer.t, d.dial(d.name, newKey(d.testServer.t, d.key)), command)
}

// waitsFor waits for a line that matches, and returns its groups.
func (d *plainFrontEnd) waitsFor(pattern string) []string {
	d.testServer.t.Helper()
	found := regexp.MustCompile(pattern)
	for {
		if found := found.FindStringSubmatch(d.expects()); found != nil {
			return found
		}
	}
}

func (d *plainFrontEnd) invites() string {
	d.opens("play --private --boards 2")
	return d.waitsFor(` types join ([A-Z0-9]{4})[.,]`)[1]
}

func (d *plainFrontEnd) joins(code string) { d.opens("join " + code) }

func (d *plainFrontEnd) begins() rules.Side {
	d.waitsFor(`^` + d.other + ` sits down\.|^2 boards, against ` + d.other + `\.`)
	d.types("turn")
	d.side = rules.Second
	if d.waitsFor(`^(Your|` + d.other + `'s) turn\.$`)[1] == "Your" {
		d.side = rules.First
	}
	return d.side
}

func (d *plainFrontEnd) plays(move string) { d.types(move) }

// sees takes the next line about a board, which has to be this move's.
func (d *plainFrontEnd) sees(m turn) {
	d.testServer.t.Helper()
	d.last = d.waitsFor(`^Board .*`)[0]
	want := fmt.Sprintf("Board %s: %s at %v.", rules.BoardName(int(m.move.Board)), d.who(m.side), m.move.Cell)
	if m.after.Dead(int(m.move.Board)) {
		want += " Board " + rules.BoardName(int(m.move.Board)) + " is dead. " + left(m.after)
	}
	switch m.next() {
	case rules.Nobody:
	case d.side:
		want += " Your turn."
	default:
		want += " " + d.other + "'s turn."
	}
	if !strings.HasPrefix(d.last, want) {
		d.testServer.t.Fatalf("%s hears %q, want %q", d.name, d.last, want)
	}
}

// left is which of two boards are alive after one has died.
func left(p rules.Position) string {
	switch {
	case !p.Dead(0):
		return "Board left: A."
	case !p.Dead(1):
		return "Board left: B."
	default:
		return "No board is left."
	}
}

func (d *plainFrontEnd) who(side rules.Side) string {
	if side == d.side {
		return "you"
	}
	return d.other
}

// ends looks at the line of the last move, and asks for all moves.
func (d *plainFrontEnd) ends(match []turn) {
	d.testServer.t.Helper()
	want := d.other + " killed the last board. You won. Type rematch, review or leave."
	if match[len(match)-1].winner() != d.side {
		want = "You killed the last board. You lost. Type rematch, review or leave."
	}
	if !strings.HasSuffix(d.last, want) {
		d.testServer.t.Errorf("%s hears %q, want %q at its end", d.name, d.last, want)
	}
	shown := make([]string, len(match))
	for i, m := range match {
		shown[i] = fmt.Sprintf("%d, %v by %s", m.ply, m.move, d.who(m.side))
	}
	d.types("moves")
	if received := d.waitsFor(`^1, .*`)[0]; received != strings.Join(shown, "; ")+"." {
		d.testServer.t.Errorf("%s hears that %s; want %v", d.name, received, shown)
	}
}
