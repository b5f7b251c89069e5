package classic

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
)

// one is a run of [One]: as many games as are wanted.
type one struct {
	*dialogue
	leading  *regexp.Regexp
	computer Computer
	rng      *rand.Rand
}

func (d *dialogue) playOne(options Options) error {
	o := one{dialogue: d, leading: leadingNumber(), computer: options.Computer, rng: options.chance()}
	for {
		if err := o.game(); err != nil {
			return err
		}
		if again, err := o.again(); err != nil || !again {
			return err
		}
	}
}

// again asks for another game. The previous game is over, so the end of the input is not an error here: it means no.
func (o *one) again() (bool, error) {
	o.say("Again?(1:Yes, 0:No)")
	answer, err := o.number(0, 1)
	if errors.Is(err, ErrInputEnded) {
		return false, nil
	}
	return answer == 1, err
}

// game asks for the game and its players, and plays it.
func (o *one) game() error {
	g, err := o.arrange()
	if err != nil {
		return err
	}
	o.say("Starting...")
	g.show()
	for !g.position.Outcome().Over() {
		if err := g.turn(); err != nil {
			return err
		}
		g.show()
	}
	g.announce()
	return nil
}

// arrange asks the questions before a game.
func (o *one) arrange() (*oneGame, error) {
	o.say("Please select gamemode (1:tic-tac-toe 2:notakto)")
	mode, err := o.number(1, 2)
	if err != nil {
		return nil, err
	}
	o.say("How many people are playing? (1 or 2)")
	people, err := o.number(1, 2)
	if err != nil {
		return nil, err
	}
	g := &oneGame{one: o}
	if people == 1 {
		o.say("Which player will the computer be? (1 or 2)")
		side, err := o.number(1, 2)
		if err != nil {
			return nil, err
		}
		g.computer, g.strong = rules.Side(side), o.drawStrong()
	}
	g.position, err = startOne(mode)
	return g, err
}

func startOne(mode int) (rules.Position, error) {
	if mode == 1 {
		return rules.TicTacToe().Start(), nil
	}
	variant, err := rules.Notakto(1)
	return variant.Start(), err
}

// drawStrong draws the computer of a game; a computer that was requested needs no draw.
func (o *one) drawStrong() bool {
	if o.computer == Drawn {
		return o.rng.IntN(2) == 1
	}
	return o.computer == Strong
}

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

// numbered is the cell with a number of [One]: 1 to 9 from the top left.
func numbered(number int) rules.Cell { return fromTopLeft(number - 1) }

// numberOf is the number of a cell in [One].
func numberOf(c rules.Cell) int {
	row, column := rules.TicTacToe().Place(c)
	return row*3 + column + 1
}

// choose is the number of the cell that the computer marks. The strong one is the level that was named after what it
// does first.
func (g *oneGame) choose() int {
	level, last := strategy.Random, rules.Move{}
	if g.strong {
		level = strategy.Center
	}
	if g.last > 0 {
		last.Cell = numbered(g.last)
	}
	return numberOf(level.ChooseAfter(last, g.position, g.rng).Cell)
}

const invalidInput = "Invalid input, please enter again."

// leadingNumber matches the number that a line begins with, as C's scanf reads a decimal one: 1ASD, 2.000, +1 and 1e0
// begin with a number and 1ex with 1. Unlike scanf it knows no hexadecimal numbers, no infinity and no NaN.
func leadingNumber() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
}

// number waits for a line that begins with a whole number in range.
func (o *one) number(low, high int) (int, error) {
	for {
		line, err := o.reply()
		if err != nil {
			return 0, err
		}
		number, err := strconv.ParseFloat(o.leading.FindString(line), 64)
		if err == nil && float64(low) <= number && number <= float64(high) && number == math.Trunc(number) {
			return int(number), nil
		}
		o.say(invalidInput)
	}
}
