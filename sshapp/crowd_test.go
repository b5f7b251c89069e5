package sshapp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/rules"
)

type crowdBot struct {
	say    io.Writer
	events *bufio.Scanner
	chance *rand.Rand
}

func newCrowdBot(b *testing.B, client *gossh.Client, seed uint64) *crowdBot {
	b.Helper()
	session, err := client.NewSession()
	testkit.OK(b, err)
	say, err := session.StdinPipe()
	testkit.OK(b, err)
	received, err := session.StdoutPipe()
	testkit.OK(b, err)
	testkit.OK(b, session.Start("bot"))
	return &crowdBot{say: say, events: bufio.NewScanner(received), chance: rand.New(rand.NewPCG(seed, 500))}
}

// seatLog records the events that one seat gets of a match.
type seatLog struct {
	match string
	wait  time.Duration // in the queue
	seat  rules.Side
	moves []string
	lines []string    // of the end, and of the moves after the start event
	sent  []time.Time // by ply, zero for the opponent's moves
	byPly []time.Time // by ply
	end   botEvent

	position rules.Position
}

// play meets an opponent in the queue and plays random legal moves to the end.
func (c *crowdBot) play(variant string) (*seatLog, error) {
	if _, err := fmt.Fprintf(c.say, `{"do":"seek","variant":%q}`+"\n", variant); err != nil {
		return nil, err
	}
	t, began := new(seatLog), time.Now()
	for c.events.Scan() {
		now := time.Now()
		if t.match == "" {
			t.wait = now.Sub(began)
		}
		var e botEvent
		if err := json.Unmarshal(c.events.Bytes(), &e); err != nil {
			return nil, err
		}
		if err := t.next(e, c.events.Text(), now); err != nil {
			return nil, err
		}
		switch {
		case e.Event == "end":
			_, err := fmt.Fprintf(c.say, `{"do":"leave","match":%q}`+"\n", t.match)
			return t, err
		case e.Turn != rules.NoSide && e.Turn == t.seat:
			if err := c.move(t); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("the session has ended: %w", c.events.Err())
}

func (c *crowdBot) move(t *seatLog) error {
	legal := t.position.LegalMoves()
	move := legal[c.chance.IntN(len(legal))]
	t.sent = append(t.sent, make([]time.Time, len(t.moves)-len(t.sent)+1)...)
	t.sent[len(t.moves)] = time.Now()
	_, err := fmt.Fprintf(c.say, `{"do":"move","match":%q,"move":%q}`+"\n", t.match, move)
	return err
}

func (s *seatLog) next(e botEvent, line string, now time.Time) error {
	switch {
	case e.Event == "match" && s.match == "":
		variant, err := rules.ParseVariant(e.Variant)
		if err != nil {
			return err
		}
		s.match, s.seat, s.position = e.Match, e.Seat, variant.Start()
		for _, move := range e.Moves { // made before this seat was taken
			if err := s.add(move, now); err != nil {
				return err
			}
		}
		return nil
	case e.Event == "move" && e.Match == s.match && e.Ply == len(s.moves)+1:
		s.lines = append(s.lines, line)
		return s.add(e.Move, now)
	case e.Event == "end" && e.Match == s.match:
		s.lines, s.end = append(s.lines, line), e
		return nil
	case e.Event == "welcome", e.Event == "seeking", e.Event == "presence":
		return nil
	default:
		return fmt.Errorf("a bot in match %q after %v is told %s", s.match, s.moves, line)
	}
}

func (s *seatLog) add(text string, now time.Time) error {
	move, err := s.position.Variant().ParseMove(text)
	if err == nil {
		s.position, err = s.position.Play(move)
	}
	s.moves, s.byPly = append(s.moves, text), append(s.byPly, now)
	return err
}

// differs returns an error unless both seats got the same lines, and an end that follows from the moves.
func (s *seatLog) differs(other *seatLog) error {
	shared := min(len(s.lines), len(other.lines)) // the seat taken later gets the first moves with the match
	outcome := s.position.Outcome()
	switch {
	case s.seat != other.seat.Other() || s.position.Variant() != other.position.Variant():
		return fmt.Errorf("match %s has the seats %v and %v", s.match, s.seat, other.seat)
	case !slices.Equal(s.moves, other.moves) ||
		!slices.Equal(s.lines[len(s.lines)-shared:], other.lines[len(other.lines)-shared:]):
		return fmt.Errorf("match %s differs:\n%q %q\n%q %q", s.match, s.moves, s.lines, other.moves, other.lines)
	case !outcome.IsOver() || s.end.Winner != outcome.Winner || s.end.Reason != outcome.Reason.String():
		return fmt.Errorf("match %s: %v ends with %v", s.match, s.moves, s.end)
	default:
		return nil
	}
}

// delays returns the times from this seat's moves to their events at the other seat.
func (s *seatLog) delays(other *seatLog) []time.Duration {
	var all []time.Duration
	for ply, sent := range s.sent {
		if !sent.IsZero() {
			all = append(all, other.byPly[ply].Sub(sent))
		}
	}
	return all
}
