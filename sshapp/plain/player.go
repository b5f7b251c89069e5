package plain

import (
	"context"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// player is the person who plays in this session. Its methods put the account and the matches in progress into words.
type player struct {
	match.Player // changes when a guest's code leads to another identity

	ctx      context.Context // of the session
	client   *client.Session
	manager  *manager.Manager
	history  *store.History // nil where there is none
	accounts *account.Accounts
	caller   account.Caller
	host     string // the server in commands to copy
}

// callContext returns the context of one request.
func (p *player) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, client.CallTimeout)
}

// matches returns the player's matches that are not over, in the order of their numbers.
func (p *player) matches() []match.ID { return p.manager.MatchesOf(p.ID) }

// ownMatches returns the same matches as method matches, with what is known of each.
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
	return append(shown, wording.Count(len(info.Keys), "key", "keys")+".", p.deletionText(),
		"ssh "+p.host+" me says more.")
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

// aboutOwn describes one of the player's matches.
func (p *player) aboutOwn(o client.OwnMatch) string {
	if o.State == client.AwaitsGuest {
		return "a table that waits for an opponent"
	}
	return p.aboutSummary(o.Summary)
}

// opponentText names the game and the opponent of one of the player's matches.
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

// timeLeft says how long the player may stay away from a match.
func (p *player) timeLeft(o client.OwnMatch) string {
	left := o.ForfeitAt.Sub(p.manager.Now())
	if left < 2*time.Minute {
		return seconds(left)
	}
	return wording.ClockLeft(left)
}

// wayTo returns the command that goes to one of the player's matches.
func (p *player) wayTo(id match.ID) string {
	all := p.matches()
	if i := slices.Index(all, id); i >= 0 && len(all) > 1 {
		return "go " + strconv.Itoa(i+1)
	}
	return "go"
}

// seconds formats a duration as a count of seconds.
func seconds(d time.Duration) string { return wording.Count(wording.Seconds(d), "second", "seconds") }
