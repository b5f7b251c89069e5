package plain

import (
	"context"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// player is the person who plays here. It knows the account and the matches that are not over, and puts them into
// words. It prints nothing and touches no other part.
type player struct {
	match.Player // another one after a guest's code has led to a seat of another identity

	ctx      context.Context // of the session
	client   *client.Session
	manager  *manager.Manager
	accounts *account.Accounts
	caller   account.Caller
	host     string // the server in commands to copy
}

// callContext is the context of one thing that is asked of a table or the manager.
func (p *player) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, client.CallTimeout)
}

// matches are the player's matches that are not over, in the order of their numbers.
func (p *player) matches() []match.ID { return p.manager.MatchesOf(p.ID) }

// ownMatches are those of matches, with what is known of them.
func (p *player) ownMatches() []client.OwnMatch { return p.client.OwnMatches(p.ID) }

// about says who the player is.
func (p *player) about() []string {
	if p.caller.Key == "" {
		return []string{
			"You are " + p.Name + ", a guest.", "With a key you have an account: ssh-keygen makes one.",
		}
	}
	info := p.accounts.InfoOf(p.caller)
	shown := []string{"You are " + p.Name + ", account " + string(p.caller.Account) + "."}
	if info.Name != "" {
		shown = append(shown, "You have claimed the name "+info.Name+".")
	}
	shown = append(shown, wording.Count(len(info.Keys), "key", "keys")+".")
	return append(shown, p.deletionText(), "ssh "+p.host+" me says more.")
}

// deletionText says that the account will be deleted; empty if it will not be.
func (p *player) deletionText() string {
	if p.caller.Key == "" {
		return ""
	}
	if text := wording.Deletion(p.accounts.InfoOf(p.caller).DeletedAt, p.host); text != "" {
		return text + "."
	}
	return ""
}

// claim has the account take a name, under which the player is shown from the next login on, unless it is theirs
// already. The errors are those of [account.Accounts.Claim]; a guest has no account.
func (p *player) claim(name string) error {
	if p.caller.Key == "" {
		return account.ErrGuest
	}
	if name == p.accounts.NameOf(p.ID) {
		return nil
	}
	ctx, cancel := p.callContext()
	defer cancel()
	return p.accounts.Claim(ctx, p.caller, name)
}

// runningText reminds a player who logs in of the matches in progress; empty without any.
func (p *player) runningText() string {
	switch own := p.ownMatches(); len(own) {
	case 0:
		return ""
	case 1:
		return "You have a match in progress: " + p.aboutOwn(own[0]) + ". Type go to return to it."
	default:
		return "You have " + strconv.Itoa(len(own)) +
			" matches in progress: type mine to hear them, and go to return to the most urgent."
	}
}

// aboutMatch is what the match with an ID is, which is one of the player's.
func (p *player) aboutMatch(id match.ID) string {
	for _, o := range p.ownMatches() {
		if o.ID == id {
			return p.aboutOwn(o)
		}
	}
	return "a match that is over"
}

// aboutOwn is what one of the player's matches is.
func (p *player) aboutOwn(o client.OwnMatch) string {
	if o.State == client.AwaitsGuest {
		return "a table that waits for an opponent"
	}
	return p.aboutSummary(o.Summary)
}

// opponentText is what is played in one of the player's matches, and the opponent.
func (p *player) opponentText(m match.Summary) string {
	return wording.Terms(m.Terms) + " against " + playerName(m.Opponent(p.ID))
}

func (p *player) aboutSummary(m match.Summary) string {
	text := p.opponentText(m)
	if m.IsBetween {
		return text + ", the second game follows"
	}
	if m.Plies > 0 {
		text += ", " + wording.Count(m.Plies, "move", "moves")
	}
	if m.ToMove().ID == p.ID {
		text += ", your turn"
	}
	return text + moveByText(m, p.manager.Now())
}

// timeLeft is how long the player who is to move at a match may stay away.
func timeLeft(m match.Summary, now time.Time) string {
	left := m.ForfeitAt.Sub(now)
	if left < 2*time.Minute {
		return wording.Count(wording.Seconds(left), "second", "seconds")
	}
	return wording.ClockLeft(left)
}

// wayTo is what is typed to go to one of the player's matches.
func (p *player) wayTo(id match.ID) string {
	all := p.matches()
	if i := slices.Index(all, id); i >= 0 && len(all) > 1 {
		return "go " + strconv.Itoa(i+1)
	}
	return "go"
}

// areAgainstComputer reports whether the computer is the opponent in all of the given matches, and waits.
func (p *player) areAgainstComputer(ids []match.ID) bool {
	on := p.manager.Summaries(ids)
	return len(on) == len(ids) && !slices.ContainsFunc(on, func(m match.Summary) bool {
		return !m.Players[0].IsComputer() && !m.Players[1].IsComputer() || !m.Clock.IsNone()
	})
}

// retained is how long the computer waits for the player.
func (p *player) retained() string {
	if p.Guest {
		return "a day"
	}
	return "a month"
}

// haveClocks reports whether one of the given matches has a clock.
func (p *player) haveClocks(ids []match.ID) bool {
	return slices.ContainsFunc(p.manager.Summaries(ids), func(m match.Summary) bool { return !m.Clock.IsNone() })
}
