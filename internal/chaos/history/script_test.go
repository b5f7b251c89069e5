package history

import (
	"bytes"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const id match.ID = "m"

// script writes the record of one match on one board, with ann on the first seat and bob on the second.
type script struct {
	entries []Entry
	at      time.Duration
	node    string // where clients connect
	links   map[string]int
	opened  int
	listed  []match.ID
	players [2]wire.Player
	played  []string
}

func newScript() *script {
	return &script{links: map[string]int{}, listed: []match.ID{id}, players: [2]wire.Player{
		{ID: "SHA256:ann", Name: "ann"}, {ID: "SHA256:bob", Name: "bob"},
	}}
}

func (s *script) add(e Entry) {
	e.N, e.At = int64(len(s.entries)+1), s.at
	s.entries = append(s.entries, e)
}

func (s *script) line(who string, what What, text []byte, err error) {
	if err != nil {
		panic(err)
	}
	s.add(Entry{Who: who, Link: s.links[who], What: what, Line: bytes.TrimSuffix(text, []byte("\n"))})
}

func (s *script) says(who string, r botproto.Request) {
	text, err := r.Encode()
	s.line(who, Sent, text, err)
}

func (s *script) tells(who string, e botproto.Event) {
	text, err := botproto.Encode(e)
	s.line(who, Received, text, err)
}

func (s *script) opens(who string) {
	s.opened++
	s.links[who] = s.opened
	s.add(Entry{Who: who, Link: s.links[who], What: Opened, Note: s.node})
	s.tells(who, botproto.Welcome{
		Player: wire.Player{ID: match.PlayerID("SHA256:" + who), Name: who}, Matches: s.listed,
	})
}

func (s *script) cuts(who string)         { s.add(Entry{Who: who, Link: s.links[who], What: Cut}) }
func (s *script) pass(time time.Duration) { s.at += time }
func (s *script) swap()                   { s.players[0], s.players[1] = s.players[1], s.players[0] }
func (s *script) asks(who string, moves ...string) {
	s.says(who, botproto.Request{Do: botproto.DoState, Match: id})
	s.shows(who, s.seat(who), moves...)
}

func (s *script) seat(who string) rules.Side {
	if who == "ann" {
		return 1
	}
	return 2
}

// returns reconnects a player and sends them a match event with moves.
func (s *script) returns(who string, moves ...string) {
	s.cuts(who)
	s.opens(who)
	s.asks(who, moves...)
	s.played = moves
}

func (s *script) shows(who string, seat rules.Side, moves ...string) {
	p := s.position(moves)
	s.tells(who, botproto.Match{
		Match: id, Variant: "notakto/1", Seat: seat, Players: s.players, Moves: moves,
		Position: p.String(), Turn: p.Turn(), Over: p.Outcome().IsOver(),
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

func (s *script) moves(who string, number int, text string) {
	s.played = append(s.played[:min(number-1, len(s.played))], text)
	p := s.position(s.played)
	l := botproto.Move{Match: id, Ply: number, Seat: rules.Side(2 - number%2), Move: text, Turn: p.Turn()}
	if p.IsDead(0) {
		l.Died, l.Turn = new(string), 0
	}
	s.tells(who, l)
}

func (s *script) play(moves ...string) {
	for i, text := range moves {
		who := []string{"ann", "bob"}[i%2]
		s.says(who, botproto.Request{Do: botproto.DoMove, Match: id, Move: text})
		s.moves("ann", i+1, text)
		s.moves("bob", i+1, text)
	}
}

// ends sends both players the end. The loser is the last mover for the reason "boards", otherwise bob.
func (s *script) ends(reason string) {
	winner := rules.First
	if reason == "boards" {
		winner = rules.Side(1 + len(s.played)%2)
	}
	for _, who := range []string{"ann", "bob"} {
		s.tells(who, botproto.End{Match: id, Winner: winner, Reason: reason})
	}
}

func (s *script) resigns() {
	s.says("bob", botproto.Request{Do: botproto.DoResign, Match: id})
	s.ends("resign")
}
