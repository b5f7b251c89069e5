package player_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/plain"
)

// answer is the result of a command line.
type answer struct {
	line     string
	out, err string
	status   cli.ExitCode
	next     *player.FrontEnd // nil if the line leads to no front end
}

// ask runs a command line with typed as its input.
func ask(e player.Env, typed string, words ...string) answer {
	return askUntil(context.Background(), e, typed, words...)
}

// askUntil is ask until ctx ends. If the line leads to the plain game, askUntil plays it.
func askUntil(ctx context.Context, e player.Env, typed string, words ...string) answer {
	var out, errs bytes.Buffer
	var next *player.FrontEnd
	e.Name, e.Version = "notakto", player.Version{Version: "1.2.3"}
	e.LeadTo = func(f player.FrontEnd) { next = &f }
	in := strings.NewReader(typed)
	status, _ := cli.Run(ctx, cli.Env{
		Name: e.Name, Version: "1.2.3", In: in, Out: &out, Err: &errs, IsRemote: e.Server != nil,
	}, player.Root(e), words)
	if next != nil && next.Kind == player.Plain {
		s := e.Server
		err := plain.Serve(ctx, plain.Config{
			Player: next.Player, Accounts: s.Accounts, Caller: s.Caller, Manager: s.Manager, In: in, Out: &out,
			Start: next.Start,
		})
		status = cli.Report(&errs, cli.Failure(err), "")
	}
	return answer{strings.Join(words, " "), out.String(), errs.String(), status, next}
}

// says runs a command line on a server with the name host.
func says(s *player.Server, line string) answer {
	return ask(player.Env{Server: s, Host: "host"}, "", strings.Fields(line)...)
}

// locally runs a command line without a server.
func locally(words ...string) answer {
	return ask(player.Env{Data: func(flags *pflag.FlagSet) func(context.Context) (*store.Store, error) {
		dir := flags.String("data", "", "")
		return func(ctx context.Context) (*store.Store, error) {
			return store.OpenStopped(ctx, store.Config{Dir: *dir})
		}
	}}, "", words...)
}

// testServer returns a server for one player. Its matches end with the test.
func testServer(t *testing.T) *player.Server {
	t.Helper()
	return serverOf(t, match.NewMemory())
}

func serverOf(t *testing.T, j match.Store) *player.Server {
	t.Helper()
	manager := manager.New(manager.Config{Seed: 1, Journal: j})
	t.Cleanup(manager.Close)
	return &player.Server{Player: match.Player{ID: "a", Name: "ann"}, Manager: manager, Accounts: testkit.Accounts(t)}
}

// play opens a match against the computer, with the player at the table.
func play(t *testing.T, s *player.Server, v rules.Variant) match.ID {
	t.Helper()
	id, err := s.Manager.PlayComputer(t.Context(), s.Player, match.Terms{Variant: v}, strategy.Perfect, rules.First)
	testkit.OK(t, err)
	seat, err := s.Manager.Sit(t.Context(), id, s.Player.ID)
	testkit.OK(t, err)
	t.Cleanup(seat.Close)
	return id
}

// onScreen returns s for a terminal that can show the full screen.
func onScreen(s *player.Server) *player.Server {
	copied := *s
	copied.Screens = true
	return &copied
}

// prints expects success, with text in the output.
func (a answer) prints(t *testing.T, text string) {
	t.Helper()
	a.expect(t, cli.ExitOK, text, "")
}

// fails expects a failure without output, with text in the error.
func (a answer) fails(t *testing.T, status cli.ExitCode, text string) {
	t.Helper()
	a.expect(t, status, "", text)
}

// expect checks the status and that the streams contain out and err. Success leaves standard error empty, failure
// writes one line, and --json writes one line of JSON. No output has an escape code.
func (a answer) expect(t *testing.T, status cli.ExitCode, out, err string) {
	t.Helper()
	if a.status != status || !strings.Contains(a.out, out) || !strings.Contains(a.err, err) || out == "" &&
		a.out != "" {
		t.Errorf("%s: status %d, want %d\n%s%s\nwant\n%s%s", a.line, a.status, status, a.out, a.err, out, err)
	}
	if (a.err == "") != (status == cli.ExitOK) || a.err != "" && (!strings.HasPrefix(a.err, "notakto: ") ||
		strings.Count(a.err, "\n") != 1) {
		t.Errorf("%s: standard error is %q", a.line, a.err)
	}
	isJSON := json.Valid([]byte(a.out)) && strings.Index(a.out, "\n") == len(a.out)-1
	if strings.Contains(a.line, "--json") && status == cli.ExitOK && !isJSON {
		t.Errorf("%s: not one line of JSON: %q", a.line, a.out)
	}
	if strings.ContainsAny(a.out+a.err, "\x1b\r") {
		t.Errorf("%s: a control character in %q", a.line, a.out+a.err)
	}
}
