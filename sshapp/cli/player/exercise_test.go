package player_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules/puzzle"
	"notakto/rules/strategy"
	"notakto/sshapp/cli/player"
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
	unsolved.prints(t, "Daily 1, Wednesday.\n1 of 3: ")
	unsolved.prints(t, "To answer: notakto daily 1 and three moves, such as A5 B2 C9.\n")
	solved := locally(append([]string{"daily", "1"}, moves...)...)
	solved.prints(t, "1 of 3: Right. "+moves[0]+" wins")
	solved.prints(t, "You solved 3 of 3. This was practice and counts for nothing.\nNotakto daily 1  +++\n")
	locally("daily").prints(t, "1 of 3: ")
	locally("daily", "--json").prints(t, `"practice":false,"kept":false`)
	locally("daily", "1", moves[0], "A0", moves[2]).fails(t, 2, "puzzle 2: there is no cell 0")
	locally("daily", "A5", "A5").fails(t, 2, "three moves such as A5 B2 C9")
	locally("daily", "0").fails(t, 2, "the number of a day")
	locally("daily", "999999").fails(t, 1, "there is no such daily puzzle")
}

// daily has the fields of "daily --json" as docs/commands.md lists them.
type daily struct {
	Day     int
	Kept    bool
	Puzzles [puzzle.PerDay]struct {
		Answer, Better string
		Right          *bool
		Others         *struct{ Right, All int }
	}
	Streak struct{ Days, Flawless int }
	Share  string
}

func TestADayOfAScript(t *testing.T) {
	kept := testkit.Store(t)
	s := serverOf(t, kept)
	s.Progress = kept.Progress()
	read := func(words ...string) (text string) {
		t.Helper()
		got := says(s, strings.Join(append([]string{"daily --json"}, words...), " "))
		var d daily
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.status != 0 {
			t.Fatalf("%v, %+v", err, got)
		}
		text = fmt.Sprintf("kept %t, streak %d, flawless %d", d.Kept, d.Streak.Days, d.Streak.Flawless)
		for _, p := range d.Puzzles {
			text += " | " + p.Answer + p.Better
			if p.Right != nil {
				text += fmt.Sprintf(" %t, right %d of %d", *p.Right, p.Others.Right, p.Others.All)
			}
		}
		return strings.ReplaceAll(text+" | "+d.Share, strconv.Itoa(d.Day), "DAY")
	}
	const unanswered = "kept true, streak 0, flawless 0 |  |  |  | "
	testkit.Equal(t, read(), unanswered)
	moves := winning(t, puzzle.Number(kept.Now()))
	says(s, "daily "+moves[0]+" C1 "+moves[2]).fails(t, 2, "puzzle 2: there is no board C")
	want := fmt.Sprintf("kept true, streak 1, flawless 1 | %s true, right 1 of 1 | %s true, right 1 of 1 | "+
		"%s true, right 1 of 1 | Notakto daily DAY  +++  ssh -t host daily", moves[0], moves[1], moves[2])
	testkit.Equal(t, read(moves...), want)
	testkit.Equal(t, read("A1", moves[1], moves[2]), want) // the first answer counts
	s.Player = match.Player{ID: "guest:g", Name: "guest", Guest: true}
	testkit.Equal(t, read(), strings.Replace(unanswered, "true", "false", 1))
}

func TestExercisesWithoutATerminal(t *testing.T) {
	env := player.Env{Server: testServer(t)}
	ask(env, "leave\n", "daily").prints(t, "1 of 3.")
	ask(env, "", "slips").prints(t,
		"None of your slips waits today: a win that you miss in a match comes here a day later.")
	ask(env, "", "daily", "999999").fails(t, 1, "there is no such daily puzzle")
}
