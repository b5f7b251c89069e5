package botproto

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wire"
)

// Existing bots depend on these bytes.
func TestEventsAreEncodedAndReadBack(t *testing.T) {
	board := "A"
	players := [2]wire.Player{{ID: "a", Name: "ann"}, {ID: "b", Name: "bob", Guest: true}}
	written := map[string]bool{}
	for _, test := range []struct {
		event Event
		want  string
	}{
		{
			Welcome{Protocol: Version, Player: players[0], Matches: []match.ID{"m"}},
			`{"event":"welcome","protocol":1,"player":{"id":"a","name":"ann","guest":false},"matches":["m"]}`,
		},
		{
			Welcome{Matches: []match.ID{}},
			`{"event":"welcome","protocol":0,"player":{"id":"","name":"","guest":false},"matches":[]}`,
		},
		{Seeking{Variant: "notakto/3"}, `{"event":"seeking","variant":"notakto/3"}`},
		{Seeking{Variant: "notakto/3", Clock: "3+2"}, `{"event":"seeking","variant":"notakto/3","clock":"3+2"}`},
		{Cancelled{}, `{"event":"cancelled"}`},
		{Table{Code: "K7QX", Match: "m"}, `{"event":"table","code":"K7QX","match":"m"}`},
		{
			Match{
				Match: "m", Variant: "tictactoe", Seat: rules.Second, Players: players, Moves: []string{"5"},
				Turn: rules.Second, Position: "....O....", Code: "K7QX",
			},
			`{"event":"match","match":"m","variant":"tictactoe","seat":2,"players":[{"id":"a","name":"ann","guest":false},` +
				`{"id":"b","name":"bob","guest":true}],"moves":["5"],"turn":2,"position":"....O....","over":false,"code":"K7QX"}`,
		},
		{
			Move{Match: "m", Ply: 3, Seat: rules.First, Move: "A3", Died: &board},
			`{"event":"move","match":"m","ply":3,"seat":1,"move":"A3","died":"A","turn":0}`,
		},
		{
			Move{Match: "m", Ply: 1, Seat: rules.First, Move: "A3", Turn: rules.Second},
			`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2}`,
		},
		{
			Match{
				Match: "m", Variant: "notakto/1", Players: players, Moves: []string{}, Clock: "1d",
				Clocks: &wire.Clocks{86_400_000, 0},
			},
			`{"event":"match","match":"m","variant":"notakto/1","seat":0,"players":[{"id":"a","name":"ann","guest":false},` +
				`{"id":"b","name":"bob","guest":true}],"moves":[],"turn":0,"position":"","over":false,` +
				`"clock":"1d","clocks":[86400000,0]}`,
		},
		{
			Move{Match: "m", Ply: 1, Seat: rules.First, Move: "A3", Turn: rules.Second, Clocks: &wire.Clocks{1, 2}},
			`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2,"clocks":[1,2]}`,
		},
		{
			Seeking{Variant: "notakto/4", Clock: "6+0", Rated: true},
			`{"event":"seeking","variant":"notakto/4","clock":"6+0","rated":true}`,
		},
		{
			Match{
				Match: "m", Variant: "notakto/1", Players: players, Moves: []string{}, Rated: true,
				Pair: &Pair{"f", 2, "f"}, Opening: &wire.Opening{Hash: "h"},
			},
			`{"event":"match","match":"m","variant":"notakto/1","seat":0,"players":[{"id":"a","name":"ann","guest":false},` +
				`{"id":"b","name":"bob","guest":true}],"moves":[],"turn":0,"position":"","over":false,"rated":true,` +
				`"pair":{"id":"f","game":2,"other":"f"},"opening":{"hash":"h"}}`,
		},
		{
			End{Match: "m", Winner: rules.First, Reason: "boards", PairResult: new(0)},
			`{"event":"end","match":"m","winner":1,"reason":"boards","pair_result":0}`,
		},
		{End{Match: "m", Winner: rules.First, Reason: "boards"}, `{"event":"end","match":"m","winner":1,"reason":"boards"}`},
		{
			Takeback{Match: "m", Seat: rules.First, Ply: 2, Turn: rules.First, Position: "p", Clocks: &wire.Clocks{1, 2}},
			`{"event":"takeback","match":"m","seat":1,"ply":2,"turn":1,"position":"p","clocks":[1,2]}`,
		},
		{Asked{Match: "m", Seat: 2, What: DoHint}, `{"event":"asked","match":"m","seat":2,"what":"hint"}`},
		{
			Asked{Match: "m", What: DoTakeback, Answer: "declined"},
			`{"event":"asked","match":"m","seat":0,"what":"takeback","answer":"declined"}`,
		},
		{
			Hint{Match: "m", Ply: 1, Move: "5", Verdict: "win", Text: "t"},
			`{"event":"hint","match":"m","ply":1,"move":"5","verdict":"win","text":"t"}`,
		},
		{
			Challenge{
				Match: "m", State: "accepted", From: players[0], To: &players[1], Variant: "notakto/4", Clock: "1d",
				Rated: true,
				Since: time.Unix(0, 0).UTC(), Expires: time.Unix(60, 0).UTC(),
			},
			`{"event":"challenge","match":"m","state":"accepted","from":{"id":"a","name":"ann","guest":false},` +
				`"to":{"id":"b","name":"bob","guest":true},"variant":"notakto/4","clock":"1d","rated":true,` +
				`"since":"1970-01-01T00:00:00Z","expires":"1970-01-01T00:01:00Z"}`,
		},
		{
			Board{Challenges: []Challenge{{
				State: "waiting", From: players[0], Variant: "tictactoe", Since: time.Unix(0, 0).UTC(),
			}}},
			`{"event":"board","challenges":[{"state":"waiting","from":{"id":"a","name":"ann","guest":false},` +
				`"variant":"tictactoe","since":"1970-01-01T00:00:00Z"}]}`,
		},
		{Board{Challenges: []Challenge{}}, `{"event":"board","challenges":[]}`},
		{Presence{Match: "m", Seat: rules.Second}, `{"event":"presence","match":"m","seat":2,"present":false}`},
		{Error{Code: CodeBadJSON, Message: "a < b"}, `{"event":"error","code":"bad_json","message":"a \u003c b"}`},
		{Error{Code: CodeCellTaken, Do: DoMove}, `{"event":"error","code":"cell_taken","message":"","do":"move"}`},
		{Pong{}, `{"event":"pong"}`},
		{Pong{N: "1e999"}, `{"event":"pong","n":1e999}`},
		{Notice{Message: "bye"}, `{"event":"notice","message":"bye"}`},
	} {
		line, err := Encode(test.event)
		if err != nil || string(line) != test.want+"\n" {
			t.Errorf("%+v is encoded as %s (%v)\nwant %s", test.event, line, err, test.want)
		}
		written[test.event.Name()] = true
		if back, err := ParseEvent(line); err != nil || !reflect.DeepEqual(back, test.event) {
			t.Errorf("%s is read back as %+v (%v)", line, back, err)
		}
	}
	for _, name := range EventNames() {
		if !written[name] {
			t.Errorf("no %s event is tested", name)
		}
	}
}

func TestOtherLinesAreNoEvents(t *testing.T) {
	for _, line := range []string{
		"", "null", "[]", "x", "{}", `{"event":"dance"}`, `{"event":7}`, `{"event":"move","ply":"1"}`,
		`{"event":"move","seat":-1}`, `{"event":"pong"}{}`, `{"do":"ping"}`,
	} {
		if e, err := ParseEvent([]byte(line)); !errors.Is(err, ErrBadEvent) {
			t.Errorf("%q is read as %+v (%v)", line, e, err)
		}
	}
}

func TestRequestsAreEncodedAndReadBack(t *testing.T) {
	full := Request{
		Do: DoComputer, Match: "m", Move: "A5", Variant: "notakto/3", Level: "club", Seat: rules.Second, Code: "K7QX",
		Clock: "3+2", Opponent: "gus", N: "7",
	}
	line, err := full.Encode()
	want := `{"do":"computer","match":"m","move":"A5","variant":"notakto/3","level":"club","seat":2,` +
		`"code":"K7QX","clock":"3+2","opponent":"gus","n":7}` + "\n"
	if err != nil || string(line) != want {
		t.Fatalf("encoded as %s (%v)\nwant %s", line, err, want)
	}
	raw, err := ParseRequest(line)
	if err != nil || raw.Do != DoComputer {
		t.Fatalf("read back as %+v (%v)", raw, err)
	}
	for name, want := range map[string]string{
		"match": "m", "move": "A5", "variant": "notakto/3", "level": "club", "code": "K7QX", "clock": "3+2",
		"opponent": "gus",
	} {
		if got, err := raw.Text(name); err != nil || got != want || !raw.Has(name) {
			t.Errorf("%s is read back as %q (%v)", name, got, err)
		}
	}
	for name, want := range map[string]json.Number{"seat": "2", "n": "7"} {
		if got, err := raw.Number(name); err != nil || got != want {
			t.Errorf("%s is read back as %q (%v)", name, got, err)
		}
	}
	if line, err := Ping(0).Encode(); err != nil || string(line) != `{"do":"ping","n":0}`+"\n" {
		t.Errorf("a ping is encoded as %s (%v)", line, err)
	}
}

func TestUnknownFieldsAreNotKept(t *testing.T) {
	raw, err := ParseRequest([]byte(`{"do":"ping","x":` + strings.Repeat("[", 9) + strings.Repeat("]", 9) + `,"N":1}`))
	if err != nil || raw.Has("x") || raw.Has("N") || raw.Has("n") {
		t.Errorf("%+v (%v)", raw, err)
	}
}

// Any line is parsed or refused. A parsed line means the same after Encode.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2}`, `{"event":"pong","n":-0.5e-3}`,
		`{"do":"computer","level":"club","seat":2}`, `{"do":"ping","do":1}`, `{"event":"match","players":null}`, "[]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if _, err := ParseRequest(line); err != nil && !errors.Is(err, ErrBadJSON) {
			t.Errorf("%q: %v", line, err)
		}
		e, err := ParseEvent(line)
		if err != nil {
			return
		}
		again, err := Encode(e)
		if err != nil {
			t.Fatalf("%+v cannot be encoded: %v", e, err)
		}
		if back, err := ParseEvent(again); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%+v is read back as %+v (%v)", e, back, err)
		}
	})
}

// The start of a rated match is what its boards hold besides the moves.
func TestStart(t *testing.T) {
	for want, m := range map[string]Match{
		"........./.........": {Variant: "notakto/2", Position: "X......../.........", Moves: []string{"A7"}},
		".........":           {Variant: "tictactoe", Position: "........."},
		"..X....../....X....": {
			Variant: "notakto/2", Position: "X.X....../....X...X", Moves: []string{"A7", "B3"}, Rated: true,
		},
		"....X....": {Variant: "notakto/1", Position: "....X....", Rated: true},
	} {
		if got, err := m.Start(); err != nil || got.String() != want || got.Variant().String() != m.Variant {
			t.Errorf("%+v begins with %v, %v", m, got, err)
		}
	}
	for _, m := range []Match{
		{Variant: "chess"},
		{Variant: "notakto/1", Position: "x", Rated: true},
		{Variant: "notakto/1", Moves: []string{"king"}, Rated: true},
	} {
		if got, err := m.Start(); err == nil {
			t.Errorf("%+v begins with %v", m, got)
		}
	}
}
