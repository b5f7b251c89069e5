package sshapp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"notakto/rules"
)

// screenFrontEnd is a player at the full screen.
type screenFrontEnd struct {
	*seat
	*person
}

func (d *screenFrontEnd) opens(command string) {
	d.person = newPersonAt(d.testServer.t, d.dial(d.name, newKey(d.testServer.t, d.key)), command)
}

func (d *screenFrontEnd) invites() string {
	d.opens("play --private --boards 2")
	var code string
	d.waits("a code", func() bool {
		code = codeOn(d.terminal.String())
		return code != ""
	})
	return code
}

// codeOn is the code of a private table on a screen; empty if there is none.
func codeOn(screen string) string {
	found := regexp.MustCompile(`\bjoin ([A-Z0-9]{4})\b`).FindStringSubmatch(screen)
	if found == nil {
		return ""
	}
	return found[1]
}

func (d *screenFrontEnd) joins(code string) { d.opens("join " + code) }

func (d *screenFrontEnd) begins() rules.Side {
	d.waits("the match to begin", func() bool {
		screen := d.terminal.String()
		switch {
		case !strings.Contains(screen, d.name+" (you)"):
			return false
		case strings.Contains(screen, "Your turn"):
			d.side = rules.First
		case strings.Contains(screen, d.other+"'s turn"):
			d.side = rules.Second
		}
		return d.side != rules.Nobody
	})
	return d.side
}

func (d *screenFrontEnd) plays(move string) { d.press(move) }

// sees waits for the move in the strip below the boards, the name over a board that has died, and that it is the
// player's turn or is so no longer: whose it is then is said only when it lasts. When the match is over the strip is
// gone: ends looks at the last move.
func (d *screenFrontEnd) sees(m turn) {
	var texts []string
	if board := int(m.move.Board); m.after.Dead(board) {
		texts = append(texts, rules.BoardName(board)+" dead")
	}
	if m.next() == rules.Nobody {
		d.person.sees(texts...)
		return
	}
	d.person.sees(append(texts, m.move.String())...)
	mine := m.next() == d.side
	d.waits(fmt.Sprintf("the turn to be %s's own: %v", d.name, mine), func() bool {
		return strings.Contains(d.terminal.String(), "Your turn") == mine
	})
}

// ends looks at the result, and then at the last moves in the review, from the end.
func (d *screenFrontEnd) ends(match []turn) {
	last := match[len(match)-1]
	headline, because := "You won", d.other+" killed the last board."
	if last.winner() != d.side {
		headline, because = "You lost", "You killed the last board."
	}
	d.person.sees(because)
	d.waits("what perfect play says", func() bool {
		screen := d.terminal.String()
		return strings.Contains(screen, "would have won") || strings.Contains(screen, "Perfect play agrees")
	})
	d.press("v")
	d.person.sees("Review: ", strings.Replace(headline, "You", ", you", 1))
	for _, m := range slices.Backward(match[max(0, len(match)-5):]) {
		d.person.sees(fmt.Sprintf("\n  %d %s  ", m.ply, m.move))
		d.press("k")
	}
}
