package bot

import (
	"context"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/wire"
	"notakto/sshapp/wording"
)

// challenges makes, lists and answers challenges, and tells the bot their news.
type challenges struct {
	client.Challenges

	ctx    context.Context
	config *Config
	client *client.Session
	out    *outbox
	tables *tables
}

// challengeEvent describes a challenge. to is the zero Player for any player.
func challengeEvent(c manager.OpenChallenge, state string, to match.Player) botproto.Challenge {
	event := botproto.Challenge{
		Match: c.ID, State: state, From: wire.NewPlayer(c.Maker),
		Variant: c.Variant.String(), Clock: clockName(c.Clock), Rated: c.Pool.IsRated(),
		Since: c.Since.UTC().Truncate(time.Second), Expires: c.Expires.UTC().Truncate(time.Second),
	}
	if to.ID != "" {
		event.To = new(wire.NewPlayer(to))
	}
	return event
}

// tellNews sends the new challenges to the bot, and the ends of its own challenges.
func (c *challenges) tellNews(p match.PlayerID) {
	for _, n := range c.Look(c.client, p) {
		state, to := "open", n.Invited
		switch n.End {
		case manager.ChallengeGone: // of a new challenge
		case manager.ChallengeAccepted:
			state, to = "accepted", n.Opponent
		case manager.ChallengeDeclined:
			state = "declined"
		case manager.ChallengeExpired:
			state = "expired"
		}
		c.out.send(challengeEvent(n.OpenChallenge, state, to))
		if h := c.config.History; h != nil && (state == "declined" || state == "expired") {
			_ = h.MarkSeen(c.ctx, p, history.Entry{Match: n.ID}) // after an error the command results lists it
		}
	}
}

func (c *challenges) challenge(p match.Player, r request) error {
	made := manager.OpenChallenge{Maker: p}
	var err error
	if made.Terms, err = r.challengeTerms(); err != nil {
		return err
	}
	if r.Has("opponent") {
		name, err := r.Text("opponent")
		if err == nil {
			made.Invited, err = client.FindPlayer(c.config.Accounts, wording.NoHost, name)
		}
		if err != nil {
			return err
		}
	}
	made.ID, err = c.config.Manager.Challenge(c.ctx, p, manager.Challenge{Terms: made.Terms, Opponent: made.Invited})
	if err != nil {
		return err
	}
	made.Since = c.config.Manager.Now()
	made.Expires = made.Since.Add(match.ChallengeLife)
	c.out.send(challengeEvent(made, "open", made.Invited))
	c.Made(made)
	c.tellNews(p.ID)
	return nil
}

func (c *challenges) accept(p match.Player, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	if err := c.tables.checkLimit(); err != nil {
		return err
	}
	if err := c.client.Accept(c.ctx, p, id); err != nil {
		return err
	}
	_, err = c.tables.sit(p.ID, id)
	return err
}

// decline declines or withdraws an open challenge. A line about another match declines the request of its opponent.
func (c *challenges) decline(p match.PlayerID, r request) error {
	id, err := r.match()
	if err != nil {
		return err
	}
	named, own := c.config.Manager.PersonalChallenges(p)
	all := slices.Concat(named, own)
	at := slices.IndexFunc(all, func(o manager.OpenChallenge) bool { return o.ID == id })
	if at < 0 {
		return c.tables.request(p, r, match.Declined)
	}
	if err := c.config.Manager.Decline(c.ctx, p, id); err != nil {
		return err
	}
	state := "declined"
	if at >= len(named) {
		state = "withdrawn"
	}
	c.out.send(challengeEvent(all[at], state, all[at].Invited))
	return nil
}

// board sends the challenges that the bot can accept, the waiting players, and its own challenges.
func (c *challenges) board(p match.PlayerID) {
	all := []botproto.Challenge{}
	for _, o := range c.client.Offers(c.ctx, nil, p) {
		state := "open"
		if o.Kind == client.OfferWaiting {
			state = "waiting"
		}
		all = append(all, challengeEvent(o.OpenChallenge, state, o.Invited))
	}
	c.out.send(botproto.Board{Challenges: all})
}
