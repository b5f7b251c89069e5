package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"notakto/sshapp/picture"
	"notakto/sshapp/render"
)

// Keys as a terminal sends them.
const (
	enter = "\r"
	up    = "\x1b[A"
	esc   = "\x1b"
)

// size has the columns and rows of a window.
type size struct{ columns, rows int }

func usualSize() size { return size{80, 24} }

// shot is a picture of a screen.
type shot struct {
	name  string
	title string // of the window
	cells [][]render.Cell
	lasts time.Duration // in the film of the match, 0 for a shot outside the film
}

func (s shot) window(label string) picture.Window {
	return picture.Window{Label: label, Title: s.title, Dark: s.cells}
}

// makeFilm makes the film of the match, with the result and the review at its end.
func makeFilm(shots []shot) picture.Film {
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
			f.Frames = append(f.Frames, picture.Frame{Cells: s.cells, Duration: s.lasts})
		}
	}
	return f
}

// stage has a server, its two players, and the shots taken so far.
type stage struct {
	*gameServer
	size     size
	ann, bob *person
	shots    []shot
}

// play opens the screens as ann, plays a match that ann wins against bob, and returns the shots.
func play(ctx context.Context, window size) ([]shot, error) {
	g, err := openServer()
	if err != nil {
		return nil, err
	}
	defer g.close()
	s := &stage{gameServer: g, size: window}
	if s.ann, err = g.connect("ann", annKey, window); err != nil {
		return nil, err
	}
	defer s.ann.leave()
	if s.bob, err = g.connect("bob", bobKey, window); err != nil {
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

// take appends a shot of p's screen once the server has drawn the screen completely. Key ! goes on to the next of three
// choices of alerts, and the notice of the last one is drawn after everything before. A late answer to a move may hide
// a notice, so take presses the key again. Key y has no meaning here and clears the notice.
func (s *stage) take(ctx context.Context, p *person, name string, lasts time.Duration) error {
	for shown := ""; shown != "Alerts on"; {
		if err := p.press(ctx, "!"); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(ctx, time.Second)
		_ = p.waitUntil(soon, "another notice", func(lines []string) bool {
			before, all := shown, strings.Join(lines, "\n")
			for _, notice := range [...]string{"Alerts off", "the bell only", "Alerts on"} {
				if strings.Contains(all, notice) {
					shown = notice
				}
			}
			return shown != before
		})
		cancel()
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s waits for the alerts: %w", p.name, err)
		}
	}
	if err := p.press(ctx, "y"); err != nil {
		return err
	}
	if err := p.waitUntil(ctx, "the end of the notice", func(lines []string) bool {
		return !strings.Contains(strings.Join(lines, "\n"), "Alerts")
	}); err != nil {
		return err
	}
	s.shots = append(s.shots, p.shot(name, lasts))
	return nil
}

// lookAround opens the screens next to the lobby.
func lookAround(ctx context.Context, s *stage) error {
	if err := errors.Join(s.ann.await(ctx, "Play someone"), s.ann.press(ctx, "t", "Colours: dark"),
		s.ann.press(ctx, "z", "Animation off")); err != nil {
		return err
	}
	if err := s.take(ctx, s.ann, "home", 0); err != nil {
		return err
	}
	for _, screen := range []struct{ name, key, text string }{
		{"computer", "2", "Level"}, {"howto", "5", "Three Xs"},
	} {
		if err := errors.Join(s.ann.press(ctx, screen.key, screen.text), s.take(ctx, s.ann, screen.name, 0),
			s.ann.press(ctx, esc, "Play someone")); err != nil {
			return err
		}
	}
	// Method take does not work here, because the screen counts the seconds and each second clears the notice.
	if err := s.ann.press(ctx, "1", "No one else is waiting.", "terminal beeps."); err != nil {
		return err
	}
	s.shots = append(s.shots, s.ann.shot("waiting", 0))
	return s.ann.press(ctx, esc, "Play someone")
}

// meet seats ann and bob at a private table with ann to move first.
func meet(ctx context.Context, s *stage) error {
	code, err := invite(ctx, s.ann)
	if err != nil {
		return err
	}
	if err := s.take(ctx, s.ann, "private", 0); err != nil {
		return err
	}
	if err := errors.Join(s.bob.await(ctx, "Play someone"), s.bob.press(ctx, "z", "Animation off"),
		s.bob.press(ctx, "3", "Join with a code")); err != nil {
		return err
	}
	return errors.Join(s.bob.press(ctx, up+code+enter, "ann's turn"), s.ann.await(ctx, "Your turn"))
}

// invite opens tables until ann draws the first move, and returns the code.
func invite(ctx context.Context, ann *person) (string, error) {
	invited := regexp.MustCompile(`(?s)join\s+([A-Z0-9]{6})\b.*You move (first|second)\.`)
	for {
		if err := ann.press(ctx, "3", "Your challenge"); err != nil {
			return "", err
		}
		var found []string
		if err := ann.press(ctx, enter); err != nil {
			return "", err
		}
		if err := ann.waitUntil(ctx, "a code", func(lines []string) bool {
			found = invited.FindStringSubmatch(strings.Join(lines, "\n"))
			return found != nil
		}); err != nil {
			return "", err
		}
		if found[2] == "first" {
			return found[1], nil
		}
		if err := errors.Join(ann.press(ctx, "q", "Close this table?"), ann.press(ctx, "y", "Play someone")); err != nil {
			return "", err
		}
	}
}

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
		err := errors.Join(mover.place(ctx, move), other.await(ctx, move, "Your turn"), s.ann.await(ctx, turn),
			s.take(ctx, s.ann, "move", lasts))
		if err == nil && i == 5 {
			err = showTable(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	ending := "would have won"
	if s.size.rows < usualSize().rows { // too small a window for the sentence about the slip
		ending = "bob killed the last board."
	}
	return errors.Join(s.bob.press(ctx, moves[len(moves)-1], "You killed the last board"), s.ann.await(ctx, ending),
		s.take(ctx, s.ann, "result", 0))
}

// showTable takes the table, its help, and cleo's list of matches to watch, with a match of dan.
func showTable(ctx context.Context, s *stage) error {
	cleo, err := s.connect("cleo", cleoKey, s.size)
	if err != nil {
		return err
	}
	defer cleo.leave()
	s.shots = append(s.shots, s.ann.shot("table", 0))
	if err := s.ann.press(ctx, "?", "Any key goes back", "Help"); err != nil {
		return err
	}
	s.shots = append(s.shots, s.ann.shot("help", 0))
	dan, err := s.connect("dan", danKey, s.size)
	if err != nil {
		return err
	}
	defer dan.leave()
	return errors.Join(s.ann.press(ctx, "y", "Your turn"), dan.await(ctx, "Play someone"), dan.press(ctx, "2", "Level"),
		dan.press(ctx, enter, "Your turn"), dan.place(ctx, "B5", "Your turn"), dan.place(ctx, "C1", "Your turn"),
		cleo.await(ctx, "Play someone"), cleo.press(ctx, "t", "Colours: dark"), cleo.press(ctx, "4", "dan"),
		cleo.await(ctx, "dan to move"),
		s.take(ctx, cleo, "watch", 0))
}

// lookBack takes the review. A review opens at the last slip of the match.
func lookBack(ctx context.Context, s *stage) error {
	return errors.Join(s.ann.press(ctx, "v", "Review: ann"), s.take(ctx, s.ann, "review", 0))
}
