package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

var (
	errBoards    = errors.New("it takes a whole number from 1 to 9")
	errClock     = errors.New("it takes minutes and seconds a move such as 3+2, days a move such as 1d, or none")
	errLevel     = errors.New("it takes " + strings.Join(wording.LevelNames(strategy.Levels()), ", "))
	errRated     = errors.New("--rated says all that is played: leave --boards, --clock, --computer and --private out")
	errTwoTables = errors.New("--computer and --private are two different tables: choose one")
)

const aboutPlay = `Go straight to a table: to the next player who waits, to the computer, or to a private table
for a friend.

With a terminal this is the full-screen game, without one the plain game, line by line.`

func (e Env) play() cli.Command {
	from := start.Start{At: start.Queue}
	private, rated := false, false
	clocks := make([]string, 0, 5)
	for _, c := range match.OfferedClocks() {
		clocks = append(clocks, c.String())
	}
	return cli.Command{
		Use: "play", Short: "Go straight to a table: to an opponent, the computer, or a private one", Long: aboutPlay,
		Example: "ssh -t HOST play\nssh -t HOST play --computer steady --boards 5\nssh -t HOST play --private --clock 3+2\n" +
			"ssh -t HOST play --rated",
		Choices: map[string][]string{"computer": wording.LevelNames(strategy.Levels()), "clock": clocks},
		Flags: func(f *pflag.FlagSet) {
			f.Func("boards", "`number` of boards, 1 to 9 (default 3; against a person, 1 to 5)", func(text string) error {
				boards, err := strconv.Atoi(text)
				if err == nil {
					from.Variant, err = rules.Notakto(boards)
				}
				if err != nil {
					return errBoards
				}
				return nil
			})
			f.Func("computer", "play the computer at this `level`: "+
				strings.Join(wording.LevelNames(strategy.Ladder()), ", "), func(text string) (err error) {
				if from.Level, err = strategy.ParseLevel(text); err != nil {
					return errLevel
				}
				return nil
			})
			f.Func("clock", "`time` of each player: 3+2 for 3 minutes and 2 seconds a move, 1d for a day a move, or none",
				func(text string) (err error) {
					if from.Clock, err = match.ParseClock(text); err != nil {
						return errClock
					}
					from.Untimed = from.Clock.IsNone()
					return nil
				})
			f.BoolVar(&private, "private", private, "make a private table and show its code")
			f.BoolVar(&rated, "rated", rated, "play a rated pair: two games with the seats swapped, each from a drawn opening")
		},
		Args: func(c *cli.Call, args []string) error {
			switch {
			case rated && (private || from.Level != 0 || from.Untimed || from.Terms != match.Terms{}):
				return errRated
			case private && from.Level != 0:
				return errTwoTables
			}
			return cli.NoArguments(c, args)
		},
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			switch {
			case from.Level != 0:
				from.At = start.Computer
			case private:
				from.At = start.Private
			case rated && e.Server.Player.Guest:
				return cli.Answer{}, match.ErrGuestRated
			case rated:
				from.Terms = match.RatedTerms(match.PeoplePool)
			}
			e.leadToGame(e.Server.Player, from)
			return cli.Answer{}, nil
		}),
	}
}

// leadToGame leads to the full screen if the terminal can show it, else to the plain game.
func (e Env) leadToGame(p match.Player, from start.Start) {
	kind := Plain
	if e.Server.Screens {
		kind = Screen
	}
	e.LeadTo(FrontEnd{kind, p, from})
}

// maxCodeWords is the number of words that a code may have: a player may type it letter by letter.
const maxCodeWords = 8

// joinCode joins the words of a code.
func joinCode(words []string) match.Code { return match.Code(strings.Join(words, "")) }

func (e Env) join() cli.Command {
	return cli.Command{
		Use: "join CODE", Short: "Sit down at a private table, or come back to a guest's seat",
		Example: "ssh -t HOST join K7QX", Args: cli.Arguments(1, maxCodeWords, "the code of a table"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			code, p := joinCode(args), e.Server.Player
			// Follow the code here for the plain game, so that a script gets an error for a wrong code. The plain game then
			// finds the player at the table. On the full screen the player can type another code.
			if !e.Server.Screens {
				var err error
				_, p, err = client.New(e.Server.Manager).Join(ctx, p, code)
				if err != nil && !errors.Is(err, match.ErrOwnTable) {
					return cli.Answer{}, fmt.Errorf("join %.40q: %w", code, err)
				}
			}
			e.leadToGame(p, start.Start{At: start.Code, Code: code})
			return cli.Answer{}, nil
		}),
	}
}

var errNoMatch = errors.New("no open match is in progress")

const aboutWatch = `Look on at the match named, or at the busiest one that is in progress.

A match that is over is shown again, move by move.`

func (e Env) watch() cli.Command {
	return cli.Command{
		Use: "watch [MATCH]", Short: "Look on: at the match named, or at the busiest one", Long: aboutWatch,
		Example: "ssh -t HOST watch", Args: cli.Arguments(0, 1, "the name of a match, as `matches` lists it"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			from := start.Start{At: start.Match}
			switch {
			case len(args) > 0:
				from.Match = match.ID(args[0])
				if _, err := e.Server.snapshot(ctx, from.Match); err != nil {
					return cli.Answer{}, err
				}
			case !e.Server.Screens && len(e.Server.Manager.List()) == 0: // the full screen can wait for a match to begin
				return cli.Answer{}, errNoMatch
			}
			e.leadToGame(e.Server.Player, from)
			return cli.Answer{}, nil
		}),
	}
}

const aboutPlain = `Play line by line: every change is one sentence, moves and commands are words, and no escape
code is ever sent.

It is made for screen readers, plain terminals and slow links. Tables, queue and matches are those of the full screen.
Type help once you are there.`

func (e Env) plain() cli.Command {
	return cli.Command{
		Use: "plain", Short: "Play line by line, for screen readers and plain terminals", Long: aboutPlain,
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			e.LeadTo(FrontEnd{Kind: Plain, Player: e.Server.Player})
			return cli.Answer{}, nil
		}),
	}
}

const aboutBot = `Play by a program: JSON objects, one a line each way, by version 1 of the bot protocol.

The page docs/bot.md teaches it, with a whole bot in thirty lines of Python.`

func (e Env) bot() cli.Command {
	return cli.Command{
		Use: "bot", Short: "Play by a program: one JSON object a line each way", Long: aboutBot,
		Example: "ssh -T HOST bot",
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			e.LeadTo(FrontEnd{Kind: Bot, Player: e.Server.Player})
			return cli.Answer{}, nil
		}),
	}
}
