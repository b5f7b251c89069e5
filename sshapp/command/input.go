package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
)

// withIdleTimeout is what is typed at a front end, for a program that does nothing but read: it ends with ctx too,
// with the cause as its error, and when nothing was typed for as long as the house allows, after a warning. Its
// goroutine ends with In.
func (d Env) withIdleTimeout(ctx context.Context) io.Reader {
	if d.Server == nil { // the process can be ended instead
		return d.In
	}
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(context.Cause(ctx)) })
	limit := cmp.Or(d.Server.Idle, math.MaxInt64)
	rule := idle.NewRule(limit)
	left := rule.Warning()
	warning := time.AfterFunc(limit-left, func() {
		_, _ = fmt.Fprintf(d.Err, "\nStill there? Type a line to stay; if not, goodbye in %s.\n", left)
	})
	end := time.AfterFunc(limit, func() { _ = in.CloseWithError(idle.ErrIdle) })
	go func() {
		defer end.Stop()
		defer warning.Stop()
		buffer := make([]byte, 256)
		for {
			n, err := d.In.Read(buffer)
			warning.Reset(limit - left)
			end.Reset(limit)
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

// lines is in with its lines shown and edited where nobody else does that.
func (d Env) lines(in io.Reader) io.Reader {
	if d.Echo {
		return lineedit.NewReader(in, d.Out)
	}
	return in
}
