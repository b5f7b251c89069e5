package main

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"notakto/sshapp/picture"
)

// Keys as a terminal sends them.
const (
	enter = "\r"
	down  = "\x1b[B"
)

// play returns ann's screen in the middle of a match with bob.
func play(ctx context.Context) (shown picture.Window, err error) {
	h, err := openServer()
	if err != nil {
		return picture.Window{}, err
	}
	defer h.close()
	ann, err := h.enter("ann", annKey)
	if err != nil {
		return picture.Window{}, err
	}
	defer ann.leave()
	bob, err := h.enter("bob", bobKey)
	if err != nil {
		return picture.Window{}, err
	}
	defer bob.leave()
	for _, act := range []func(context.Context, *person, *person) error{meet, moves, settle} {
		if err := act(ctx, ann, bob); err != nil {
			return picture.Window{}, err
		}
	}
	return ann.picture(), nil
}

// meet seats both at a private table at which ann moves first.
func meet(ctx context.Context, ann, bob *person) error {
	if err := errors.Join(ann.sees(ctx, "Play someone"), bob.sees(ctx, "Play someone")); err != nil {
		return err
	}
	if err := ann.does(ctx, "t", "Colours: dark"); err != nil {
		return err
	}
	code, err := invite(ctx, ann)
	if err != nil {
		return err
	}
	if err := bob.does(ctx, "3", "Join with a code"); err != nil {
		return err
	}
	return errors.Join(bob.does(ctx, down+code+enter, "ann's turn"), ann.sees(ctx, "Your turn"))
}

// invite opens tables until ann has the first move, and returns the code.
func invite(ctx context.Context, ann *person) (string, error) {
	invited := regexp.MustCompile(`(?s)join ([A-Z0-9]{4})\b.*You move (first|second)\.`)
	for {
		if err := ann.does(ctx, "3", "Make a table"); err != nil {
			return "", err
		}
		var found []string
		if err := ann.does(ctx, enter); err != nil {
			return "", err
		}
		if err := ann.waits(ctx, "a code", func(lines []string) bool {
			found = invited.FindStringSubmatch(strings.Join(lines, "\n"))
			return found != nil
		}); err != nil {
			return "", err
		}
		if found[2] == "first" {
			return found[1], nil
		}
		if err := errors.Join(ann.does(ctx, "q", "Close this table?"), ann.does(ctx, "y", "Play someone")); err != nil {
			return "", err
		}
	}
}

// moves plays until one board is dead and it is ann's turn.
func moves(ctx context.Context, ann, bob *person) error {
	for i, move := range []string{"A5", "B5", "A1", "B1", "A9", "C6"} {
		mover, other := ann, bob
		if i%2 == 1 {
			mover, other = bob, ann
		}
		if err := errors.Join(mover.does(ctx, move, move), other.sees(ctx, move, "Your turn")); err != nil {
			return err
		}
	}
	return nil
}

// settle ensures that ann's screen is complete: a later change has been drawn. A key without a meaning clears the line.
func settle(ctx context.Context, ann, _ *person) error {
	if err := errors.Join(ann.does(ctx, "b", "Bell off"), ann.does(ctx, "b", "Bell on"), ann.does(ctx, "y")); err != nil {
		return err
	}
	return ann.waits(ctx, "an empty line of notice", func(lines []string) bool { return strings.TrimSpace(lines[rows-2]) == "" })
}
