package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"notakto/internal/rig"
)

const starts = 5

// measureStarts measures the starts with the archive, and the CPU of a server without a session.
func (o *options) measureStarts(ctx context.Context, f *figures) error {
	if o.archive == "" {
		o.archive = filepath.Join(o.dir, "archive")
		fill := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkArchive$", "-benchtime", "1x",
			"-timeout", "1h", "notakto/match/store", "-archive", o.archive)
		if text, err := fill.CombinedOutput(); err != nil {
			return fmt.Errorf("write the archive: %w\n%s", err, text)
		}
	}
	var took [2]rig.Times // after a crash, after a stop
	for i := range 2 * starts {
		s := o.startNotakto(ctx, o.archive)
		if s.err == nil {
			took[i/starts] = append(took[i/starts], s.Startup())
		}
		if i == 2*starts-1 {
			s.pause(3 * rest)
			f.idle = share(s.used("idle", func() { s.pause(3 * o.window()) }), 3*o.window())
		}
		end := syscall.SIGINT
		if i < starts-1 { // the next start reads the log of the database again
			end = syscall.SIGKILL
		}
		if s.stop(end); s.err != nil {
			return s.err
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	f.crashed, f.stopped = took[0][starts/2], took[1][starts/2]
	return nil
}
