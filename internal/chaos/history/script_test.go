package history

import (
	"encoding/json"
	"time"

	"notakto/rules"
)

const id = "m"

// script writes the record of one match of ann against bob, on one board.
type script struct {
	entries []Entry
	at      time.Duration
	links   map[string]int
	opened  int
	listed  []string
	players [2]Player
	played  []string
}

func newScript() *script {
	return &script{links: map[string]int{}, listed: []string{id}, players: [2]Player{{"SHA256:ann", "ann"}, {"SHA256:bob", "bob"}}}
}

func (s *script) add(e Entry) {
	e.N, e.At = int64(len(s.entries)+1), s.at
	s.entries = append(s.entries, e)
}

func (s *script) line(who string, what What, l Line) {
	text, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	s.add(Entry{Who: who, Link: s.links[who], What: what, Line: text})
}

func (s *script) says(who string, l Line)  { s.line(who, Sent, l) }
func (s *script) tells(who string, l Line) { s.line(who, Received, l) }

func (s *script) opens(who string) {
	s.opened++
	s.links[who] = s.opened
	s.add(Entry{Who: who, Link: s.links[who], What: Opened})
	s.tells(who, Line{Event: "welcome", Player: &Player{"SHA256:" + who, who}, Matches: s.listed})
}

func (s *script) cuts(who string)         { s.add(Entry{Who: who, Link: s.links[who], What: Cut}) }
func (s *script) pass(time time.Duration) { s.at += time }
func (s *script) swap()                   { s.players[0], s.players[1] = s.players[1], s.players[0] }
func (s *script) asks(who string, moves ...string) {
	s.says(who, Line{Do: "state", Match: id})
	s.shows(who, s.seat(who), moves...)
}

func (s *script) seat(who string) int {
	if who == "ann" {
		return 1
	}
	return 2
}

// returns is somebody who comes back and is told of some moves.
func (s *script) returns(who string, moves ...string) {
	s.cuts(who)
	s.opens(who)
	s.asks(who, moves...)
	s.played = moves
}

// shows is a match event that says of its moves what the rules make of them.
func (s *script) shows(who string, seat int, moves ...string) {
	p := s.position(moves)
	s.tells(who, Line{
		Event: "match", Match: id, Variant: "notakto/1", Seat: seat, Players: &s.players, Moves: moves,
		Position: p.String(), Turn: int(p.Turn()), Over: p.Outcome().Over(),
	})
}

func (s *script) position(moves []string) rules.Position {
	v, _ := rules.Notakto(1)
	p := v.Start()
	for _, text := range moves {
		m, err := v.ParseMove(text)
		if err != nil {
			panic(err)
		}
		if next, err := p.Play(m); err == nil {
			p = next
		}
	}
	return p
}

func (s *script) begin() {
	for _, who := range []string{"ann", "bob"} {
		s.opens(who)
		s.shows(who, s.seat(who))
	}
}

// moves is a move event.
func (s *script) moves(who string, number int, text string) {
	s.played = append(s.played[:min(number-1, len(s.played))], text)
	p := s.position(s.played)
	l := Line{Event: "move", Match: id, Ply: number, Seat: 2 - number%2, Move: text, Turn: int(p.Turn())}
	if p.Dead(0) {
		l.Died, l.Turn = new(string), 0
	}
	s.tells(who, l)
}

// play has the players play in turn, both being told.
func (s *script) play(moves ...string) {
	for i, text := range moves {
		who := []string{"ann", "bob"}[i%2]
		s.says(who, Line{Do: "move", Match: id, Move: text})
		s.moves("ann", i+1, text)
		s.moves("bob", i+1, text)
	}
}

// ends tells both that bob has lost, or who made the last move.
func (s *script) ends(reason string) {
	winner := 1
	if reason == "boards" {
		winner = 1 + len(s.played)%2
	}
	for _, who := range []string{"ann", "bob"} {
		s.tells(who, Line{Event: "end", Match: id, Winner: winner, Reason: reason})
	}
}

func (s *script) resigns() {
	s.says("bob", Line{Do: "resign", Match: id})
	s.ends("resign")
}
