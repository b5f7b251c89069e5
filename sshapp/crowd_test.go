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

	"notakto/rules"
)

// crowdBot is one of many bots.
type crowdBot struct {
	say    io.Writer
	events *bufio.Scanner
	chance *rand.Rand
}

func newCrowdBot(b *testing.B, client *gossh.Client, seed uint64) *crowdBot {
	b.Helper()
	session, err := client.NewSession()
	if err != nil {
		b.Fatal(err)
	}
	say, err := session.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	received, err := session.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := session.Start("bot"); err != nil {
		b.Fatal(err)
	}
	return &crowdBot{say: say, events: bufio.NewScanner(received), chance: rand.New(rand.NewPCG(seed, 500))}
}

// seatLog is what one seat was told of a match.
type seatLog struct {
	match string
	wait  time.Duration // in the queue
	seat  rules.Side
	moves []string
	lines []string    // of the moves that came after the beginning was told, and of the end
	sent  []time.Time // by ply; zero for the other's moves
	byPly []time.Time // by ply
	end   botEvent

	position rules.Position
}

// play meets someone in the queue and plays random legal moves to the end.
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
		case e.Turn != rules.Nobody && e.Turn == t.seat:
			if err := c.move(t); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("the session has ended: %w", c.events.Err())
}

func (c *crowdBot) move(t *seatLog) error {
	legal := t.position.Legal()
	move := legal[c.chance.IntN(len(legal))]
	t.sent = append(t.sent, make([]time.Time, len(t.moves)-len(t.sent)+1)...)
	t.sent[len(t.moves)] = time.Now()
	_, err := fmt.Fprintf(c.say, `{"do":"move","match":%q,"move":%q}`+"\n", t.match, move)
	return err
}

// next takes the next event.
func (t *seatLog) next(e botEvent, line string, now time.Time) error {
	switch {
	case e.Event == "match" && t.match == "":
		variant, err := rules.ParseVariant(e.Variant)
		if err != nil {
			return err
		}
		t.match, t.seat, t.position = e.Match, e.Seat, variant.Start()
		for _, move := range e.Moves { // made before this seat was taken
			if err := t.add(move, now); err != nil {
				return err
			}
		}
		return nil
	case e.Event == "move" && e.Match == t.match && e.Ply == len(t.moves)+1:
		t.lines = append(t.lines, line)
		return t.add(e.Move, now)
	case e.Event == "end" && e.Match == t.match:
		t.lines, t.end = append(t.lines, line), e
		return nil
	case e.Event == "welcome", e.Event == "seeking", e.Event == "presence":
		return nil
	default:
		return fmt.Errorf("a bot in match %q after %v is told %s", t.match, t.moves, line)
	}
}

func (t *seatLog) add(text string, now time.Time) error {
	move, err := t.position.Variant().ParseMove(text)
	if err == nil {
		t.position, err = t.position.Play(move)
	}
	t.moves, t.byPly = append(t.moves, text), append(t.byPly, now)
	return err
}

// differs is an error unless both seats were told the same match, line by line, and the end that follows from its
// moves.
func (t *seatLog) differs(other *seatLog) error {
	shared := min(len(t.lines), len(other.lines)) // the later one to sit down is told the first moves with the match
	outcome := t.position.Outcome()
	switch {
	case t.seat != other.seat.Other() || t.position.Variant() != other.position.Variant():
		return fmt.Errorf("match %s has the seats %v and %v", t.match, t.seat, other.seat)
	case !slices.Equal(t.moves, other.moves) ||
		!slices.Equal(t.lines[len(t.lines)-shared:], other.lines[len(other.lines)-shared:]):
		return fmt.Errorf("match %s differs:\n%q %q\n%q %q", t.match, t.moves, t.lines, other.moves, other.lines)
	case !outcome.Over() || t.end.Winner != outcome.Winner || t.end.Reason != outcome.Reason.String():
		return fmt.Errorf("match %s: %v ends with %v", t.match, t.moves, t.end)
	default:
		return nil
	}
}

// delays are the times from this seat's moves to the other seat's hearing of them.
func (t *seatLog) delays(other *seatLog) []time.Duration {
	var all []time.Duration
	for ply, sent := range t.sent {
		if !sent.IsZero() {
			all = append(all, other.byPly[ply].Sub(sent))
		}
	}
	return all
}
