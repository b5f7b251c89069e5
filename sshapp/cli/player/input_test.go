package player

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
	"notakto/sshapp/idle"
)

// A classic program only reads. The end of its input is the only way to stop it when the server stops.
func TestTheInputOfAProgramEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := errors.New("the server is stopping")
		for _, test := range []struct {
			want error
			end  func(stop context.CancelCauseFunc, keyboard *io.PipeWriter)
		}{
			{stopped, func(stop context.CancelCauseFunc, _ *io.PipeWriter) { stop(stopped) }},
			{idle.ErrIdle, func(context.CancelCauseFunc, *io.PipeWriter) {}}, // without input
			{io.EOF, func(_ context.CancelCauseFunc, keyboard *io.PipeWriter) { _ = keyboard.Close() }},
		} {
			ctx, stop := context.WithCancelCause(t.Context())
			keys, keyboard := io.Pipe()
			var warned bytes.Buffer
			in := Env{
				Server: &Server{Idle: time.Minute}, EndInput: func(err error) { _ = keyboard.CloseWithError(err) },
			}.input(ctx, &cli.Call{In: keys, Err: &warned})
			go func() { _, _ = io.WriteString(keyboard, "5\n") }()
			if n, err := in.Read(make([]byte, 10)); n != 2 || err != nil {
				t.Errorf("read %d bytes, %v", n, err)
			}
			go test.end(stop, keyboard)
			if _, err := in.Read(make([]byte, 10)); !errors.Is(err, test.want) {
				t.Errorf("the input ends with %v, want %v", err, test.want)
			}
			synctest.Wait()
			testkit.Equal(t, strings.Contains(warned.String(), "goodbye in 6s"), errors.Is(test.want, idle.ErrIdle),
				test.want, warned.String())
			_ = keys.Close()
			stop(nil)
		}
	})
}
