package player_test

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"notakto/internal/testkit"
	"notakto/rules"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

func TestWhatNeedsNoServer(t *testing.T) {
	for _, test := range []struct {
		line   string
		status cli.ExitCode
		out    string
		err    string
	}{
		{"version --json", 0, `{"version":"1.2.3","revision":"","go":"","data":0}` + "\n", ""},
		{"rules", 0, "The player who kills the last board loses.\n", ""},
		{"help", 0, "analyse", ""},
		{"help analyse", 0, "notakto analyse POSITION|GAME", ""},
		{"analyze notakto/1: A5", 0, "loses to perfect play", ""},
		{"help help", 0, "notakto help", ""},
		{"help anlyse", 2, "", "did you mean analyse?"},
		{"play --help", 0, "--private", ""},
		{"classic --help", 0, "--seed", ""},
		{"", 2, "Usage", "the game needs a terminal"},
		{"play --boards 0", 2, "", "--boards cannot be \"0\": it takes a whole number from 1 to 9"},
		{"play --boards three", 2, "", "--boards"},
		{"play --clock 3", 2, "", "--clock cannot be \"3\": it takes minutes and seconds a move such as 3+2"},
		{"play --computer kasparov", 2, "",
			`--computer cannot be "kasparov": it takes novice, learner, steady, careful, sharp, perfect, ` +
				`random, student, centre, club (`},
		{"play --computer club --private", 2, "", "choose one"},
		{"classic", 2, "", "name a program"},
		{"classic two three", 2, "", "name one program"},
		{"classic one --computer weak", 2, "", `--computer cannot be "weak": it takes strong or random (`},
		{"classic one --seed x", 2, "", "a whole number"},
	} {
		locally(strings.Fields(test.line)...).expect(t, test.status, test.out, test.err)
	}
}

func TestMatchesAreListed(t *testing.T) {
	s := testServer(t)
	says(s, "matches").prints(t, "No open match is in progress.\n")
	says(s, "matches --json").prints(t, "[]\n")
	id := string(play(t, s, rules.TicTacToe()))
	says(s, "matches --json").prints(t, `[{"match":"`+id+
		`","variant":"tictactoe","players":[{"id":"a","name":"ann","guest":false},`+
		`{"id":"computer:perfect","name":"perfect","guest":false}],"plies":0,"spectators":0}`)
	says(s, "matches").prints(t, id+"  tictactoe  0      0         ann against perfect (computer)\n")
}

// A failing output is a failure, not an invalid command line.
func TestAnOutputThatFails(t *testing.T) {
	for _, words := range [][]string{
		{"version"}, {"analyse", "notakto/1:"}, {"analyse", "notakto/1:", "--json"}, {"matches"}, {"classic", "two"},
	} {
		r, w := io.Pipe()
		_ = r.Close()
		var errs strings.Builder
		status, _ := cli.Run(t.Context(), cli.Env{Name: "notakto", In: strings.NewReader(""), Out: w, Err: &errs},
			player.Root(player.Env{Server: testServer(t)}), words)
		if status != cli.ExitFailure ||
			strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: status %d, %q", words, status, errs.String())
		}
	}
}

// docs/commands.md names every command and every flag of the tree.
func TestEveryCommandIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/commands.md")
	testkit.OK(t, err)
	root := cli.New(cli.Env{Name: "notakto"}, player.Root(player.Env{Name: "notakto"}))
	for _, cmd := range root.Commands() {
		if !strings.Contains(string(page), "\n## `"+cmd.Use) && !strings.Contains(string(page), "`"+cmd.Use+"`") {
			t.Errorf("docs/commands.md does not tell of %s", cmd.Use)
		}
		for _, word := range strings.Fields(cmd.UsageString()) {
			if strings.HasPrefix(word, "--") && !strings.Contains(string(page), word) {
				t.Errorf("docs/commands.md does not tell of %s of %s", word, cmd.Name())
			}
		}
	}
}

func TestNamesAreThoseOfTheTree(t *testing.T) {
	names := []string{"help"}
	for _, c := range player.Root(player.Env{}).Sub {
		name, _, _ := strings.Cut(c.Use, " ")
		names = append(names, name)
	}
	if slices.Sort(names); !slices.Equal(names, player.Names()) {
		t.Errorf("the commands are %v", names)
	}
}

// OpenSSH's client takes options after the host as its own. "ssh HOST --help" never reaches the server.
func TestEveryHelpThatIsPointedToIsThere(t *testing.T) {
	env := player.Env{Server: testServer(t)}
	for line, way := range map[string]string{
		"nonsense": "help", "--nonsense": "help", "play --nonsense": "help play", "join": "help join",
		"help nonsense": "help", "help -x": "help",
	} {
		ask(env, "", strings.Fields(line)...).fails(t, cli.ExitUsage, "(notakto "+way+" says more)")
		ask(env, "", strings.Fields(way)...).prints(t, "Usage:")
	}
	for _, name := range player.Names() {
		ask(env, "", name, "--help").prints(t, "Usage:")
		ask(env, "", name, "--nonsense").fails(t, cli.ExitUsage, "nonsense")
	}
	ask(env, "", "help").prints(t, `Use "notakto help COMMAND" for more`)
	ask(env, "", "help", "key").prints(t, `Use "notakto help key COMMAND" for more`)
}

func TestHelpOverSSHOmitsFlagsThatArgumentsReplace(t *testing.T) {
	for _, line := range []string{"help", "help play", "help help", "help version", "play --help", ""} {
		if got := ask(player.Env{Server: testServer(t)}, "", strings.Fields(line)...).out; strings.Contains(got,
			"--help") || strings.Contains(got, "--version") {
			t.Errorf("%q prints\n%s", line, got)
		}
	}
	locally("--help").prints(t, "--version")
}

// A command over SSH must not leave its flags in cobra when it has ended.
func TestNothingOfATreeStays(t *testing.T) {
	var left []weak.Pointer[pflag.Flag]
	var begun player.FrontEnd // for a whole session
	func() {
		env := cli.Env{Name: "ssh HOST", In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, IsRemote: true}
		root := cli.New(env, player.Root(player.Env{
			Server: testServer(t), LeadTo: func(f player.FrontEnd) { begun = f },
		}))
		for _, line := range []string{"help", "version", "matches", "analyse 0", "play --computer club"} {
			_, _ = cli.Execute(t.Context(), root, strings.Fields(line), (*cobra.Command).ExecuteContext)
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
	testkit.Equal(t, begun.Kind, player.Plain, begun)
	if len(left) < 5 {
		t.Errorf("%d flags", len(left))
	}
}
