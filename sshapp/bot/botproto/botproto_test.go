package botproto

import (
	"errors"
	"reflect"
	"testing"

	"notakto/internal/testkit"
	"notakto/rules"
)

// Existing bots depend on these bytes. A field with another name, type or place changes them.
func TestEventsAreReadAndEncodedAgain(t *testing.T) {
	const (
		ann     = `{"id":"a","name":"ann","guest":false}`
		players = `"players":[` + ann + `,{"id":"b","name":"bob","guest":true}]`
	)
	written := map[string]bool{}
	for _, line := range []string{
		`{"event":"welcome","protocol":1,"player":` + ann + `,"matches":["m"]}`,
		`{"event":"welcome","protocol":0,"player":{"id":"","name":"","guest":false},"matches":[]}`,
		`{"event":"seeking","variant":"notakto/3"}`,
		`{"event":"seeking","variant":"notakto/4","clock":"6+0","rated":true}`,
		`{"event":"cancelled"}`,
		`{"event":"table","code":"K7QX","match":"m"}`,
		`{"event":"match","match":"m","variant":"tictactoe","seat":2,` + players +
			`,"moves":["5"],"turn":2,"position":"....O....","over":false,"code":"K7QX"}`,
		`{"event":"match","match":"m","variant":"notakto/1","seat":0,` + players +
			`,"moves":[],"turn":0,"position":"","over":false,"clock":"1d","clocks":[86400000,0]}`,
		`{"event":"match","match":"m","variant":"notakto/1","seat":0,` + players +
			`,"moves":[],"turn":0,"position":"","over":false,"rated":true,` +
			`"pair":{"id":"f","game":2,"other":"f"},"opening":{"hash":"h"}}`,
		`{"event":"move","match":"m","ply":3,"seat":1,"move":"A3","died":"A","turn":0}`,
		`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2,"clocks":[1,2]}`,
		`{"event":"end","match":"m","winner":1,"reason":"boards","pair_result":0}`,
		`{"event":"end","match":"m","winner":1,"reason":"boards"}`,
		`{"event":"takeback","match":"m","seat":1,"ply":2,"turn":1,"position":"p","clocks":[1,2]}`,
		`{"event":"asked","match":"m","seat":2,"what":"hint"}`,
		`{"event":"asked","match":"m","seat":0,"what":"takeback","answer":"declined"}`,
		`{"event":"hint","match":"m","ply":1,"move":"5","verdict":"win","text":"t"}`,
		`{"event":"challenge","match":"m","state":"accepted","from":` + ann + `,"to":` + ann +
			`,"variant":"notakto/4","clock":"1d","rated":true,` +
			`"since":"1970-01-01T00:00:00Z","expires":"1970-01-01T00:01:00Z"}`,
		`{"event":"board","challenges":[{"state":"waiting","from":` + ann +
			`,"variant":"tictactoe","since":"1970-01-01T00:00:00Z"}]}`,
		`{"event":"board","challenges":[]}`,
		`{"event":"presence","match":"m","seat":2,"present":false}`,
		`{"event":"error","code":"bad_json","message":"a \u003c b"}`,
		`{"event":"error","code":"cell_taken","message":"","do":"move"}`,
		`{"event":"pong"}`,
		`{"event":"pong","n":1e999}`,
		`{"event":"notice","message":"bye"}`,
	} {
		e, err := ParseEvent([]byte(line))
		testkit.OK(t, err)
		again, err := Encode(e)
		testkit.OK(t, err)
		testkit.Equal(t, string(again), line+"\n")
		written[e.Name()] = true
	}
	for _, name := range EventNames() {
		if !written[name] {
			t.Errorf("no %s event is tested", name)
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
	testkit.OK(t, err)
	text, err := raw.Text("opponent")
	testkit.OK(t, err)
	number, err := raw.Number("seat")
	if err != nil || raw.Do != DoComputer || text != "gus" || number != "2" || raw.Has("x") {
		t.Fatalf("read back as %+v (%v)", raw, err)
	}
	if line, err := Ping(0).Encode(); err != nil || string(line) != `{"do":"ping","n":0}`+"\n" {
		t.Errorf("a ping is encoded as %s (%v)", line, err)
	}
}

// Any line is parsed or refused. A parsed line means the same after Encode.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"event":"move","match":"m","ply":1,"seat":1,"move":"A3","died":null,"turn":2}`, `{"event":"pong","n":-0.5e-3}`,
		`{"do":"computer","level":"club","seat":2}`, `{"do":"ping","do":1}`, `{"event":"match","players":null}`, "[]",
		"", `{"event":"dance"}`, `{"event":7}`, `{"event":"move","seat":-1}`, `{"event":"pong"}{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if _, err := ParseRequest(line); err != nil && !errors.Is(err, ErrBadJSON) {
			t.Errorf("%q: %v", line, err)
		}
		e, err := ParseEvent(line)
		if err != nil {
			testkit.ErrorIs(t, err, ErrBadEvent)
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
