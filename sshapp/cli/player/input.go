package player

import (
	"context"
	"fmt"
	"io"

	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
)

// withIdleTimeout returns a reader of e.In. Its Read fails with ctx's cause when ctx ends, and with [idle.ErrIdle]
// after Server.Idle without input; a warning is written to e.Err before. The goroutine that copies e.In lives until a
// Read of e.In returns. Without a server it returns e.In.
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
