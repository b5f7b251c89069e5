package history

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wire"
)

const id match.ID = "m"

// script plays a match on one board into a book, with ann on the first seat and bob on the second.
type script struct {
	*Book
	record  bytes.Buffer
	passed  time.Duration
	server  string // where clients connect
	links   map[string]*Link
	listed  []match.ID
	players [2]wire.Player
	game    int // of a rated pair, 0 for a match that is not rated
}

// run returns the kinds of the faults that a play leads to.
func run(shared bool, play func(*script)) (*script, []Kind) {
	s := &script{links: map[string]*Link{}, listed: []match.ID{id}, server: "server0"}
	s.players = [2]wire.Player{{ID: "SHA256:ann", Name: "ann"}, {ID: "SHA256:bob", Name: "bob"}}
	s.Book = NewBook(&s.record, time.Minute, shared)
	s.clock = func() time.Duration { return s.passed }
	play(s)
	if _, err := s.Close(); err != nil {
		panic(err)
	}
	var kinds []Kind
	for _, f := range s.Faults {
		kinds = append(kinds, f.Kind)
	}
	return s, kinds
}

// expect plays and compares the kinds of the faults.
func expect(t *testing.T, name string, shared bool, play func(*script), want ...Kind) {
	t.Helper()
	if s, kinds := run(shared, play); !slices.Equal(kinds, want) {
		t.Errorf("%s: the faults are %v, want %v\n%s", name, s.Faults, want, &s.record)
	}
}

func (s *script) says(who string, r botproto.Request) {
	line, err := r.Encode()
	if err != nil {
		panic(err)
	}
	s.links[who].Sent(line)
}

func (s *script) tells(e botproto.Event, to ...string) {
	line, err := botproto.Encode(e)
	if err != nil {
		panic(err)
	}
	for _, who := range to {
		s.links[who].Received(line)
	}
}

func (s *script) tellsBoth(e botproto.Event) { s.tells(e, "ann", "bob") }

func (s *script) opens(who ...string) {
	for _, who := range who {
		s.links[who] = s.Link(who, s.server)
		s.links[who].Opened()
		s.tells(botproto.Welcome{Player: wire.Player{ID: match.PlayerID("SHA256:" + who)}, Matches: s.listed}, who)
	}
}

func (s *script) cuts(who string)         { s.links[who].Closed(errors.New("cut"), nil) }
func (s *script) pass(time time.Duration) { s.passed += time }

// shows sends a player the match with moves.
func (s *script) shows(who string, moves ...string) {
	m := botproto.Match{Match: id, Variant: "notakto/1", Players: s.players, Moves: moves}
	for i, player := range s.players {
		if player.ID == match.PlayerID("SHA256:"+who) {
			m.Seat = rules.Sides()[i]
		}
	}
	if s.game > 0 {
		m.Match, m.Rated, m.Pair = "game1", true, &botproto.Pair{ID: "game1", Game: s.game}
	}
	s.tells(m, who)
}

// begin seats both players.
func (s *script) begin() {
	s.opens("ann", "bob")
	s.shows("ann")
	s.shows("bob")
}

// returns reconnects a player, who is sent a match with moves.
func (s *script) returns(who string, moves ...string) {
	s.cuts(who)
	s.opens(who)
	s.shows(who, moves...)
}

func (s *script) asks(who, move string) {
	s.says(who, botproto.Request{Do: botproto.DoMove, Match: id, Move: move})
}

func move(ply int, text string) botproto.Move {
	return botproto.Move{Match: id, Ply: ply, Seat: rules.Side(2 - ply%2), Move: text}
}

// play asks for moves in turn and tells both players.
func (s *script) play(moves ...string) {
	for i, text := range moves {
		s.asks([]string{"ann", "bob"}[i%2], text)
		s.tellsBoth(move(i+1, text))
	}
}

// resigns ends the match.
func (s *script) resigns() {
	s.says("bob", botproto.Request{Do: botproto.DoResign, Match: id})
	s.tellsBoth(botproto.End{Match: id, Winner: rules.First, Reason: "resign"})
}

func abandoned(winner rules.Side) botproto.End {
	return botproto.End{Match: id, Winner: winner, Reason: "abandoned"}
}

func TestFaultsOfAMatch(t *testing.T) {
	for _, test := range []struct {
		name  string
		play  func(*script) // after the players are seated
		wants []Kind
	}{
		{"nothing is wrong", func(s *script) { s.play("A5", "A1"); s.resigns() }, nil},
		{"an acknowledged move is gone after a restart", func(s *script) {
			s.play("A5", "A1")
			s.returns("ann", "A5")
			s.returns("bob", "A5")
			s.resigns()
		}, []Kind{Lost}},
		{"a welcome without the match", func(s *script) {
			s.listed = nil
			s.returns("ann")
			s.resigns()
		}, []Kind{Unlisted}},
		{"two moves at one ply", func(s *script) {
			s.asks("ann", "A5")
			s.asks("ann", "A6")
			s.tells(move(1, "A5"), "ann")
			s.tells(move(1, "A6"), "bob")
			s.resigns()
		}, []Kind{Split}},
		{"two winners", func(s *script) {
			s.resigns()
			s.opens("eve")
			s.shows("eve")
			s.tells(botproto.End{Match: id, Winner: rules.Second, Reason: "resign"}, "eve")
		}, []Kind{Split}},
		{"other players", func(s *script) {
			s.players[0], s.players[1] = s.players[1], s.players[0]
			s.shows("ann")
			s.resigns()
		}, []Kind{Split, Garbled}},
		{"a move is told twice", func(s *script) {
			s.play("A5")
			s.tells(move(1, "A5"), "ann")
			s.resigns()
		}, []Kind{Disorder}},
		{"the end is told twice", func(s *script) { s.resigns(); s.resigns() }, []Kind{Disorder, Disorder}},
		{"a hole in a session's moves", func(s *script) {
			s.asks("ann", "A5")
			s.asks("bob", "A1")
			s.tells(move(1, "A5"), "ann")
			s.tellsBoth(move(2, "A1"))
			s.resigns()
		}, []Kind{Disorder}},
		{"a move of a match that was not told", func(s *script) {
			s.opens("eve")
			s.tells(move(1, "A5"), "eve")
			s.resigns()
		}, []Kind{Disorder}},
		{"a move after the end", func(s *script) {
			s.resigns()
			s.asks("ann", "A5")
			s.tells(move(1, "A5"), "ann")
		}, []Kind{Disorder}},
		{"a move that no player asked for", func(s *script) { s.tellsBoth(move(1, "A5")); s.resigns() },
			[]Kind{Unrequested}},
		{"a move that was refused", func(s *script) {
			s.asks("ann", "A5")
			s.tells(botproto.Error{Code: botproto.CodeCellTaken, Do: botproto.DoMove}, "ann")
			s.tellsBoth(move(1, "A5"))
			s.resigns()
		}, []Kind{Unrequested}},
		{"a move of unknown fate", func(s *script) {
			s.asks("ann", "A5")
			s.tells(botproto.Error{Code: botproto.CodeInternal, Do: botproto.DoMove}, "ann")
			s.returns("ann", "A5")
			s.tells(move(1, "A5"), "bob")
			s.resigns()
		}, nil},
		{"a move that was refused, after one of unknown fate came", func(s *script) {
			s.asks("ann", "A5")
			s.tells(botproto.Error{Code: botproto.CodeInternal, Do: botproto.DoMove}, "ann")
			s.asks("ann", "A1")
			s.tellsBoth(move(1, "A5"))
			s.tells(botproto.Error{Code: botproto.CodeNotYourTurn, Do: botproto.DoMove}, "ann")
			s.asks("bob", "A2")
			s.tellsBoth(move(2, "A2"))
			s.tellsBoth(move(3, "A1"))
			s.resigns()
		}, []Kind{Unrequested}},
		{"no player resigned", func(s *script) {
			s.tellsBoth(botproto.End{Match: id, Winner: rules.First, Reason: "resign"})
		}, []Kind{Unrequested}},
		{"it never ends", func(s *script) { s.play("A5") }, []Kind{Unfinished}},
		{"abandoned by a player who was there", func(s *script) {
			s.pass(time.Hour)
			s.tellsBoth(abandoned(rules.First))
		}, []Kind{TooSoon}},
		{"abandoned by a player who was away for a moment", func(s *script) {
			s.pass(time.Hour)
			s.cuts("bob")
			s.pass(time.Second)
			s.tells(abandoned(rules.First), "ann")
		}, []Kind{TooSoon}},
		{"abandoned as it should be", func(s *script) {
			s.cuts("bob")
			s.pass(time.Hour)
			s.tells(abandoned(rules.First), "ann")
		}, nil},
		{"abandoned by a player who only watches", func(s *script) {
			s.cuts("bob")
			s.opens("bob")
			s.tells(botproto.Match{Match: id, Variant: "notakto/1", Players: s.players}, "bob")
			s.pass(time.Hour)
			s.tellsBoth(abandoned(rules.First))
		}, nil},
		{"lost by time without a clock", func(s *script) {
			s.pass(time.Hour)
			s.tellsBoth(botproto.End{Match: id, Winner: rules.Second, Reason: "time"})
		}, []Kind{TooSoon}},
		{"not the protocol", func(s *script) { s.links["ann"].Received([]byte("panic: x")); s.resigns() },
			[]Kind{Garbled}},
	} {
		expect(t, test.name, false, func(s *script) { s.begin(); test.play(s) }, test.wants...)
	}
}

// One of several servers may not know yet what another has told.
func TestAServerMayBeBehind(t *testing.T) {
	expect(t, "behind", true, func(s *script) {
		s.begin()
		s.play("A5", "A1")
		s.listed = nil
		s.returns("ann", "A5")
		s.tells(move(2, "A1"), "ann")
		s.resigns()
	})
}

func TestTheMovesAndTheEndAreReturned(t *testing.T) {
	s, _ := run(false, func(s *script) { s.begin(); s.play("A5", "A1"); s.resigns() })
	told, err := s.Close()
	testkit.OK(t, err)
	testkit.Equal(t, len(told[id].Moves), 2)
	testkit.Equal(t, told[id].End.Winner, rules.First)
	testkit.Contains(t, s.record.String(), `ann > {"do":"move","match":"m","move":"A5"}`)
}

// pair seeks and begins the first game of a rated pair. The other functions of script are for matches without a pair.
func (s *script) pair() {
	s.game, s.listed = 1, []match.ID{"game1"}
	s.opens("ann", "bob")
	for _, who := range []string{"ann", "bob"} {
		s.says(who, botproto.Request{Do: botproto.DoSeek, Rated: true})
	}
	s.shows("ann")
	s.shows("bob")
}

// clocked plays a move of the first game and sets both clocks to left.
func (s *script) clocked(who string, ply int, text string, left time.Duration) {
	s.says(who, botproto.Request{Do: botproto.DoMove, Match: "game1", Move: text})
	m := move(ply, text)
	m.Match, m.Clocks = "game1", &wire.Clocks{left.Milliseconds(), left.Milliseconds()}
	s.tellsBoth(m)
}

// out makes an outage of which all clients are told.
func (s *script) out(lasting time.Duration) {
	s.Mark(Mark{What: "out", Out: true})
	s.tellsBoth(botproto.Notice{Message: "the server cannot save moves now"})
	s.pass(lasting)
	s.Mark(Mark{What: "over"})
}

func TestFaultsOfAPair(t *testing.T) {
	ends := func(reason string, winner rules.Side) func(*script) {
		return func(s *script) { s.tellsBoth(botproto.End{Match: "game1", Winner: winner, Reason: reason}) }
	}
	const whole = 6 * time.Minute
	for _, test := range []struct {
		name  string
		wait  time.Duration // for the first move
		play  func(*script)
		wants []Kind
	}{
		{"a first game without a move", time.Minute, ends("abandoned", rules.NoSide), nil},
		{"a first game that is void at once", time.Second, ends("abandoned", rules.NoSide), []Kind{TooSoon}},
		{"a first game lost without a move", 31 * time.Second, ends("abandoned", rules.Second), nil},
		{"a first game lost by the player who need not move", 31 * time.Second, ends("abandoned", rules.First),
			[]Kind{TooSoon}},
		{"lost by time", time.Minute, ends("time", rules.Second), nil},
		{"lost by time at once", time.Second, ends("time", rules.Second), []Kind{TooSoon}},
		{"a first move that was missing during an outage", 0, func(s *script) {
			s.out(40 * time.Second)
			ends("abandoned", rules.NoSide)(s)
		}, []Kind{TooSoon}},
		{"a second pair after one seek", time.Minute, func(s *script) {
			ends("abandoned", rules.NoSide)(s)
			s.says("ann", botproto.Request{Do: botproto.DoSeek, Rated: true})
			s.tellsBoth(botproto.Match{
				Match: "another", Variant: "notakto/4", Players: s.players, Pair: &botproto.Pair{Game: 1},
			})
			s.tellsBoth(botproto.End{Match: "another", Reason: "abandoned"})
		}, []Kind{Doubled, TooSoon}},
		{"nothing is charged", 0, func(s *script) {
			s.clocked("ann", 1, "D1", whole)
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole)
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, nil},
		{"the rest of the turn is charged", 0, func(s *script) {
			s.clocked("ann", 1, "D1", whole)
			s.pass(10 * time.Second)
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole-10*time.Second)
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, nil},
		{"the outage is charged", 0, func(s *script) {
			s.clocked("ann", 1, "D1", whole)
			s.out(time.Minute)
			s.clocked("bob", 2, "D2", whole-10*time.Second)
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, []Kind{Charged}},
		{"a move still fits on the disk", 0, func(s *script) {
			s.clocked("ann", 1, "D1", whole)
			s.pass(2 * time.Second)
			s.Mark(Mark{What: "out", Out: true})
			s.pass(stillRecorded - 1)
			s.clocked("bob", 2, "D2", whole-2*time.Second-stillRecorded)
			s.pass(time.Second)
			s.Mark(Mark{What: "over"})
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, nil},
		{"a client is told nothing", 0, func(s *script) {
			s.Mark(Mark{What: "out", Out: true})
			s.tells(botproto.Notice{Message: "the server cannot save moves now"}, "ann")
			s.pass(time.Minute)
			s.Mark(Mark{What: "over"})
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, []Kind{Untold}},
		{"a short outage", 0, func(s *script) {
			s.Mark(Mark{What: "out", Out: true})
			s.pass(toldWithin)
			s.Mark(Mark{What: "over"})
			s.pass(time.Minute)
			ends("time", rules.Second)(s)
		}, nil},
	} {
		expect(t, test.name, false, func(s *script) { s.pair(); s.pass(test.wait); test.play(s) }, test.wants...)
	}
}

// busy opens enoughPlayers sessions, because limits apply to busy servers only.
func (s *script) busy() {
	for i := range enoughPlayers {
		s.opens("eve" + string(rune('0'+i)))
	}
}

func (s *script) limitTo(limit time.Duration) { s.Mark(Mark{What: "over", Limit: limit}) }

func (s *script) seeks(who string) {
	s.says(who, botproto.Request{Do: botproto.DoSeek, Variant: "notakto/1"})
}

func TestLimits(t *testing.T) {
	frozen := func(server string) func(*script) {
		return func(s *script) {
			s.busy()
			s.Mark(Mark{What: "frozen", Exempt: server, Limit: time.Second})
			s.pass(2 * time.Second)
			s.limitTo(0)
		}
	}
	for name, test := range map[string]struct {
		play  func(*script)
		wants []Kind
	}{
		"moves in time": {func(s *script) {
			s.busy()
			s.limitTo(time.Second)
			s.play("A5")
			s.pass(time.Second)
			s.asks("bob", "A1")
			s.tellsBoth(move(2, "A1"))
		}, nil},
		"a late move": {func(s *script) { s.busy(); s.limitTo(time.Second); s.pass(2 * time.Second); s.play("A5") },
			[]Kind{Stalled}},
		"no move at all": {func(s *script) { s.busy(); s.limitTo(time.Second); s.pass(2 * time.Second); s.limitTo(0) },
			[]Kind{Stalled}},
		"a server left alone": {func(s *script) { s.limitTo(time.Second); s.pass(2 * time.Second); s.play("A5") }, nil},
		"no limit":            {func(s *script) { s.busy(); s.limitTo(0); s.pass(2 * time.Second); s.play("A5") }, nil},
		"a frozen server":     {frozen("server0"), nil},
		"beside a frozen one": {frozen("server1"), []Kind{Stalled}},
		"a seek without an answer": {func(s *script) {
			s.limitTo(time.Second)
			s.seeks("ann")
			s.pass(seekLimit + 1)
			s.tells(botproto.Seeking{}, "ann")
		}, []Kind{Stalled}},
		"two seeks": {func(s *script) {
			s.limitTo(time.Second)
			for _, who := range []string{"ann", "bob"} {
				s.seeks(who)
				s.tells(botproto.Seeking{}, who)
				s.pass(seekLimit)
			}
			s.pass(1)
			s.limitTo(0)
		}, []Kind{Stalled}},
		"a seek that is alone": {func(s *script) {
			s.limitTo(time.Second)
			s.seeks("ann")
			s.tells(botproto.Seeking{}, "ann")
			s.pass(seekLimit)
			s.seeks("bob")
			s.pass(seekLimit)
			s.limitTo(0)
		}, nil},
	} {
		expect(t, name, true, func(s *script) { s.begin(); test.play(s); s.resigns() }, test.wants...)
	}
}
