package admin

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/anmitsu/go-shlex"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/cli"
)

// emptyServer is a server without sessions, peers or settings.
type emptyServer struct{}

func (emptyServer) Status() Status { return Status{} }

func (emptyServer) Sessions() []Session { return nil }

func (emptyServer) Servers() []Peer { return nil }

func (emptyServer) Ban(_ context.Context, b account.Ban, _ time.Duration, _ bool) (account.Ban, int, error) {
	return b, 0, nil
}

func (emptyServer) Kick(string, string) (Delivery, error) { return Delivery{}, nil }

func (emptyServer) Say(string, string) (Delivery, error) { return Delivery{}, nil }

func (emptyServer) StartDrain(string, time.Duration) error { return nil }

func (emptyServer) CancelDrain(string) error { return nil }

func (emptyServer) DrainStatus() DrainStatus { return DrainStatus{} }

func (emptyServer) AnnounceMaintenance(time.Duration, string) error { return nil }

func (emptyServer) EndMaintenance() error { return nil }

func (emptyServer) MaintenanceStatus() MaintenanceStatus { return MaintenanceStatus{} }

// newOperator returns an operator of an emptyServer.
func newOperator(t testing.TB) *Operator {
	t.Helper()
	m := manager.New(manager.Config{Journal: match.NewMemory()})
	t.Cleanup(m.Close)
	return &Operator{
		Server: emptyServer{}, Accounts: testkit.Accounts(t), Manager: m, Process: Process{
			Reload: func() (Reloaded, error) { return Reloaded{}, nil }, Level: new(slog.LevelVar),
		},
	}
}

// runCommand runs a command line and returns the output, the error text, the exit status and the record.
func runCommand(
	o *Operator, role cli.Role, words ...string,
) (out, complaint string, status cli.ExitCode, record cli.Record) {
	var stdout, stderr bytes.Buffer
	status, _ = cli.Run(context.Background(), cli.Env{
		Name: "ssh HOST", In: strings.NewReader(""), Out: &stdout, Err: &stderr, IsRemote: true, Role: role,
		Record: func(r cli.Record) { record = r },
	}, cli.Command{Use: "notakto", Sub: []cli.Command{o.Command()}}, words)
	return stdout.String(), stderr.String(), status, record
}

// leafCommands returns the commands without subcommands, by their names.
func leafCommands(c cli.Command, name string) map[string]cli.Command {
	all := map[string]cli.Command{}
	for _, sub := range c.Sub {
		word, _, _ := strings.Cut(sub.Use, " ")
		maps.Copy(all, leafCommands(sub, strings.TrimSpace(name+" "+word)))
	}
	if c.Run != nil {
		all[name] = c
	}
	return all
}

// A command has a role and is recorded.
func TestEveryCommandIsGuarded(t *testing.T) {
	free := map[string]bool{"status": true, "who": true, "kick": true, "say": true, "ban add": true, "ban list": true,
		"ban check": true, "ban remove": true, "match list": true, "match show": true,
		"host-key": true}
	o := newOperator(t)
	for name, c := range leafCommands(o.Command(), "") {
		if want := map[bool]cli.Role{true: cli.Moderator, false: cli.Administrator}[free[name]]; c.Role != want {
			t.Errorf("%s is for the role %q, want %q", name, c.Role, want)
		}
		isFile := name == "backup" || name == "export" || name == "player export"
		if c.JSON == isFile {
			t.Errorf("%s has --json: %v", name, c.JSON)
		}
		if c.Short == "" {
			t.Errorf("%s says nothing about itself", name)
		}
	}
	recorded := func(command, object, reason, status string) cli.Record {
		return cli.Record{Command: command, Object: object, Reason: reason, Status: status}
	}
	for _, row := range []struct {
		role   cli.Role
		line   string
		record cli.Record
		want   string // part of the error
	}{
		{cli.Moderator, "reload", recorded("reload", "", "", cli.StatusRefused), errRefused},
		{cli.Moderator, "maintenance off", recorded("maintenance off", "", "", cli.StatusRefused), errRefused},
		{cli.Moderator, "match end x --reason a b", recorded("match end", "x b", "a", cli.StatusRefused), errRefused},
		{cli.Moderator, "kick 1.1 --reason a b", recorded("kick", "1.1", "a b", cli.StatusOK), ""},
		{cli.Administrator, "ban add 192.0.2.7 --reason x", recorded("ban add", "192.0.2.7", "x", cli.StatusFailed),
			"--for"},
		{cli.Administrator, "reload --json", recorded("reload", "", "", cli.StatusOK), ""},
		{cli.Player, "status", cli.Record{}, "takes no argument"},
	} {
		_, complaint, status, record := runCommand(o, row.role,
			append([]string{"admin"}, strings.Fields(row.line)...)...)
		if record != row.record || !strings.Contains(complaint, row.want) ||
			(status == cli.ExitOK) != (row.want == "") {
			t.Errorf("%q of %q: %d %q, recorded as %+v", row.line, row.role, status, complaint, record)
		}
	}
}

// errRefused is part of the error that a moderator gets.
const errRefused = "your key has the role moderator"

// A line after admin gets either its answer or an error of one line.
func FuzzWords(f *testing.F) {
	for _, line := range []string{
		"status", "who --json", "'", `"`, "--", "-- status", "who --address \x1b[31m", "who --match --", "\x00",
		"help", "-h", "nonsense --x", "kick 1.1 --reason", "kick @\x1b", "kick '' --reason ''",
		"say -- --to x", "say 'a\x1b]0;b\x07'", "say \xff\u202e", "say --to", "drain --within=-1h", "drain -- cancel",
		"maintenance", "maintenance on --in 1e9h --message \"'\"", "log-level \x7f", "reload --json=maybe",
		"audit --since 1d", "audit --since x",
		"ban add 192.0.2.7 --for 1h --reason x", "ban add @x", "ban check ssh-ed25519 AAAA",
		"ban remove B1", "ban list --json", "ban", "audit --json",
	} {
		f.Add(line)
	}
	f.Add(strings.Repeat("a ", 2048))
	f.Add("say " + strings.Repeat("\x1b", 4092))
	f.Fuzz(func(t *testing.T, line string) {
		words, err := shlex.Split("admin "+line, true)
		if err != nil || cli.IsCompletionRequest(words) {
			return // the server refuses the line earlier
		}
		_, complaint, status, _ := runCommand(newOperator(t), cli.Administrator, words...)
		if status != cli.ExitOK && (strings.Count(complaint, "\n") != 1 || !strings.HasSuffix(complaint, "\n") ||
			strings.ContainsFunc(strings.TrimSuffix(complaint, "\n"),
				func(r rune) bool { return r < ' ' || r == 0x7f })) {
			t.Errorf("%q: %d %q", line, status, complaint)
		}
		isMissing := strings.Contains(complaint, "there is no ban") || strings.Contains(complaint, "is not banned") ||
			strings.Contains(complaint, "has claimed the name") || strings.Contains(complaint, errNoAudit.Error())
		if status != cli.ExitOK && status != cli.ExitUsage && !isMissing {
			t.Errorf("%q ends with %d: %s", line, status, complaint) // no other command of this operator can fail
		}
	})
}
