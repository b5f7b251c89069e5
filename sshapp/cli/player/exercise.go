package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"notakto/match/progress"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

const aboutDaily = `Solve the three puzzles of the day. One move wins each of them, and you have one try.

The puzzles are new at midnight UTC, and the same on every server. With the number of an earlier day you practise,
which counts for nothing. Three moves answer the puzzles at once.

Without moves, this opens the full screen, or the plain game without a terminal.`

var errDaily = errors.New("daily takes the number of a day, three moves such as A5 B2 C9, or both")

// dailyJSON is the answer of "daily --json", without the solution of an open puzzle.
type dailyJSON struct {
	Day      int          `json:"day"`
	Practice bool         `json:"practice"`
	Kept     bool         `json:"kept"` // whether the answers are recorded
	Puzzles  []puzzleJSON `json:"puzzles"`
	Streak   streakJSON   `json:"streak"`
	Next     time.Time    `json:"next"`            // when the next puzzles come
	Share    string       `json:"share,omitempty"` // the line to share, after the last answer
}

type puzzleJSON struct {
	Position string     `json:"position"`
	Answer   string     `json:"answer,omitempty"`
	Right    *bool      `json:"right,omitempty"`
	Better   string     `json:"better,omitempty"` // a move that wins, after a wrong answer
	Others   *shareJSON `json:"others,omitempty"` // how all accounts answered
}

type shareJSON struct {
	Right int `json:"right"`
	All   int `json:"all"`
}

type streakJSON struct {
	Days     int  `json:"days"`
	Flawless int  `json:"flawless"`
	Freeze   bool `json:"freeze"`
}

func (e Env) daily() cli.Command {
	return cli.Command{
		Use: "daily [N] [A5 B2 C9]", Short: "Solve the three puzzles of the day", Long: aboutDaily, JSON: true,
		Example: "ssh -t HOST daily\nssh HOST daily A5 B2 C9\nssh HOST daily --json",
		Args: func(_ *cli.Call, args []string) error {
			if _, _, err := parseDaily(args); err != nil {
				return cli.Usage(err)
			}
			return nil
		},
		Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			day, moves, _ := parseDaily(args)
			wantsJSON, _ := c.Flags.GetBool("json")
			x, err := e.exercises().Puzzles(ctx, day)
			if err != nil {
				return cli.Answer{}, UserError(err, e.Host)
			}
			if e.Server != nil && moves == nil && !wantsJSON {
				e.leadToGame(e.Server.Player, start.Start{At: start.Daily, Day: day})
				return cli.Answer{}, nil
			}
			answers, err := parseAnswers(x, moves)
			if err != nil {
				return cli.Answer{}, cli.Usage(err)
			}
			a, err := e.answerDaily(ctx, x, answers)
			return a, UserError(err, e.Host)
		},
	}
}

// parseDaily splits the arguments into the day, 0 for today, and the moves, nil without any.
func parseDaily(args []string) (day int, moves []string, err error) {
	switch len(args) {
	case 0:
		return 0, nil, nil
	case puzzle.PerDay:
		if _, err = strconv.Atoi(args[0]); err == nil { // a day, and one move too few
			return 0, nil, errDaily
		}
		return 0, args, nil
	case 1, 1 + puzzle.PerDay:
		if day, err = strconv.Atoi(args[0]); err != nil || day < 1 {
			return 0, nil, errDaily
		}
		if len(args) > 1 {
			moves = args[1:]
		}
		return day, moves, nil
	default:
		return 0, nil, errDaily
	}
}

func (e Env) exercises() client.Exercises {
	if e.Server == nil {
		return client.Exercises{Now: time.Now}
	}
	return client.New(e.Server.Manager).Exercises(e.Server.Player, e.Server.Progress, e.Server.InTurn)
}

// parseAnswers parses and checks moves for the questions of x. The error is that of the first wrong move.
func parseAnswers(x *client.Exercise, typed []string) (moves []rules.Move, err error) {
	for i, word := range typed {
		p := x.Questions()[i].Position
		m, err := p.Variant().ParseMove(word)
		if err == nil {
			err = p.Check(m)
		}
		if err != nil {
			return nil, fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// answerDaily answers the puzzles that are still open, unless there are no moves, and returns the result.
func (e Env) answerDaily(ctx context.Context, x *client.Exercise, moves []rules.Move) (cli.Answer, error) {
	for _, m := range moves[min(len(x.Done()), len(moves)):] {
		f, err := x.Answer(ctx, m)
		if err != nil {
			return cli.Answer{}, err
		}
		x.Take(f)
		x.Next()
	}
	s, err := x.Summary(ctx)
	if err != nil {
		return cli.Answer{}, err
	}
	return cli.Answer{JSON: e.newDaily(x, s), Text: func(say cli.Say) {
		say("%s.", x.Name())
		for i, q := range x.Questions() {
			if i < len(x.Done()) {
				f := x.Done()[i]
				say("%d of %d: %s %s", i+1, puzzle.PerDay, wording.Verdict(f.Right), strings.TrimSpace(f.Text+" "+f.Note))
				continue
			}
			say("%d of %d: %s", i+1, puzzle.PerDay, q.Position)
		}
		if !x.IsOver() {
			say("One move wins each. To answer: %s daily %d and three moves, such as A5 B2 C9.", e.Name, x.Day)
			return
		}
		say("%s", strings.Join(s.Lines, " "))
		say("%s", s.ShareLine(e.Host, true))
	}}, nil
}

func (e Env) newDaily(x *client.Exercise, s client.Summary) dailyJSON {
	all := dailyJSON{
		Day: x.Day, Practice: x.Kind == client.Practice, Kept: x.IsKept(),
		Streak: streakJSON{s.Streak.Days, s.Streak.Flawless, s.Streak.HasFreeze}, Next: puzzle.Begin(x.Day + 1),
		Share: s.ShareLine(e.Host, true),
	}
	for i, q := range x.Questions() {
		shown := puzzleJSON{Position: q.Position.String()}
		if i < len(x.Done()) {
			f, v := x.Done()[i], q.Position.Variant()
			shown.Answer, shown.Right = v.FormatMove(f.Move), new(f.Right)
			if !f.Right {
				shown.Better = v.FormatMove(f.Better)
			}
			if f.Share.All > 0 {
				shown.Others = &shareJSON{f.Share.Right, f.Share.All}
			}
		}
		all.Puzzles = append(all.Puzzles, shown)
	}
	return all
}

const aboutRush = `Solve as many puzzles as you can in three minutes. The third error ends the rush.

Your best rush of a day counts on the board of the day.`

const aboutSlips = `Find the wins that you missed in your matches.

A missed win waits for you from the day after the match. When you find it, it comes back after 3, 7 and 21 days.`

func (e Env) rush() cli.Command {
	return e.exercise("rush", "Solve puzzles against the clock", aboutRush, start.Rush)
}

func (e Env) slips() cli.Command {
	return e.exercise("slips", "Find the wins that you missed", aboutSlips, start.Slips)
}

func (e Env) exercise(use, short, long string, at start.Kind) cli.Command {
	return cli.Command{
		Use: use, Short: short, Long: long, Example: "ssh -t HOST " + use,
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			e.leadToGame(e.Server.Player, start.Start{At: at})
			return cli.Answer{}, nil
		}),
	}
}

const aboutLearn = `Learn to win in six lessons of two to four minutes.

A lesson goes on where you left it. Without a number, this shows the lessons.`

func (e Env) learn() cli.Command {
	return cli.Command{
		Use: "learn [N]", Short: "Learn to win in six lessons", Long: aboutLearn,
		Example: "ssh -t HOST learn\nssh -t HOST learn 2", Args: cli.ArgumentRange(0, 1, "the number of a lesson"),
		Run: e.onServer(func(_ context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			from := start.Start{At: start.Learn}
			if len(args) > 0 {
				var err error
				if from.Lesson, err = strconv.Atoi(args[0]); err != nil || from.Lesson < 1 || from.Lesson > progress.Lessons {
					return cli.Answer{}, cli.Usage(fmt.Errorf("invalid lesson %q: want 1 to %d", args[0], progress.Lessons))
				}
			}
			e.leadToGame(e.Server.Player, from)
			return cli.Answer{}, nil
		}),
	}
}
