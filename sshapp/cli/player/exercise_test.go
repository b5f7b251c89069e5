package player_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/start"
)

// winning returns a winning move of each puzzle of a day.
func winning(t *testing.T, day int) []string {
	t.Helper()
	all, err := puzzle.Day(day)
	testkit.OK(t, err)
	moves := make([]string, len(all))
	for i, p := range all {
		moves[i] = strategy.Analyse(p.Position()).WinningMoves()[0].String()
	}
	return moves
}

func TestADayWithoutAServer(t *testing.T) {
	moves := winning(t, 1)
	unsolved := locally("daily", "1")
	unsolved.expect(t, "daily 1", cli.ExitOK, "Daily 1, Wednesday.\n1 of 3: ", "")
	if !strings.HasSuffix(unsolved.out, "To answer: notakto daily 1 and three moves, such as A5 B2 C9.\n") {
		t.Errorf("daily 1 prints\n%s", unsolved.out)
	}
	solved := locally(append([]string{"daily", "1"}, moves...)...)
	solved.expect(t, "daily 1 and the moves", cli.ExitOK, "1 of 3: Right. "+moves[0]+" wins", "")
	const end = "You solved 3 of 3. This was practice and counts for nothing.\nNotakto daily 1  +++\n"
	testkit.Contains(t, solved.out, end)
	locally("daily").expect(t, "daily", cli.ExitOK, "1 of 3: ", "")
	locally("daily", "--json").expect(t, "daily --json", cli.ExitOK, `"practice":false,"kept":false`, "")
	locally("daily", "1", moves[0], "A0", moves[2]).expect(t, "no cell", cli.ExitUsage, "",
		"puzzle 2: there is no cell 0")
	locally("daily", "A5").expect(t, "daily A5", cli.ExitUsage, "", "three moves such as A5 B2 C9")
	locally("daily", "A5", "A5").expect(t, "two moves", cli.ExitUsage, "", "three moves such as A5 B2 C9")
	locally("daily", "0").expect(t, "daily 0", cli.ExitUsage, "", "the number of a day")
	locally("daily", "999999").expect(t, "daily 999999", cli.ExitFailure, "", "there is no such daily puzzle")
	locally("rush").expect(t, "rush", cli.ExitFailure, "", "this command needs a server")
	locally("slips").expect(t, "slips", cli.ExitFailure, "", "this command needs a server")
}

// daily has the fields of "daily --json" as docs/commands.md lists them.
type daily struct {
	Day     int
	Kept    bool
	Puzzles []struct {
		Position, Answer, Better string
		Right                    *bool
		Others                   *struct{ Right, All int }
	}
	Streak struct{ Days, Flawless int }
	Next   time.Time
	Share  string
}

func TestADayOfAScript(t *testing.T) {
	kept := testkit.OpenStore(t, t.TempDir())
	defer func() { _ = kept.Close() }()
	s := serverOf(t, kept)
	s.Progress = kept.Progress()
	read := func(words ...string) (d daily) {
		t.Helper()
		got := ask(player.Env{Server: s, Host: "example.org"}, "", append([]string{"daily", "--json"}, words...)...)
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.status != cli.ExitOK {
			t.Fatalf("%v, status %d, %s%s", err, got.status, got.out, got.err)
		}
		return d
	}
	before := read()
	moves := winning(t, before.Day)
	if !before.Kept || before.Share != "" || before.Next != puzzle.Begin(before.Day+1) || slices.ContainsFunc(
		before.Puzzles, func(p struct {
			Position, Answer, Better string
			Right                    *bool
			Others                   *struct{ Right, All int }
		}) bool {
			return p.Position == "" || p.Answer+p.Better != "" || p.Right != nil || p.Others != nil
		}) {
		t.Errorf("before the answers: %+v", before)
	}
	ask(player.Env{Server: s}, "", "daily", moves[0], "C1", moves[2]).expect(t, "an illegal move", cli.ExitUsage, "",
		"puzzle 2: there is no board C")
	after := read(moves...)
	if after.Day != before.Day {
		t.Skip("midnight has passed")
	}
	want := "Notakto daily " + strconv.Itoa(after.Day) + "  +++  ssh -t example.org daily"
	if after.Share != want || after.Streak.Days != 1 || after.Streak.Flawless != 1 ||
		len(after.Puzzles) != puzzle.PerDay {
		t.Errorf("after the answers: %+v", after)
	}
	for i, p := range after.Puzzles {
		if p.Answer != moves[i] || p.Right == nil || !*p.Right || p.Better != "" || p.Others == nil ||
			p.Others.All != 1 {
			t.Errorf("puzzle %d: %+v", i+1, p)
		}
	}
	if again := read("A1", moves[1], moves[2]); again.Puzzles[0].Answer != moves[0] {
		t.Errorf("a second answer counts: %+v", again)
	}
	s.Player = match.Player{ID: "guest:g", Name: "guest", Guest: true}
	if d := read(); d.Kept || d.Puzzles[0].Answer != "" {
		t.Errorf("a guest: %+v", d)
	}
}

func TestExercisesLeadToAFrontEnd(t *testing.T) {
	s := testServer(t)
	for line, want := range map[string]start.Start{
		"daily": {At: start.Daily}, "daily 7": {At: start.Daily, Day: 7},
		"rush": {At: start.Rush}, "slips": {At: start.Slips},
	} {
		got := ask(player.Env{Server: onScreen(s)}, "", strings.Fields(line)...)
		if got.next == nil || got.next.Kind != player.Screen || got.next.Start != want || got.status != cli.ExitOK {
			t.Errorf("%s leads to %+v, status %d", line, got.next, got.status)
		}
	}
	env := player.Env{Server: s}
	ask(env, "leave\n", "daily").expect(t, "daily", cli.ExitOK, "1 of 3.", "")
	ask(env, "", "slips").expect(t, "slips", cli.ExitOK,
		"None of your slips waits today: a win that you miss in a match comes here a day later.", "")
	ask(env, "", "daily", "999999").expect(t, "daily 999999", cli.ExitFailure, "", "there is no such daily puzzle")
}
