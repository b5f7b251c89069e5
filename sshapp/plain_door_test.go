package sshapp

import (
	"fmt"
	"regexp"
	"strings"

	"notakto/rules"
)

// plainDoor is a player who hears the match line by line, without a terminal.
type plainDoor struct {
	*seat
	*talk
	last string // line about a board
}

func (d *plainDoor) opens(command string) {
	d.talk = newTalk(d.house.t, d.dial(d.name, newKey(d.house.t, d.key)), command)
}

// hearsOf waits for a line that matches, and returns its groups.
func (d *plainDoor) hearsOf(pattern string) []string {
	d.house.t.Helper()
	sought := regexp.MustCompile(pattern)
	for {
		if found := sought.FindStringSubmatch(d.hears()); found != nil {
			return found
		}
	}
}

func (d *plainDoor) invites() string {
	d.opens("play --private --boards 2")
	return d.hearsOf(` types join ([A-Z0-9]{4}),`)[1]
}

func (d *plainDoor) joins(code string) { d.opens("join " + code) }

func (d *plainDoor) begins() rules.Side {
	d.hearsOf(`^` + d.other + ` sits down\.|^2 boards, against ` + d.other + `\.`)
	d.types("turn")
	d.side = rules.Second
	if d.hearsOf(`^(Your|` + d.other + `'s) turn\.$`)[1] == "Your" {
		d.side = rules.First
	}
	return d.side
}

func (d *plainDoor) plays(move string) { d.types(move) }

// sees takes the next line about a board, which has to be this move's.
func (d *plainDoor) sees(m turn) {
	d.house.t.Helper()
	d.last = d.hearsOf(`^Board .*`)[0]
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
		d.house.t.Fatalf("%s hears %q, want %q", d.name, d.last, want)
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

func (d *plainDoor) who(side rules.Side) string {
	if side == d.side {
		return "you"
	}
	return d.other
}

// ends looks at the line of the last move, and asks for all moves.
func (d *plainDoor) ends(match []turn) {
	d.house.t.Helper()
	want := d.other + " killed the last board. You won. Type rematch, review or leave."
	if match[len(match)-1].winner() != d.side {
		want = "You killed the last board. You lost. Type rematch, review or leave."
	}
	if !strings.HasSuffix(d.last, want) {
		d.house.t.Errorf("%s hears %q, want %q at its end", d.name, d.last, want)
	}
	told := make([]string, len(match))
	for i, m := range match {
		told[i] = fmt.Sprintf("%d, %v by %s", m.ply, m.move, d.who(m.side))
	}
	d.types("moves")
	if heard := d.hearsOf(`^1, .*`)[0]; heard != strings.Join(told, "; ")+"." {
		d.house.t.Errorf("%s hears that %s; want %v", d.name, heard, told)
	}
}
