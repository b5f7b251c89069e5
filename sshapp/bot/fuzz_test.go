package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"notakto/internal/logbuffer"
	"notakto/match/manager"
	"notakto/sshapp/bot/botproto"
)

// FuzzSession sends any input to a session in the middle of a match. The session ends with its input or after twenty
// bad lines in a row, and not before. Every answer is a line of the protocol, every bad line has its error, and no
// goroutine is left. "$M" stands for the match and "$C" for the code of a private table.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n\n", "{\n}\n", `{"do":"ping","n":7}`, `{"do":"move","match":"$M","move":"A5"}` + "\n" +
			`{"do":"move","match":"$M","move":"b5"}`,
		`{"do":"computer","level":"perfect","seat":2,"variant":"notakto/9"}` + "\n" + `{"do":"seek"}` + "\n" +
			`{"do":"cancel"}`,
		`{"do":"create"}` + "\n" + `{"do":"join","code":"$C"}` + "\n" + `{"do":"seek"}` + "\n" + `{"do":"seek"}`,
		`{"do":"resign","match":"$M"}` + "\n" + `{"do":"rematch","match":"$M"}` + "\n" +
			`{"do":"leave","match":"$M"}` + "\n" + `{"do":"state","match":"$M"}`,
		`{"do":"watch","match":"$M"}` + "\n" + `{"do":"leave","match":"$M"}` + "\n" + `{"do":"rematch","match":"$M"}`,
		strings.Repeat("x\n", 19) + `{"do":"ping","n":-0.5e-3}` + "\n" + strings.Repeat("[]\n", 19),
		strings.Repeat("x\n", 25), strings.Repeat("y", 5000) + "\n" + `{"do":"ping"}`,
		"{\"do\":\"\\ud800\",\"do\":1}\n\x00\xff\r\n",
		strings.Repeat(`{"do":"ping","n":1}`+"\n", 500), strings.Repeat(`{"do":"create"}`+"\n", 12),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<16 {
			return
		}
		synctest.Test(t, func(t *testing.T) { runInput(t, input) })
	})
}

func runInput(t *testing.T, input []byte) {
	m := manager.New(manager.Config{Seed: 7})
	defer m.Close()
	b := &harness{T: t, manager: m}
	first, second, id := b.pair("notakto/3")
	host := b.enter(cleo())
	host.says(`{"do":"create"}`)
	code := host.expects("table")[0].str("code")
	input = bytes.ReplaceAll(bytes.ReplaceAll(input, []byte("$M"), []byte(id)), []byte("$C"), []byte(code))

	var out logbuffer.Text
	err := Serve(t.Context(), Config{Player: first.player, Manager: m, In: bytes.NewReader(input), Out: &out})
	bad, run := hopeless(input)
	received, last := answers(t, out.Take())
	switch {
	case errors.Is(err, ErrBadLines):
		if last < maxBad {
			t.Fatalf("the session ended after %d bad lines in a row", last)
		}
	case err != nil:
		t.Fatalf("the session ended with %v", err)
	case run >= maxBad || received < bad:
		t.Fatalf("the session went on after %d bad lines, %d in a row, with %d errors", bad, run, received)
	}
	synctest.Wait()
	host.says(`{"do":"ping","n":1}`)
	if got := host.received(); got[len(got)-1].str("event") != "pong" {
		t.Fatalf("another session heard %s", got)
	}
	for _, c := range []*peer{first, second, host} {
		c.leaves()
	}
}

// hopeless counts the lines that are certainly bad, and the longest run of them.
func hopeless(input []byte) (all, run int) {
	now := 0
	for text := range bytes.Lines(input) {
		content := bytes.TrimSuffix(text, []byte("\n"))
		isObject := bytes.HasPrefix(bytes.TrimLeft(content, " \t\r"), []byte("{"))
		if len(content) <= botproto.MaxLine && isObject && json.Valid(content) {
			now = 0
			continue
		}
		all, now = all+1, now+1
		run = max(run, now)
	}
	return all, run
}

// answers checks that text is events. It counts the errors for bad lines, and those in a row at the end.
func answers(t *testing.T, text string) (all, run int) {
	for text := range strings.Lines(text) {
		e, err := botproto.ParseEvent([]byte(text))
		if err != nil || len(text) > botproto.MaxLine || !strings.HasSuffix(text, "\n") {
			t.Fatalf("not an event: %q (%v)", text, err)
		}
		switch e := e.(type) {
		case botproto.Error:
			switch code := string(e.Code); {
			case e.Code == botproto.CodeInternal:
				t.Fatalf("an error inside: %q", text)
			case strings.HasPrefix(code, "bad_"), e.Code == botproto.CodeLineTooLong, e.Code == botproto.CodeUnknownDo:
				all, run = all+1, run+1
			default:
				run = 0
			}
		case botproto.Pong:
			run = 0
		}
	}
	return all, run
}
