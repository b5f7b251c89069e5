package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"notakto/sshapp/idle"
)

func TestLinesAreEditedAsTheyAreTyped(t *testing.T) {
	for _, test := range []struct{ typed, read, shown string }{
		{"5\r", "5\n", "5\n"},
		{"5\r\n6\n", "5\n6\n", "5\n6\n"},
		{"ab\x7fc\r", "ac\n", "ab\b \bc\n"},
		{"\x08é\x7f\r", "\n", "é\b \b\n"},
		{"abc\x15d\r", "d\n", "abc\b \b\b \b\b \bd\n"},
		{"\x1b[A\x1bOP\x1b[1;5Cx\t\x00\r", "x\n", "x\n"},
		{"1\r2\x03 3\r", "1\n", "1\n2\n"}, // what was not finished is not given away
		{"1\r\x04 3\r", "1\n", "1\n\n"},
		{"no end", "no end", "no end"},
		{strings.Repeat("x", 5000) + "\r", strings.Repeat("x", maxLine) + "\n", strings.Repeat("x", maxLine) + "\n"},
	} {
		for _, keys := range []io.Reader{strings.NewReader(test.typed), iotest.OneByteReader(strings.NewReader(test.typed))} {
			var shown bytes.Buffer
			read, err := io.ReadAll(&lineEditor{keys: keys, shown: &shown})
			if err != nil || string(read) != test.read || shown.String() != test.shown {
				t.Errorf("%.40q reads as %.40q and shows %.40q (%v)", test.typed, read, shown.String(), err)
			}
		}
	}
}

// A classic program does nothing but read, so nothing else could end it when the server stops.
func TestTheInputOfAProgramEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := errors.New("the server is stopping")
		for _, test := range []struct {
			want error
			end  func(stop context.CancelCauseFunc, keyboard *io.PipeWriter)
		}{
			{stopped, func(stop context.CancelCauseFunc, _ *io.PipeWriter) { stop(stopped) }},
			{idle.ErrIdle, func(context.CancelCauseFunc, *io.PipeWriter) {}}, // the clock runs on
			{io.EOF, func(_ context.CancelCauseFunc, keyboard *io.PipeWriter) { _ = keyboard.Close() }},
		} {
			ctx, stop := context.WithCancelCause(t.Context())
			keys, keyboard := io.Pipe()
			var warned bytes.Buffer
			in := Env{In: keys, Err: &warned, Server: &Server{Idle: time.Minute}}.withIdleTimeout(ctx)
			go func() { _, _ = io.WriteString(keyboard, "5\n") }()
			if n, err := in.Read(make([]byte, 10)); n != 2 || err != nil {
				t.Errorf("read %d bytes, %v", n, err)
			}
			go test.end(stop, keyboard)
			if _, err := in.Read(make([]byte, 10)); !errors.Is(err, test.want) {
				t.Errorf("the input ends with %v, want %v", err, test.want)
			}
			synctest.Wait()
			if received := strings.Contains(warned.String(), "goodbye in 6s"); received != errors.Is(test.want, idle.ErrIdle) {
				t.Errorf("before it ended with %v %q was said", test.want, warned.String())
			}
			_ = keys.Close()
			stop(nil)
		}
	})
}
