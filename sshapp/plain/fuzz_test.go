package plain

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/internal/logbuffer"
	"notakto/match/manager"
)

// For any input the output is printable lines, the session ends with its input, and no goroutine is left.
func FuzzLines(f *testing.F) {
	for _, lines := range []string{
		"", "help\nhelp all\nrules\nlevels\n", "computer random 1 first\n5\n1\nboards\nmoves\nreview all\nrematch\n",
		"private\nleave\nyes\nquit\n", "play\nplay 2\nleave\ncomputer club 2\nresign\nyes\nreview\n",
		"join K7QX\nwatch\nmatches\nmine\ngo 1\n",
		"\x1b[31m\x1b]0;title\x07\n\x00\x7f\xff\xfe\n", "help \x1b[2J\u202e\u0085\n",
		"tictactoe\ncomputer tictactoe\n5\n", "b\x7fa5\r\n\x03",
	} {
		f.Add([]byte(lines), false)
		f.Add([]byte(lines), true)
	}
	f.Fuzz(func(t *testing.T, typed []byte, echo bool) {
		synctest.Test(t, func(t *testing.T) {
			manager := manager.New(manager.Config{Seed: 7})
			defer manager.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
			defer cancel()
			out := new(logbuffer.Text)
			err := Serve(ctx, Config{Player: guy(), Manager: manager, In: bytes.NewReader(typed), Out: out, Echo: echo})
			if err != nil || ctx.Err() != nil {
				t.Fatalf("%q ends with %v, %v", typed, err, ctx.Err())
			}
			received := out.Take()
			if echo {
				received = string(bytes.ReplaceAll([]byte(received), []byte("\b \b"), nil))
			}
			for i, r := range received {
				if r != '\n' && !unicode.IsPrint(r) || r == utf8.RuneError && received[i] != "\ufffd"[0] {
					t.Fatalf("%q is answered with %q", typed, received)
				}
			}
		})
	})
}
