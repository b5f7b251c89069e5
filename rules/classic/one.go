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

// one is a game of [One].
type one struct {
	*dialogue
	position rules.Position
	last     int        // the number of the cell marked last, 0 before the first move
	computer rules.Side // [rules.Nobody] when two persons play
	strong   bool       // whether the computer is [Strong], else [Random]
	rng      *rand.Rand
}

// playOne plays games as long as the player asks for another.
func (d *dialogue) playOne(options Options) error {
	rng := options.Rand
	if rng == nil {
		rng = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	// leading matches the number that a line begins with, as C's scanf reads a decimal one: 1ASD, 2.000, +1 and 1e0 begin
	// with a number, and 1ex begins with 1. Unlike scanf, it matches no hexadecimal number, infinity or NaN.
	leading := regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
	// number waits for a line that begins with a whole number in range.
	number := func(low, high int) (int, error) {
		for {
			line, err := d.reply()
			if err != nil {
				return 0, err
			}
			number, err := strconv.ParseFloat(leading.FindString(line), 64)
			if err == nil && float64(low) <= number && number <= float64(high) && number == math.Trunc(number) {
				return int(number), nil
			}
			d.say(invalidInput)
		}
	}
	for {
		o := one{dialogue: d, rng: rng}
		if err := o.arrange(number, options.Computer); err != nil {
			return err
		}
		o.say("Starting...")
		o.show()
		for !o.position.Outcome().Over() {
			if err := o.turn(number); err != nil {
				return err
			}
			o.show()
		}
		switch winner := o.position.Outcome().Winner; winner {
		case rules.Nobody:
			o.say("Draw game!")
		case o.computer:
			o.say("Computer wins!")
		default:
			o.sayf("Player %d wins!", winner)
		}
		o.say("Again?(1:Yes, 0:No)")
		answer, err := number(0, 1)
		if errors.Is(err, ErrInputEnded) { // means no, as a game is over
			return nil
		}
		if err != nil || answer == 0 {
			return err
		}
	}
}

const invalidInput = "Invalid input, please enter again."

// arrange asks for the game and its players.
func (o *one) arrange(number func(low, high int) (int, error), computer Computer) error {
	o.say("Please select gamemode (1:tic-tac-toe 2:notakto)")
	mode, err := number(1, 2)
	if err != nil {
		return err
	}
	o.say("How many people are playing? (1 or 2)")
	people, err := number(1, 2)
	if err != nil {
		return err
	}
	if people == 1 {
		o.say("Which player will the computer be? (1 or 2)")
		side, err := number(1, 2)
		if err != nil {
			return err
		}
		o.computer, o.strong = rules.Side(side), computer == Strong
		if computer == Drawn {
			o.strong = o.rng.IntN(2) == 1
		}
	}
	variant := rules.TicTacToe()
	if mode == 2 {
		if variant, err = rules.Notakto(1); err != nil {
			return err
		}
	}
	o.position = variant.Start()
	return nil
}

// turn plays the move of the computer, or asks a person for one. The cells are numbered 1 to 9 from the top left.
func (o *one) turn(number func(low, high int) (int, error)) error {
	numbered := func(number int) rules.Cell { return fromTopLeft(number - 1) }
	var chosen int
	if o.position.Turn() == o.computer {
		level, last := strategy.Random, rules.Move{}
		if o.strong {
			level = strategy.Center
		}
		if o.last > 0 {
			last.Cell = numbered(o.last)
		}
		row, column := rules.TicTacToe().Place(level.ChooseAfter(last, o.position, o.rng).Cell)
		chosen = row*3 + column + 1
		o.sayf("Computer placed the mark: %d.", chosen)
	} else {
		o.sayf("Player %d, please place your mark.", o.position.Turn())
		for {
			var err error
			if chosen, err = number(1, 9); err != nil {
				return err
			}
			if o.position.At(0, numbered(chosen)) == rules.Empty {
				break
			}
			o.say(invalidInput)
		}
	}
	next, err := o.position.Play(rules.Move{Cell: numbered(chosen)})
	o.position, o.last = next, chosen
	return err
}

func (o *one) show() {
	o.say("=====")
	for row := range 3 {
		o.say("|" + strings.Join(rowFaces(o.position, 0, row, 1), "|") + "|")
	}
	o.say("=====")
}
