package plain

import (
	"context"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// player is the person in this session. Its methods describe the account and the player's matches in progress.
type player struct {
	match.Player // a guest's code can change it

	ctx      context.Context
	client   *client.Session
	manager  *manager.Manager
	history  *store.History // nil on a server without a history
	accounts *account.Accounts
	caller   account.Caller
	host     string // server name in commands to copy
}

// become makes next the player of this session. The caller's key belongs to caller.Account. For another player, such
// as the guest of a resume code, become drops the key.
func (p *player) become(next match.Player) {
	p.Player = next
	if p.caller.Account != next.ID {
		p.caller = account.Caller{Account: next.ID}
	}
}

func (p *player) callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, client.CallTimeout)
}

// matchIDs returns the player's matches in progress. A match's index plus one is its number in the command go.
func (p *player) matchIDs() []match.ID { return p.manager.PlayerMatches(p.ID) }

// ownMatches returns details of the matches of matchIDs, in that order.
func (p *player) ownMatches() []client.OwnMatch { return p.client.OwnMatches(p.ID) }

func (p *player) about() []string {
	if p.caller.Key == "" {
		return []string{
			"You are " + p.Name + ", a guest.", "For an account, run ssh-keygen once, then connect again.",
		}
	}
	info := p.accounts.CallerInfo(p.caller)
	shown := []string{"You are " + p.Name + ", account " + string(p.caller.Account) + "."}
	if info.Name != "" {
		shown = append(shown, "You have claimed the name "+info.Name+".")
	}
	more := "ssh " + p.host + " me says more."
	if p.host == wording.NoHost {
		more = "For more, add me to your ssh command."
	}
	return append(shown, wording.Count(len(info.Keys), "key", "keys")+".", p.deletionText(), more)
}

func (p *player) deletionText() string {
	if p.caller.Key == "" {
		return ""
	}
	if text := wording.Deletion(p.accounts.CallerInfo(p.caller).DeletedAt, p.host); text != "" {
		return text + "."
	}
	return ""
}

func (p *player) aboutOwn(o client.OwnMatch) string {
	if o.State == client.AwaitsGuest {
		return "a table that waits for an opponent"
	}
	return p.aboutSummary(o.Summary)
}

func (p *player) opponentText(m match.Summary) string {
	return wording.Terms(m.Terms) + " against " + playerName(m.Opponent(p.ID))
}

func (p *player) aboutSummary(m match.Summary) string {
	text := p.opponentText(m)
	if m.AwaitsSecondGame {
		return text + ", the second game follows"
	}
	if m.Plies > 0 {
		text += ", " + wording.Count(m.Plies, "move", "moves")
	}
	if m.ToMove().ID == p.ID {
		text += ", your turn"
	}
	return text + p.moveByText(m)
}

// moveByText tells the time left for the move in a match with a clock of days, and returns "" for other matches.
func (p *player) moveByText(m match.Summary) string {
	if m.MoveBy.IsZero() {
		return ""
	}
	has := playerName(m.ToMove()) + " has "
	if m.ToMove().ID == p.ID {
		has = "you have "
	}
	return ", " + has + wording.DaysLeft(m.DaysLeft(p.manager.Now())) + " left for the move"
}

// endedPair returns the rated pair that a finished match has ended, or zero.
func (p *player) endedPair(id match.ID) (pair history.RatedPair) {
	if state := p.manager.Finished(id); state != nil {
		ctx, cancel := p.callContext()
		defer cancel()
		pair, _, _ = p.client.RatedPair(ctx, p.history, state, p.ID)
	}
	return pair
}

func (p *player) timeLeft(o client.OwnMatch) string {
	left := o.ForfeitAt.Sub(p.manager.Now())
	if left < 2*time.Minute {
		return seconds(left)
	}
	return wording.ClockLeft(left)
}

// wayTo returns the command that goes to one of the player's matches.
func (p *player) wayTo(id match.ID) string {
	all := p.matchIDs()
	if i := slices.Index(all, id); i >= 0 && len(all) > 1 {
		return "go " + strconv.Itoa(i+1)
	}
	return "go"
}

func seconds(d time.Duration) string { return wording.Count(wording.Seconds(d), "second", "seconds") }
