package player

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
	"notakto/sshapp/idle"
)

// A classic program only reads, so its input ends when the player is away. A line keeps it for another minute.
func TestTheInputOfAProgramEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys, keyboard := io.Pipe()
		var warned bytes.Buffer
		in := Env{
			Server: &Server{Idle: time.Minute}, EndInput: func(err error) { _ = keyboard.CloseWithError(err) },
		}.input(t.Context(), &cli.Call{In: keys, Err: &warned})
		began := time.Now()
		time.AfterFunc(30*time.Second, func() { _, _ = io.WriteString(keyboard, "5\n") })
		text, err := io.ReadAll(in)
		synctest.Wait() // the warning was written by another goroutine
		if string(text) != "5\n" || !errors.Is(err, idle.ErrIdle) || time.Since(began) != 90*time.Second {
			t.Errorf("the input %q ends after %v with %v", text, time.Since(began), err)
		}
		testkit.Contains(t, warned.String(), "Still there? Type a line to stay; if not, goodbye in 6s.\n")
	})
}
