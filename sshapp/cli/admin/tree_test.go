package admin

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/anmitsu/go-shlex"

	"notakto/match"
	"notakto/match/account"
	"notakto/rules"
	"notakto/sshapp/cli/player"
)

// nothing is a server without anything.
type nothing struct{}

func (nothing) Status() Status { return Status{} }

func (nothing) Sessions() []Session { return nil }

func (nothing) Servers() []Peer { return nil }

func (nothing) Kick(string, string) (Reached, error) { return Reached{}, nil }

func (nothing) Say(string, string) (Reached, error) { return Reached{}, nil }

func (nothing) BeginDrain(string, time.Duration) error { return nil }

func (nothing) CancelDrain(string) error { return nil }

func (nothing) DrainStatus() DrainStatus { return DrainStatus{} }

func (nothing) AnnounceMaintenance(time.Duration, string) error { return nil }

func (nothing) EndMaintenance() error { return nil }

func (nothing) MaintenanceStatus() MaintenanceStatus { return MaintenanceStatus{} }

func (nothing) Checks() []Check { return nil }

func (nothing) Reload() (Reloaded, error) { return Reloaded{}, nil }

func (nothing) LogLevel() string { return "info" }

func (nothing) SetLogLevel(string) {}

// noAccounts returns accounts about which nothing was decided.
func noAccounts(t testing.TB) *account.Accounts {
	t.Helper()
	log := new(account.Memory)
	directory, stop, err := account.Open(t.Context(), log, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return account.New(account.Config{
		Directory: directory, Log: log, Clean: strings.TrimSpace, Looks: func(name string) []string { return []string{name} },
	})
}

func (nothing) Matches() []*match.Snapshot { return nil }

func (nothing) Now() time.Time { return time.Time{} }

func (nothing) History(context.Context, match.ID) ([]match.State, error) {
	return nil, match.ErrNoSuchMatch
}

func (nothing) End(context.Context, match.ID, rules.Side) (*match.State, error) {
	return nil, match.ErrNoSuchMatch
}

// onNothing is where commands are given by one with a role to such a server.
func onNothing(t testing.TB, role Role) Env {
	t.Helper()
	return Env{
		Role: role, Server: nothing{}, Accounts: noAccounts(t), Matches: nothing{}, Process: nothing{},
		Audit:  new(auditOf),
		Record: func(Record) {},
	}
}

// runs gives a command, and returns what it prints and how it ends.
func runs(e Env, words ...string) (out, complaint string, status player.ExitCode) {
	var stdout, stderr bytes.Buffer
	env := player.Env{Name: "ssh HOST", In: strings.NewReader(""), Out: &stdout, Err: &stderr, Server: &player.Server{}}
	if cmd := New(e); cmd != nil {
		env.More = append(env.More, cmd)
	}
	root := player.New(env)
	err := player.Run(context.Background(), root, words)
	status = player.Report(root, words, err)
	return stdout.String(), stderr.String(), status
}

// Every command passes the one place that decides who may give it, and is recorded there.
func TestEveryCommandIsGuarded(t *testing.T) {
	free := map[string]bool{"status": true, "who": true, "kick": true, "say": true, "ban add": true, "ban list": true,
		"ban check": true, "ban remove": true, "match list": true, "match show": true}
	for _, name := range Commands() {
		var records []Record
		e := onNothing(t, Moderator)
		e.Record = func(r Record) { records = append(records, r) }
		cmd, _, err := New(e).Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		cmd.SetOut(io.Discard)
		err = cmd.RunE(cmd, []string{"status"})
		if refusal := err != nil && err.Error() == errModerator.Error(); refusal == free[name] {
			t.Errorf("%s: a moderator gets %v", name, err)
		}
		if len(records) != 1 || records[0].Command != name || (records[0].Status == refused) == free[name] {
			t.Errorf("%s: recorded as %v", name, records)
		}
		isFile := name == "backup" || name == "export" || name == "player export"
		if cmd.Flags().Lookup("json") == nil && !isFile {
			t.Errorf("%s has no --json", name)
		}
		if cmd.Short == "" || cmd.Args == nil {
			t.Errorf("%s says nothing about itself, or of its arguments", name)
		}
	}
	if New(Env{}) != nil {
		t.Error("a player has commands")
	}
}

// Whatever is typed behind admin, the answer is one line or what was asked for.
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
		if err != nil || player.IsCompletionRequest(words) {
			return // refused before
		}
		_, complaint, status := runs(onNothing(t, Administrator), words...)
		if status != player.ExitOK && (strings.Count(complaint, "\n") != 1 || !strings.HasSuffix(complaint, "\n") ||
			strings.ContainsFunc(strings.TrimSuffix(complaint, "\n"), func(r rune) bool { return r < ' ' || r == 0x7f })) {
			t.Errorf("%q: %d %q", line, status, complaint)
		}
		isMissing := strings.Contains(complaint, "there is no ban") || strings.Contains(complaint, "is not banned") ||
			strings.Contains(complaint, "has claimed the name")
		if status != player.ExitOK && status != player.ExitUsage && !isMissing {
			t.Errorf("%q ends with %d: %s", line, status, complaint) // nothing else can fail here
		}
	})
}
