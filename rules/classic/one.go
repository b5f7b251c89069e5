package classic

import (
	"errors"
	"math/rand/v2"
	"regexp"

	"notakto/rules"
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
