package sshapp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/command"
)

// asked is a command line, what is typed there, and the exit status that a client is to be shown.
type asked struct {
	line, typed string
	status      command.ExitCode
}

// archived is the name of a match that was put away.
const archived = "c6zl3rq7s7"

func everyStatus(id match.ID, code match.Code) []asked {
	const hopeless, moves = "nonsense\n", "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n"
	return []asked{
		{"play --computer random --boards 1", "5\nquit\n", 0},
		{"play --private", "quit\n", 0},
		{"play", "quit\n", 0},
		{"play --boards 0", "", 2},
		{"join " + string(code), "turn\n", 0},
		{"join ZZZZ", "", 1},
		{"join", "", 2},
		{"watch " + string(id), "boards\n", 0},
		{"watch", "quit\n", 0},
		{"watch " + archived, "review\nquit\n", 0},
		{"watch nowhere", "", 1},
		{"watch a b", "", 2},
		{"plain", "help\nquit\n", 0},
		{"plain now", "", 2},
		{"bot", `{"do":"ping"}` + "\n" + strings.Repeat(hopeless, 19), 0},
		{"bot", strings.Repeat(hopeless, 20), 1},
		{"bot --json", "", 2},
		{"matches", "", 0},
		{"matches --json", "", 0},
		{"matches --json now", "", 2},
		{"matches --json=perhaps", "", 2},
		{"analyse notakto/2: A5 B1", "", 0},
		{"analyse --json XXX....../........X", "", 0},
		{"analyse --match " + archived, "", 0},
		{"analyse --json --match " + archived, "", 0},
		{"analyse --json --match nowhere", "", 1},
		{"analyse --match " + string(id), "", 1},
		{"analyse --match " + archived + " notakto/1:", "", 2},
		{"analyse --json", "", 2},
		{"opening notakto", "", 0},
		{"opening --json notakto", "", 0},
		{"opening", "", 2},
		{"analyse --json nonsense", "", 2},
		{"analyse --json notakto/1: 5 5", "", 2},
		{"card " + archived, "", 0},
		{"card " + string(id), "", 1},
		{"card", "", 2},
		{"cast " + archived, "", 0},
		{"cast nowhere", "", 1},
		{"cast a b", "", 2},
		{"show " + archived, "", 0},
		{"show --json " + archived, "", 0},
		{"show " + string(id), "", 1},
		{"show", "", 2},
		{"history", "", 0},
		{"history --json --limit 5", "", 0},
		{"history no one", "", 2},
		{"history stranger", "", 1},
		{"history --limit 0", "", 2},
		{"profile", "", 0},
		{"profile --json", "", 0},
		{"profile stranger", "", 1},
		{"profile --limit 5", "", 2},
		{"ladder", "", 0},
		{"ladder --json --limit 5 --bots", "", 0},
		{"ladder now", "", 2},
		{"classic three", moves, 0},
		{"classic three", "A0\n", 1},
		{"classic", "", 2},
		{"me", "", 0},
		{"me --json", "", 0},
		{"me export", "", 0},
		{"me export now", "", 2},
		{"me delete", "", 1},
		{"me undo", "", 1},
		{"me nonsense", "", 2},
		{"name", "", 0},
		{"name alice", "", 0},
		{"name admin", "", 1},
		{"name --json", "", 2},
		{"key", "", 0},
		{"key list --json", "", 0},
		{"key add", "", 0},
		{"key link CCCCCCCC", "", 1},
		{"key remove nonsense", "", 1},
		{"key remove", "", 2},
		{"rules", "", 0},
		{"rules now", "", 2},
		{"version", "", 0},
		{"version --json", "", 0},
		{"version now", "", 2},
		{"help matches", "", 0},
		{"help nonsense", "", 2},
	}
}

// Every command of the tree ends with every exit status that a client can be shown: those without a way to fail here
// fail only where they cannot write, or when the server stops. Whatever fails is one line on standard error, and --json
// prints one value or nothing.
func TestEveryExitStatusOfEveryCommand(t *testing.T) {
	journal := journaltest.Archive(t, map[match.ID]string{archived: "notakto/3: A5"})
	store, err := history.Start(history.Config{}, journal)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	<-store.Current() // its goroutines are not those of the server
	h := startServer(t, func(o *options) { o.Journal, o.history = journal, store })
	friend := match.Player{ID: "friend", Name: "fay"}
	_, code, err := h.manager.OpenPrivate(t.Context(), friend, match.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	id, err := h.manager.Play(t.Context(), friend, match.DefaultTerms(), strategy.Club, rules.First)
	if err != nil {
		t.Fatal(err)
	}
	missing := make(map[string][]command.ExitCode)
	root := command.New(command.Env{Name: "ssh HOST"})
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		missing[cmd.Name()] = []command.ExitCode{command.ExitOK, command.ExitUsage}
		h.ask(asked{cmd.Name() + " --help", "", command.ExitOK})
		h.ask(asked{cmd.Name() + " --nonsense", "", command.ExitUsage})
	}
	for _, name := range []string{
		"join", "watch", "bot", "classic", "analyse", "card", "cast", "show", "history", "profile", "me", "name", "key",
	} {
		missing[name] = append(missing[name], command.ExitFailure)
	}
	for _, a := range everyStatus(id, code) {
		h.ask(a)
		name, _, _ := strings.Cut(a.line, " ")
		missing[name] = slices.DeleteFunc(missing[name], func(s command.ExitCode) bool { return s == a.status })
	}
	maps.DeleteFunc(missing, func(_ string, left []command.ExitCode) bool { return len(left) == 0 })
	if len(missing) > 0 {
		t.Errorf("these are not tried: %v", missing)
	}
}

func (h *testServer) ask(a asked) {
	h.t.Helper()
	out, stderr, got := h.speak(a.line, a.typed)
	if command.ExitCode(got) != a.status {
		h.t.Errorf("%q: status %d, want %d\n%s%s", a.line, got, a.status, out, stderr)
	}
	oneLine := strings.HasPrefix(stderr, "notakto: ") && strings.Index(stderr, "\n") == len(stderr)-1
	if a.status == command.ExitOK && stderr != "" || a.status != command.ExitOK && !oneLine {
		h.t.Errorf("%q: standard error is %q", a.line, stderr)
	}
	if a.status == command.ExitOK && out == "" || a.status == command.ExitUsage && out != "" {
		h.t.Errorf("%q: standard output is %q", a.line, out)
	}
	if strings.Contains(a.line, "--json") && a.status == command.ExitOK && (!json.Valid([]byte(out)) ||
		strings.Index(out, "\n") != len(out)-1) {
		h.t.Errorf("%q prints %q", a.line, out)
	}
	if strings.ContainsAny(out+stderr, "\x1b\r") {
		h.t.Errorf("%q: control characters without a terminal", a.line)
	}
}
