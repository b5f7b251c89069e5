package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"

	"notakto/internal/rig"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
	"notakto/sshapp/cli/player"
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

// The numbers of the keys are fixed, because the pictures must not change from run to run.
const (
	serverKey = iota
	annKey
	bobKey
	cleoKey
	danKey
)

// stage has a server, its two players, and the shots taken so far.
type stage struct {
	ctx      context.Context
	err      error  // the first one
	address  string // of the server
	size     size
	ann, bob *person
	shots    []shot
}

// fail keeps the first error of the stage, with what was being done.
func (s *stage) fail(what string, err error) {
	if s.err == nil && err != nil {
		s.err = fmt.Errorf("%s: %w", what, err)
	}
}

// play opens the screens as ann, plays a match that ann wins against bob, and returns the shots.
func play(ctx context.Context, window size) ([]shot, error) {
	matches := manager.New(manager.Config{Seed: 1})
	defer matches.Close()
	server, err := sshapp.New(sshapp.Config{
		Settings: limit.DefaultSettings(), HostKey: rig.Key(serverKey), Manager: matches,
		Log:     slog.New(slog.DiscardHandler),
		Version: player.Version{Version: "picture"}, PublicAddress: "notakto.example",
	})
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	var serving sync.WaitGroup
	defer serving.Wait()
	serving.Go(func() { _ = server.Serve(listener) })
	defer func() { _ = server.Close() }()
	s := &stage{ctx: ctx, address: listener.Addr().String(), size: window}
	s.ann, s.bob = s.connect("ann", annKey), s.connect("bob", bobKey)
	defer s.ann.leave()
	defer s.bob.leave()
	s.lookAround()
	s.meet()
	s.playMatch()
	s.ann.press("v", "Review: ann") // a review opens at the last slip of the match
	s.ann.take("review", 0)
	return s.shots, s.err
}

// take adds a shot of the screen once the server has drawn the screen completely. Key ! goes on to the next of three
// choices of alerts, and the notice of the last one is drawn after everything before. A late answer to a move may hide
// a notice, so take presses the key again. Key y has no meaning here and clears the notice.
func (p *person) take(name string, lasts time.Duration) {
	for shown := ""; shown != "Alerts on" && p.stage.err == nil; {
		p.press("!")
		p.waitFor("a notice of alerts", time.Second, func(screen string) bool {
			before := shown
			for _, notice := range [...]string{"Alerts off", "the bell only", "Alerts on"} {
				if strings.Contains(screen, notice) {
					shown = notice
				}
			}
			return shown != before
		})
	}
	p.press("y")
	p.waitUntil("the end of the notice", func(screen string) bool { return !strings.Contains(screen, "Alerts") })
	p.shoot(name, lasts)
}

// lookAround opens the screens next to the lobby.
func (s *stage) lookAround() {
	s.ann.await("Play someone")
	s.ann.press("t", "Colours: dark")
	s.ann.press("z", "Animation off")
	s.ann.take("home", 0)
	for _, screen := range []struct{ name, key, text string }{
		{"computer", "2", "Level"}, {"howto", "5", "Three Xs"},
	} {
		s.ann.press(screen.key, screen.text)
		s.ann.take(screen.name, 0)
		s.ann.press(esc, "Play someone")
	}
	// Method take does not work here, because the screen counts the seconds and each second clears the notice.
	s.ann.press("1", "No one else is waiting.", "terminal beeps.")
	s.ann.shoot("waiting", 0)
	s.ann.press(esc, "Play someone")
}

// meet seats ann and bob at a private table with ann to move first. Ann opens tables until she draws the first move.
func (s *stage) meet() {
	invited := regexp.MustCompile(`(?s)join\s+([A-Z0-9]{6})\b.*You move (first|second)\.`)
	var found []string
	for s.err == nil {
		s.ann.press("3", "Your challenge")
		s.ann.press(enter)
		s.ann.waitUntil("a code", func(screen string) bool {
			found = invited.FindStringSubmatch(screen)
			return found != nil
		})
		if found != nil && found[2] == "first" {
			break
		}
		s.ann.press("q", "Close this table?")
		s.ann.press("y", "Play someone")
	}
	if s.err != nil {
		return
	}
	s.ann.take("private", 0)
	s.bob.await("Play someone")
	s.bob.press("z", "Animation off")
	s.bob.press("3", "Join with a code")
	s.bob.press(up+found[1]+enter, "ann's turn")
	s.ann.await("Your turn")
}

func (s *stage) playMatch() {
	moves := strings.Fields("B4 A5 A9 A1 B2 B5 B3 B6 C3 C5 C2 C7")
	s.ann.take("move", 1500*time.Millisecond)
	for i, move := range moves[:len(moves)-1] {
		mover, other, turn, lasts := s.ann, s.bob, "bob's turn", 700*time.Millisecond
		if i%2 == 1 {
			mover, other, turn, lasts = s.bob, s.ann, "Your turn", 1300*time.Millisecond
		}
		mover.place(move)
		other.await(move, "Your turn")
		s.ann.await(turn)
		s.ann.take("move", lasts)
		if i == 5 {
			s.showTable()
		}
	}
	ending := "would have won"
	if s.size.rows < usualSize().rows { // too small a window for the sentence about the slip
		ending = "bob killed the last board."
	}
	s.bob.press(moves[len(moves)-1], "You killed the last board")
	s.ann.await(ending)
	s.ann.take("result", 0)
}

// showTable takes the table, its help, and cleo's list of matches to watch, with a match of dan.
func (s *stage) showTable() {
	cleo := s.connect("cleo", cleoKey)
	defer cleo.leave()
	s.ann.shoot("table", 0)
	s.ann.press("?", "Any key goes back", "Help")
	s.ann.shoot("help", 0)
	dan := s.connect("dan", danKey)
	defer dan.leave()
	s.ann.press("y", "Your turn")
	dan.await("Play someone")
	dan.press("2", "Level")
	dan.press(enter, "Your turn")
	dan.place("B5", "Your turn")
	dan.place("C1", "Your turn")
	cleo.await("Play someone")
	cleo.press("t", "Colours: dark")
	cleo.press("4", "dan")
	cleo.await("dan to move")
	cleo.take("watch", 0)
}
