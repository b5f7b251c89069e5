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
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

var (
	errBoards    = errors.New("it takes a whole number from 1 to 9")
	errClock     = errors.New("it takes minutes and seconds a move such as 3+2, days a move from 1d to 14d, or none")
	errLevel     = errors.New("it takes " + strings.Join(wording.LevelNames(strategy.Levels()), ", "))
	errRated     = errors.New("--rated fixes the match: leave --boards, --clock, --computer and --private out")
	errTwoTables = errors.New("--computer and --private exclude each other: choose one")
)

const aboutPlay = `Go straight to a table: to the next player who waits, to the computer, or to a private table
for a friend.

With a terminal this is the full-screen game, without one the plain game, line by line.`

func (e Env) play() cli.Command {
	from := start.Start{At: start.Queue}
	private, rated := false, false
	return cli.Command{
		Use: "play", Short: "Go straight to a table: to an opponent, the computer, or a private one", Long: aboutPlay,
		Example: "ssh -t HOST play\nssh -t HOST play --computer steady --boards 5\n" +
			"ssh -t HOST play --private --clock 3+2\n" +
			"ssh -t HOST play --rated",
		Choices: map[string][]string{"computer": wording.LevelNames(strategy.Levels()), "clock": offeredClocks()},
		Flags: func(f *pflag.FlagSet) {
			addBoards(f, &from, "`number` of boards, 1 to 9 (default 3; against a person, 1 to 5)")
			f.Func("computer", "play the computer at this `level`: "+
				strings.Join(wording.LevelNames(strategy.Ladder()), ", "), func(text string) (err error) {
				if from.Level, err = strategy.ParseLevel(text); err != nil {
					return errLevel
				}
				return nil
			})
			addClock(f, &from,
				"`time` of each player: 3+2 for 3 minutes and 2 seconds a move, 1d for a day a move, or none")
			f.BoolVar(&private, "private", private, "make a private table and show its code")
			f.BoolVar(&rated, "rated", rated,
				"play a rated pair: two games with the seats swapped, each from a random opening")
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

// addBoards adds the flag --boards for from.Variant.
func addBoards(f *pflag.FlagSet, from *start.Start, usage string) {
	f.Func("boards", usage, func(text string) error {
		boards, err := strconv.Atoi(text)
		if err == nil {
			from.Variant, err = rules.Notakto(boards)
		}
		if err != nil {
			return errBoards
		}
		return nil
	})
}

// addClock adds the flag --clock for from.Clock and from.Untimed.
func addClock(f *pflag.FlagSet, from *start.Start, usage string) {
	f.Func("clock", usage, func(text string) (err error) {
		if from.Clock, err = match.ParseClock(text); err != nil {
			return errClock
		}
		from.Untimed = from.Clock.IsNone()
		return nil
	})
}

func offeredClocks() []string {
	var clocks []string
	for _, c := range match.OfferedClocks() {
		clocks = append(clocks, c.String())
	}
	return clocks
}

// leadToGame leads to the full screen if the terminal can show it, else to the plain game.
func (e Env) leadToGame(p match.Player, from start.Start) {
	kind := Plain
	if e.Server.Screens {
		kind = Screen
	}
	e.LeadTo(FrontEnd{kind, p, from})
}

// maxCodeWords is the length of the longest code. A player may put a space after every letter.
const maxCodeWords = 8

func joinCode(words []string) match.Code { return match.Code(strings.Join(words, "")) }

func (e Env) join() cli.Command {
	return cli.Command{
		Use: "join CODE", Short: "Sit down at a private table, or come back to a guest's seat",
		Example: "ssh -t HOST join K7QXHW", Args: cli.ArgumentRange(1, maxCodeWords, "the code of a table"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			code, p := joinCode(args), e.Server.Player
			// For the plain game, join tries the code here, to give a script an exit status for a wrong one. The plain game
			// then follows the code again. On the full screen the player can type another code.
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

const aboutWatch = `Watch a match, or the busiest one if you name none. While no match is being played, two levels of
the computer show the game.

A finished match is replayed, move by move.`

func (e Env) watch() cli.Command {
	return cli.Command{
		Use: "watch [MATCH]", Short: "Watch a match, or the busiest one", Long: aboutWatch,
		Example: "ssh -t HOST watch", Args: cli.ArgumentRange(0, 1, "the name of a match, as `matches` lists it"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			from := start.Start{At: start.Match}
			if len(args) > 0 {
				from.Match = match.ID(args[0])
				if _, err := e.Server.snapshot(ctx, from.Match); err != nil {
					return cli.Answer{}, err
				}
			}
			e.leadToGame(e.Server.Player, from)
			return cli.Answer{}, nil
		}),
	}
}

const aboutPlain = `Play line by line: every change is one sentence, moves and commands are words, and no escape
code is ever sent.

It is made for screen readers, plain terminals and slow links. You meet the same opponents as on the full screen. Type
help once you are there.`

func (e Env) plain() cli.Command {
	return cli.Command{
		Use: "plain", Short: "Play line by line, for screen readers and plain terminals", Long: aboutPlain,
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			e.LeadTo(FrontEnd{Kind: Plain, Player: e.Server.Player})
			return cli.Answer{}, nil
		}),
	}
}

const aboutBot = `Let a program play, by version 1 of the bot protocol: one JSON object a line in each direction.

The page docs/bot.md describes the protocol, with a whole bot in thirty lines of Python.`

func (e Env) bot() cli.Command {
	isSchema := false
	return cli.Command{
		Use: "bot", Short: "Let a program play: one JSON object a line in each direction", Long: aboutBot,
		Example: "ssh -T HOST bot\nssh HOST bot --schema",
		Flags: func(f *pflag.FlagSet) {
			f.BoolVar(&isSchema, "schema", isSchema, "print the JSON Schema of all messages instead")
		},
		Run: func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
			if isSchema {
				text, err := botproto.Schema()
				return cli.Line("%s", text), err
			}
			return e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
				e.LeadTo(FrontEnd{Kind: Bot, Player: e.Server.Player})
				return cli.Answer{}, nil
			})(ctx, c, args)
		},
	}
}
