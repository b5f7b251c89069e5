package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"notakto/sshapp/picture"
	"notakto/sshapp/render"
)

// Keys as a terminal sends them.
const (
	enter = "\r"
	down  = "\x1b[B"
	esc   = "\x1b"
)

// size is that of a window.
type size struct{ columns, rows int }

// usual is the size of most windows.
func usual() size { return size{80, 24} }

// shot is a screen at some point.
type shot struct {
	name  string
	title string // the window's
	cells [][]render.Cell
	lasts time.Duration // in the film of the match; 0 if it is no part of it
}

func (s shot) window(label string) picture.Window {
	return picture.Window{Label: label, Title: s.title, Dark: s.cells}
}

// filmOf is the film of the match, with the result and the review at its end.
func filmOf(shots []shot) picture.Film {
	f := picture.Film{
		Label: "A match of Notakto in a terminal, from the first move to the review", Title: "ssh notakto.example",
	}
	for _, s := range shots {
		switch s.name {
		case "result":
			s.lasts = 3500 * time.Millisecond
		case "review":
			s.lasts = 6 * time.Second
		}
		if s.lasts > 0 {
			f.Frames = append(f.Frames, picture.Frame{Cells: s.cells, Lasts: s.lasts})
		}
	}
	return f
}

// stage is a server, who plays on it, and what was photographed.
type stage struct {
	*gameServer
	size     size
	ann, bob *person
	shots    []shot
}

// play goes through the screens as ann and plays a match with bob, which ann wins.
func play(ctx context.Context, window size) ([]shot, error) {
	h, err := openServer()
	if err != nil {
		return nil, err
	}
	defer h.close()
	s := &stage{gameServer: h, size: window}
	if s.ann, err = h.enter("ann", annKey, window); err != nil {
		return nil, err
	}
	defer s.ann.leave()
	if s.bob, err = h.enter("bob", bobKey, window); err != nil {
		return nil, err
	}
	defer s.bob.leave()
	for _, act := range []func(context.Context, *stage) error{lookAround, meet, playMatch, lookBack} {
		if err := act(ctx, s); err != nil {
			return nil, err
		}
	}
	return s.shots, nil
}

// take photographs a person's screen once it is complete: a later change has been drawn. A key without a meaning clears
// the line in which that was.
func (s *stage) take(ctx context.Context, p *person, name string, lasts time.Duration) error {
	if err := errors.Join(p.does(ctx, "b", "Bell off"), p.does(ctx, "b", "Bell on"), p.does(ctx, "y")); err != nil {
		return err
	}
	if err := p.waits(ctx, "the end of the notice", func(lines []string) bool {
		return !strings.Contains(strings.Join(lines, "\n"), "Bell")
	}); err != nil {
		return err
	}
	s.shots = append(s.shots, p.shot(name, lasts))
	return nil
}

// lookAround goes through the screens that lead from the lobby.
func lookAround(ctx context.Context, s *stage) error {
	if err := errors.Join(s.ann.sees(ctx, "Play someone"), s.ann.does(ctx, "t", "Colours: dark"),
		s.ann.does(ctx, "z", "Animation off")); err != nil {
		return err
	}
	if err := s.take(ctx, s.ann, "home", 0); err != nil {
		return err
	}
	for _, screen := range []struct{ name, key, text string }{
		{"computer", "2", "Level"}, {"howto", "5", "Three Xs"},
	} {
		if err := errors.Join(s.ann.does(ctx, screen.key, screen.text), s.take(ctx, s.ann, screen.name, 0),
			s.ann.does(ctx, esc, "Play someone")); err != nil {
			return err
		}
	}
	// the seconds that are counted there would clear a notice
	if err := s.ann.does(ctx, "1", "No one else is waiting.", "terminal beeps."); err != nil {
		return err
	}
	s.shots = append(s.shots, s.ann.shot("waiting", 0))
	return s.ann.does(ctx, esc, "Play someone")
}

// meet seats both at a private table at which ann moves first.
func meet(ctx context.Context, s *stage) error {
	code, err := invite(ctx, s.ann)
	if err != nil {
		return err
	}
	if err := s.take(ctx, s.ann, "private", 0); err != nil {
		return err
	}
	if err := errors.Join(s.bob.sees(ctx, "Play someone"), s.bob.does(ctx, "z", "Animation off"),
		s.bob.does(ctx, "3", "Join with a code")); err != nil {
		return err
	}
	return errors.Join(s.bob.does(ctx, down+code+enter, "ann's turn"), s.ann.sees(ctx, "Your turn"))
}

// invite opens tables until ann has the first move, and returns the code.
func invite(ctx context.Context, ann *person) (string, error) {
	invited := regexp.MustCompile(`(?s)join\s+([A-Z0-9]{4})\b.*You move (first|second)\.`)
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

// playMatch plays to the end.
func playMatch(ctx context.Context, s *stage) error {
	moves := strings.Fields("B4 A5 A9 A1 B2 B5 B3 B6 C3 C5 C2 C7")
	if err := s.take(ctx, s.ann, "move", 1500*time.Millisecond); err != nil {
		return err
	}
	for i, move := range moves[:len(moves)-1] {
		mover, other, turn, lasts := s.ann, s.bob, "bob's turn", 700*time.Millisecond
		if i%2 == 1 {
			mover, other, turn, lasts = s.bob, s.ann, "Your turn", 1300*time.Millisecond
		}
		err := errors.Join(mover.places(ctx, move), other.sees(ctx, move, "Your turn"), s.ann.sees(ctx, turn),
			s.take(ctx, s.ann, "move", lasts))
		if err == nil && i == 5 {
			err = showTable(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	ending := "would have won"
	if s.size.rows < usual().rows { // for which there is no room
		ending = "bob killed the last board."
	}
	return errors.Join(s.bob.does(ctx, moves[len(moves)-1], "You killed the last board"), s.ann.sees(ctx, ending),
		s.take(ctx, s.ann, "result", 0))
}

// showTable takes the table, its help, and the list of matches as a spectator sees it.
func showTable(ctx context.Context, s *stage) error {
	cleo, err := s.enter("cleo", cleoKey, s.size)
	if err != nil {
		return err
	}
	defer cleo.leave()
	s.shots = append(s.shots, s.ann.shot("table", 0))
	if err := s.ann.does(ctx, "?", "Any key goes back", "Help"); err != nil {
		return err
	}
	s.shots = append(s.shots, s.ann.shot("help", 0))
	dan, err := s.enter("dan", danKey, s.size)
	if err != nil {
		return err
	}
	defer dan.leave()
	return errors.Join(s.ann.does(ctx, "y", "Your turn"), dan.sees(ctx, "Play someone"), dan.does(ctx, "2", "Level"),
		dan.does(ctx, enter, "Your turn"), dan.places(ctx, "B5", "Your turn"), dan.places(ctx, "C1", "Your turn"),
		cleo.sees(ctx, "Play someone"), cleo.does(ctx, "t", "Colours: dark"), cleo.does(ctx, "4", "dan"),
		cleo.sees(ctx, "dan to move"),
		s.take(ctx, cleo, "watch", 0))
}

// lookBack takes the review, at the last slip of the match.
func lookBack(ctx context.Context, s *stage) error {
	return errors.Join(s.ann.does(ctx, "v", "Review: ann"), s.take(ctx, s.ann, "review", 0))
}
