package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// challenges prints the news of the player's challenges, and runs the commands that begin no match.
type challenges struct {
	client.Challenges

	player *player
	out    *printer
	tables *tables
}

const mostTold = 3 // new challenges told in full at once

// tellNews prints the news of challenges, at most mostTold new challenges in full.
func (c *challenges) tellNews() {
	challenged := 0 // new challenges
	for _, n := range c.Look(c.player.client, c.player.ID) {
		switch {
		case n.End == manager.ChallengeAccepted:
			c.tables.foundMatch = n.ID
			c.out.printLine(n.Text(), "Type go.")
		case n.End != manager.ChallengeGone:
			c.out.printLine(n.Text())
			c.tables.elsewhere.unacknowledged = append(c.tables.elsewhere.unacknowledged, history.Entry{Match: n.ID})
			if time.Since(c.tables.elsewhere.lookedAt) < client.LookedFor {
				c.tables.elsewhere.acknowledge()
			}
		default:
			if challenged++; challenged <= mostTold {
				c.out.printLine(n.Text(), "Type "+n.Command(c.player.accounts)+".")
			}
		}
		c.tables.elsewhere.startPolling(c.tables.isOpen)
	}
	if challenged > mostTold {
		others := wording.Count(challenged-mostTold, "other challenge", "other challenges")
		c.out.printLine("Type challenges to hear " + others + ".")
	}
}

func (c *challenges) listCommand(_ []string) {
	ctx, cancel := c.player.callContext()
	defer cancel()
	all := c.player.client.Offers(ctx, c.player.history, c.player.ID)
	if len(all) == 0 {
		c.out.printLine(wording.NoChallenge, "Type challenge and a name, or challenge anyone, to make one.")
	}
	for _, o := range all {
		c.out.printLine(o.Line(c.player.manager.Now())+".", "Type "+o.Command(c.player.accounts)+".")
	}
}

func (p *player) challenger() client.Challenger {
	return client.Challenger{
		Session: p.client, Accounts: p.accounts, Host: p.host, Player: p.Player, Caller: p.caller,
	}
}

// named returns a command that calls do with the name in its words, and prints the sentence that do returns.
func (c *challenges) named(
	command string, do func(c client.Challenger, ctx context.Context, name string) (said string, err error),
) func(words []string) {
	return func(words []string) {
		if len(words) == 0 {
			c.out.printLine("Type "+command+" and a name, such as "+command+" ann.",
				"Type challenges to hear the challenges.")
			return
		}
		ctx, cancel := c.player.callContext()
		defer cancel()
		said, err := do(c.player.challenger(), ctx, strings.Join(words, " "))
		if err != nil {
			c.out.report(err)
			return
		}
		c.out.printLine(said)
	}
}

func (s *session) declineCommand(words []string) {
	if len(words) == 0 && s.tables.situation() == atMatch {
		s.tables.declineCommand(words)
		return
	}
	s.challenges.named("decline", client.Challenger.Decline)(words)
}

// acceptCommand accepts a challenge and goes to its match. A busy player can accept only a challenge with days a move,
// and stays. To meet a player in the queue, acceptCommand begins a seek with the terms of the list.
func (s *session) acceptCommand(words []string) {
	s.challenges.named("accept", func(c client.Challenger, ctx context.Context, name string) (said string, err error) {
		o, err := c.FindOffer(name, client.OfferToYou, client.OfferToAnyone, client.OfferWaiting)
		busy := s.tables.busyText()
		switch {
		case err != nil:
			return "", err
		case busy != "" && (o.Kind == client.OfferWaiting || !o.Clock.IsCorrespondence()):
			return busy, nil
		case o.Kind == client.OfferWaiting:
			return "", s.seekOpponent([]match.Terms{o.Terms}, lobby.Options{Forgives: true})
		}
		if err := c.Accept(ctx, c.Player, o.ID); err != nil {
			return "", err
		}
		if busy != "" {
			return wording.MatchMade(o.Maker.Name, o.Terms, 0) + " Type " + s.player.wayTo(o.ID) + " to go there.", nil
		}
		return "", s.tables.goTo(o.ID)
	})(words)
}

// challengeCommand takes a name and then the terms. The first word belongs to the name even if it looks like terms.
func (s *session) challengeCommand(words []string) {
	if words = gameWords(words); len(words) == 0 {
		s.out.printLine("Type challenge and a name, such as challenge ann 3 boards, or challenge anyone.")
		return
	}
	n := 1
	for n < len(words) {
		if _, isTerm := parseTerms(words[n : n+1]); isTerm || words[n] == "rated" {
			break
		}
		n++
	}
	name, game := strings.Join(words[:n], " "), words[n:]
	isRated := slices.Contains(game, "rated")
	if isRated { // a number of boards among the words comes later and replaces this one
		game = slices.DeleteFunc(game, func(word string) bool { return word == "rated" })
		boards := match.RatedTerms(match.PeoplePool).Variant.Boards()
		game = append([]string{strconv.Itoa(boards)}, game...)
	}
	from, ok := start.Start{Untimed: slices.Contains(game, "none")}, false
	if from.Terms, ok = parseTerms(game); !ok {
		s.out.printLine("Unknown game. Try: challenge " + name + ", or challenge " + name + " 3 boards 5+0.")
		return
	}
	terms, err := client.ChallengeTerms(from, isRated)
	if err != nil {
		s.out.report(err)
		return
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	said, err := s.player.challenger().Challenge(ctx, name, terms)
	s.out.report(err)
	s.out.printLine(said)
}

func (c *challenges) blockedCommand(_ []string) {
	said, err := c.player.challenger().Blocked()
	c.out.report(err)
	c.out.printLine(said)
}
