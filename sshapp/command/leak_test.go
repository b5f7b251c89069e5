package command_test

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/sshapp/command"
)

// Every command over SSH left the flags of all of them in cobra, for ever.
func TestNothingOfATreeStays(t *testing.T) {
	var left []weak.Pointer[pflag.Flag]
	func() {
		root := command.New(command.Env{
			Name: "ssh HOST", In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Server: testServer(t),
		})
		for _, line := range []string{"help", "version", "matches", "analyse 0", "play --computer club"} {
			_ = command.Run(t.Context(), root, strings.Fields(line))
		}
		remember := func(cmd *cobra.Command) {
			cmd.Flags().VisitAll(func(f *pflag.Flag) { left = append(left, weak.Make(f)) })
		}
		remember(root)
		for _, cmd := range root.Commands() {
			remember(cmd)
		}
	}()
	runtime.GC()
	runtime.GC()
	for _, p := range left {
		if f := p.Value(); f != nil {
			t.Errorf("--%s (%s) is kept", f.Name, f.Usage)
		}
	}
	if len(left) < 5 {
		t.Errorf("%d flags", len(left))
	}
}
