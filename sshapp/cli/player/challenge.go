package player

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/sshapp/cli"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

const aboutChallenge = `Challenge a player, or anyone.

NAME is a claimed name or the identifier of an account, with an @ before it or without. The player is told at once, or
at the next login. A challenge to anyone stands on the board, with days for each move, and the first player to accept
it plays. A challenge is open for seven days, and you may have ten. Without --clock, each move has three days.`

const aboutAccept = `Accept a challenge, and begin its match.

NAME is the player who challenges you, or who is on the board or in the queue. If a player has several challenges, take
the identifier that challenges shows. With a terminal, a match with a clock of minutes opens at once.`

const aboutBlock = `Block a player.

You no longer see each other's challenges, and the queue does not pair you. The player is not told.`

// offerJSON is a challenge as "challenges --json" prints it.
type offerJSON struct {
	ID      match.ID    `json:"id"`   // "" for a player in the queue
	Kind    string      `json:"kind"` // you, anyone, queue or yours
	Maker   namedJSON   `json:"maker"`
	Invited *namedJSON  `json:"invited"` // null for anyone
	Variant string      `json:"variant"`
	Clock   string      `json:"clock"`
	Rated   bool        `json:"rated"`
	Rating  *ratingJSON `json:"rating"` // of the maker
	Since   time.Time   `json:"since"`
	Expires *time.Time  `json:"expires"`
	Here    bool        `json:"here"` // the maker, or the invited player of an own challenge, has a session
}

func newOfferJSON(o client.Offer) offerJSON {
	shown := offerJSON{
		ID: o.ID, Kind: [...]string{"you", "anyone", "queue", "yours"}[o.Kind],
		Maker: namedJSON{o.Maker.ID, o.Maker.Name}, Variant: o.Variant.String(), Clock: o.Clock.String(),
		Rated: o.Pool.IsRated(), Rating: newRating(o.Standing),
		Since: o.Since.UTC().Truncate(time.Second), Expires: timeOrNull(o.Expires),
		Here: o.IsHere,
	}
	if o.Invited.ID != "" {
		shown.Invited = &namedJSON{o.Invited.ID, o.Invited.Name}
	}
	return shown
}

func (e Env) challenge() cli.Command {
	from, isRated := start.Start{}, false
	return e.named(cli.Command{
		Use: "challenge @NAME", Short: "Challenge a player, or anyone", Long: aboutChallenge,
		Example: "ssh HOST challenge @gus --boards 5\nssh HOST challenge @gus --clock 5+0\n" +
			"ssh HOST challenge anyone --clock 2d --rated",
		Choices: map[string][]string{"clock": offeredClocks()},
		Flags: func(f *pflag.FlagSet) {
			addBoards(f, &from, "`number` of boards, 1 to 9 (default 3)")
			addClock(f, &from, "`time` of each player: 3d for three days a move, 5+0, or none (default 3d)")
			f.BoolVar(&isRated, "rated", isRated, "a rated pair: two games on 4 boards, with a clock of days or 6+0")
		},
	}, func(c client.Challenger, ctx context.Context, name string) (string, error) {
		terms, err := client.ChallengeTerms(from, isRated)
		if err != nil {
			return "", err
		}
		return c.Challenge(ctx, name, terms)
	})
}

func (e Env) challenges() cli.Command {
	return cli.Command{
		Use: "challenges", Short: "List the open challenges, and the players who wait in the queue", JSON: true,
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			s := e.Server
			all := client.New(s.Manager).Offers(ctx, s.History, s.Player.ID)
			list := make([]offerJSON, 0, len(all))
			for _, o := range all {
				list = append(list, newOfferJSON(o))
			}
			return cli.Answer{JSON: list, Text: func(say cli.Say) {
				if len(all) == 0 {
					say("%s To make one: ssh %s challenge anyone", wording.NoChallenge, e.Host)
				}
				for _, o := range all {
					say("%s. Type: ssh %s %s", o.Line(s.Manager.Now()), e.Host, o.Command(s.Accounts))
				}
			}}, nil
		}),
	}
}

func (e Env) challenger() client.Challenger {
	s := e.Server
	return client.Challenger{
		Session: client.New(s.Manager), Accounts: s.Accounts, Host: e.Host, Player: s.Player, Caller: s.Caller,
	}
}

// maxNameWords limits the words of a name, because ssh sends a name without its quotes.
const maxNameWords = 8

// named returns a command that calls do with the name in its arguments, and prints the sentence that do returns.
func (e Env) named(
	c cli.Command, do func(c client.Challenger, ctx context.Context, name string) (said string, err error),
) cli.Command {
	c.Args = cli.ArgumentRange(1, maxNameWords, "the name of a player")
	c.Run = e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
		said, err := do(e.challenger(), ctx, strings.Join(args, " "))
		return cli.Line("%s", said), err
	})
	return c
}

func (e Env) accept() cli.Command {
	return cli.Command{
		Use: "accept NAME", Short: "Accept a challenge, and begin its match", Long: aboutAccept,
		Example: "ssh HOST accept gus",
		Args:    cli.ArgumentRange(1, maxNameWords, "the name of a player, or the identifier of a challenge"),
		Run: e.onServer(func(ctx context.Context, _ *cli.Call, args []string) (cli.Answer, error) {
			s, c := e.Server, e.challenger()
			name := strings.Join(args, " ")
			o, err := c.FindOffer(name, client.OfferToYou, client.OfferToAnyone, client.OfferWaiting)
			if err != nil {
				return cli.Answer{}, err
			}
			if o.Kind == client.OfferWaiting {
				e.leadToGame(s.Player, start.Start{At: start.Queue, Terms: o.Terms, Untimed: o.Clock.IsNone()})
				return cli.Answer{}, nil
			}
			if err := c.Accept(ctx, s.Player, o.ID); err != nil {
				return cli.Answer{}, err
			}
			if s.Screens && !o.Clock.IsCorrespondence() {
				e.leadToGame(s.Player, start.Start{At: start.Match, Match: o.ID})
				return cli.Answer{}, nil
			}
			return cli.Answer{Text: func(say cli.Say) {
				say("%s", wording.MatchMade(o.Maker.Name, o.Terms, s.Manager.TimeLimits().FirstMove))
				if o.Clock.IsCorrespondence() && o.Pool.IsRated() {
					say("To see the game that waits for your move: ssh %s moves", e.Host)
					return
				}
				say("To sit down and play: ssh -t %s watch %s", e.Host, o.ID)
			}}, nil
		}),
	}
}

func (e Env) decline() cli.Command {
	return e.named(cli.Command{
		Use: "decline NAME", Short: "Decline a challenge to you", Example: "ssh HOST decline gus",
	}, client.Challenger.Decline)
}

func (e Env) withdraw() cli.Command {
	return e.named(cli.Command{
		Use: "withdraw NAME", Short: "Withdraw a challenge of your own",
		Example: "ssh HOST withdraw gus\nssh HOST withdraw anyone",
	}, client.Challenger.Withdraw)
}

func (e Env) block() cli.Command {
	return e.named(cli.Command{
		Use: "block @NAME", Short: "Block a player", Long: aboutBlock, Example: "ssh HOST block @gus",
	}, client.Challenger.Block)
}

func (e Env) unblock() cli.Command {
	return e.named(cli.Command{
		Use: "unblock @NAME", Short: "Lift a block", Example: "ssh HOST unblock @gus",
	}, client.Challenger.Unblock)
}

func (e Env) blocked() cli.Command {
	return cli.Command{
		Use: "blocked", Short: "List the players that you have blocked",
		Run: e.onServer(func(context.Context, *cli.Call, []string) (cli.Answer, error) {
			said, err := e.challenger().Blocked()
			return cli.Line("%s", said), err
		}),
	}
}
