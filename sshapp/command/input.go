package command

import (
	"context"
	"fmt"
	"io"

	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
)

// withIdleTimeout is what is typed at a front end, for a program that does nothing but read: it ends with ctx too,
// with the cause as its error, and when nothing was typed for as long as the server allows, after a warning. Its
// goroutine ends with In.
func (e Env) withIdleTimeout(ctx context.Context) io.Reader {
	if e.Server == nil { // the process can be ended instead
		return e.In
	}
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })
	timer := idle.NewTimer(e.Server.Idle, func(timer *idle.Timer) {
		switch action, left := timer.Check(false); action {
		case idle.End:
			_ = in.CloseWithError(idle.ErrIdle)
		case idle.Warn:
			_, _ = fmt.Fprintf(e.Err, "\nStill there? Type a line to stay; if not, goodbye in %s.\n", left)
		case idle.Nothing:
		}
	})
	go func() {
		defer timer.Stop()
		buffer := make([]byte, 256)
		for {
			n, err := e.In.Read(buffer)
			timer.Activity()
			if n > 0 {
				if _, over := in.Write(buffer[:n]); over != nil {
					return
				}
			}
			if err != nil {
				_ = in.CloseWithError(err)
				return
			}
		}
	}()
	return out
}

// lines is in with its lines echoed and edited where the client does not.
func (e Env) lines(in io.Reader) io.Reader {
	if e.Echo {
		return lineedit.NewReader(in, e.Out)
	}
	return in
}
