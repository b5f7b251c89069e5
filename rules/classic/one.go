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

type one struct {
	*dialogue
	position   rules.Position
	lastNumber int        // of the cell marked last, 0 before the first move
	computer   rules.Side // zero if two people play
	isStrong   bool       // whether the computer is [Strong], else [Random]
	rng        *rand.Rand
}

func (d *dialogue) playOne(options Options) error {
	rng := options.Rand
	if rng == nil {
		rng = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	// leadingNumber matches the number at the start of a line, as C's scanf reads a decimal one. Examples are the 1 of
	// 1ASD and 1ex, 2.000, +1 and 1e0. Unlike scanf, leadingNumber matches no hexadecimal number, infinity or NaN.
	leadingNumber := regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)
	askNumber := func(low, high int) (int, error) {
		for {
			line, err := d.readLine()
			if err != nil {
				return 0, err
			}
			value, err := strconv.ParseFloat(leadingNumber.FindString(line), 64)
			if err == nil && float64(low) <= value && value <= float64(high) && value == math.Trunc(value) {
				return int(value), nil
			}
			d.say(invalidInput)
		}
	}
	for {
		o := one{dialogue: d, rng: rng}
		if err := o.askGame(askNumber, options.Computer); err != nil {
			return err
		}
		o.say("Starting...")
		o.show()
		for !o.position.Outcome().IsOver() {
			if err := o.playTurn(askNumber); err != nil {
				return err
			}
			o.show()
		}
		switch winner := o.position.Outcome().Winner; winner {
		case rules.NoSide:
			o.say("Draw game!")
		case o.computer:
			o.say("Computer wins!")
		default:
			o.sayf("Player %d wins!", winner)
		}
		o.say("Again?(1:Yes, 0:No)")
		answer, err := askNumber(0, 1)
		if errors.Is(err, ErrInputEnded) { // means no, because a game is over
			return nil
		}
		if err != nil || answer == 0 {
			return err
		}
	}
}

const invalidInput = "Invalid input, please enter again."

func (o *one) askGame(askNumber func(low, high int) (int, error), computer Computer) error {
	o.say("Please select gamemode (1:tic-tac-toe 2:notakto)")
	mode, err := askNumber(1, 2)
	if err != nil {
		return err
	}
	o.say("How many people are playing? (1 or 2)")
	people, err := askNumber(1, 2)
	if err != nil {
		return err
	}
	if people == 1 {
		o.say("Which player will the computer be? (1 or 2)")
		side, err := askNumber(1, 2)
		if err != nil {
			return err
		}
		o.computer, o.isStrong = rules.Side(side), computer == Strong
		if computer == Drawn {
			o.isStrong = o.rng.IntN(2) == 1
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

// playTurn plays the move of the computer, or asks a person for one. The cells are numbered 1 to 9 from the top left.
func (o *one) playTurn(askNumber func(low, high int) (int, error)) error {
	numbered := func(number int) rules.Cell { return fromTopLeft(number - 1) }
	var chosen int
	if o.position.Turn() == o.computer {
		level, last := strategy.Random, rules.Move{}
		if o.isStrong {
			level = strategy.Center
		}
		if o.lastNumber > 0 {
			last.Cell = numbered(o.lastNumber)
		}
		row, column := rules.TicTacToe().Place(level.ChooseAfter(last, o.position, o.rng).Cell)
		chosen = row*3 + column + 1
		o.sayf("Computer placed the mark: %d.", chosen)
	} else {
		o.sayf("Player %d, please place your mark.", o.position.Turn())
		for {
			var err error
			if chosen, err = askNumber(1, 9); err != nil {
				return err
			}
			if o.position.At(0, numbered(chosen)) == rules.Empty {
				break
			}
			o.say(invalidInput)
		}
	}
	next, err := o.position.Play(rules.Move{Cell: numbered(chosen)})
	o.position, o.lastNumber = next, chosen
	return err
}

func (o *one) show() {
	o.say("=====")
	for row := range 3 {
		o.say("|" + strings.Join(rowTexts(o.position, 0, row, 1), "|") + "|")
	}
	o.say("=====")
}
