package classic

import (
	"strings"

	"notakto/rules"
)

// oneGame is one game of [One].
type oneGame struct {
	*one
	position rules.Position
	last     int        // the number of the cell marked last, 0 before the first
	computer rules.Side // [rules.Nobody] when two persons play
	strong   bool       // which computer it is
}

func (g *oneGame) turn() error {
	number := 0
	if g.position.Turn() == g.computer {
		number = g.choose()
		g.sayf("Computer placed the mark: %d.", number)
	} else {
		var err error
		if number, err = g.ask(); err != nil {
			return err
		}
	}
	next, err := g.position.Play(rules.Move{Cell: numbered(number)})
	g.position, g.last = next, number
	return err
}

// ask reads the number of a free cell.
func (g *oneGame) ask() (int, error) {
	g.sayf("Player %d, please place your mark.", g.position.Turn())
	for {
		number, err := g.number(1, 9)
		if err != nil || g.position.At(0, numbered(number)) == rules.Empty {
			return number, err
		}
		g.say(invalidInput)
	}
}

func (g *oneGame) show() {
	g.say("=====")
	for row := range 3 {
		g.say("|" + strings.Join(rowFaces(g.position, 0, row, 1), "|") + "|")
	}
	g.say("=====")
}

func (g *oneGame) announce() {
	switch winner := g.position.Outcome().Winner; winner {
	case rules.Nobody:
		g.say("Draw game!")
	case g.computer:
		g.say("Computer wins!")
	default:
		g.sayf("Player %d wins!", winner)
	}
}
