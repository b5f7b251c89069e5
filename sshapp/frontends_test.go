package sshapp

import (
	"math/rand/v2"
	"testing"

	"notakto/rules"
)

// frontEnd is a way to sit at a table as the test of the front ends uses it: what it does, and what it shows.
// Everything that is seen is waited for.
type frontEnd interface {
	invites() (code string) // lays a private table of two boards
	joins(code string)      // sits down there
	begins() rules.Side     // is shown the beginning, and which side it plays
	plays(move string)      // asks for a move
	sees(turn)              // is shown a move and what follows from it
	ends(match []turn)      // is shown the end, and asks for all that was played
}

// turn is one move as both players have to be shown it.
type turn struct {
	ply   int
	side  rules.Side // that moved
	move  rules.Move
	after rules.Position
}

// next is the side to move then; no side once the match is over.
func (m turn) next() rules.Side {
	if m.after.Outcome().Over() {
		return rules.Nobody
	}
	return m.after.Turn()
}

// winner is the side that has won, which is to be asked once the match is over.
func (m turn) winner() rules.Side { return m.after.Outcome().Winner }

// seat is one player of a match of two. The side is known once the match has begun.
type seat struct {
	*testServer
	name, other string
	key         byte
	side        rules.Side
}

// Of who plays through which door nothing may depend: each of the nine pairs sees the same moves, the same turns and
// the same end.
func TestAMatchIsTheSameInEveryFrontEnd(t *testing.T) {
	h := startServer(t)
	frontEnds := []struct {
		name string
		open func(*seat) frontEnd
	}{
		{"screen", func(s *seat) frontEnd { return &screenFrontEnd{seat: s} }},
		{"plain", func(s *seat) frontEnd { return &plainFrontEnd{seat: s} }},
		{"bot", func(s *seat) frontEnd { return &botFrontEnd{seat: s} }},
	}
	key := byte(0)
	for _, a := range frontEnds {
		for _, b := range frontEnds {
			key += 2
			t.Run(a.name+" and "+b.name, func(t *testing.T) {
				here := *h
				here.t = t
				host := a.open(&seat{testServer: &here, name: "alice", other: "bob", key: key - 1})
				guest := b.open(&seat{testServer: &here, name: "bob", other: "alice", key: key})
				guest.joins(host.invites())
				playThroughFrontEnds(t, rand.New(rand.NewPCG(uint64(key), 9)), host, guest)
			})
		}
	}
}

// playThroughFrontEnds plays random legal moves, each of which both have to be shown before the next one.
func playThroughFrontEnds(t *testing.T, chance *rand.Rand, host, guest frontEnd) {
	t.Helper()
	sides := map[rules.Side]frontEnd{host.begins(): host, guest.begins(): guest}
	if sides[rules.First] == nil || sides[rules.Second] == nil {
		t.Fatalf("the sides are %v", sides)
	}
	var match []turn
	for position := twoBoards(t).Start(); !position.Outcome().Over(); {
		legal := position.Legal()
		m := turn{ply: len(match) + 1, side: position.Turn(), move: legal[chance.IntN(len(legal))]}
		var err error
		if m.after, err = position.Play(m.move); err != nil {
			t.Fatal(err)
		}
		sides[m.side].plays(m.move.String())
		host.sees(m)
		guest.sees(m)
		position, match = m.after, append(match, m)
	}
	host.ends(match)
	guest.ends(match)
}

func twoBoards(t testing.TB) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(2)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
