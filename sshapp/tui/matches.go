package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

func (r *Root) waysBack() []string {
	var lines []string
	for _, id := range r.env.commands.manager.MatchesOf(r.env.player.ID) {
		if code := r.codes[id]; code != "" {
			lines = append(lines, wording.ResumeText(r.env.host, code))
		}
	}
	return lines
}

// keepCode keeps the code of the player's seat at a table that may be left, and forgets those of matches that are over.
// A player who has had another sees the new one.
func (r *Root) keepCode(at *client.Table) {
	code := at.SeatState(at.Side).Code
	if code == "" || r.codes[at.ID] == code {
		return
	}
	if len(r.codes) > 0 {
		r.status = status{text: "New w" + resumeHint(code, r.env)[1:]}
	}
	open := r.env.commands.manager.MatchesOf(r.env.player.ID)
	maps.DeleteFunc(r.codes, func(id match.ID, _ match.Code) bool { return !slices.Contains(open, id) })
	r.codes[at.ID] = code
}

// refreshDue says that it is time to look at the player's own matches again.
type refreshDue struct{}

// refreshMatches asks how the player's own matches stand.
func (r *Root) refreshMatches() tea.Cmd { return r.env.commands.ownMatches(r.env.player.ID) }

// scheduleRefresh has them looked at again in a second, while any is on that is not shown: whose turn it is matters
// most to who is away from it.
func (r *Root) scheduleRefresh() tea.Cmd {
	if r.refreshing || !slices.ContainsFunc(r.env.elsewhere, func(o client.OwnMatch) bool { return !o.Over() }) {
		return nil
	}
	r.refreshing = true
	return r.env.commands.in(time.Second, func() tea.Msg { return refreshDue{} })
}

// onOwnMatches takes in how the player's own matches stand, rings when one needs the player, and reports one that has
// ended.
func (r *Root) onOwnMatches(msg ownMatches) tea.Cmd {
	e, before := r.env, r.currentAlert()
	if msg.player != e.player.ID {
		return nil // who the player was before a code led back to another seat
	}
	ended := client.Ended(e.elsewhere, msg.matches)
	e.elsewhere = elsewhere(msg.matches, e.elsewhere, shownID(r.screen))
	if _, lobby := r.screen.(*lobbyScreen); !lobby && r.status.text == "" && len(ended) > 0 {
		const over = "Your other match is over."
		r.status = status{text: e.either(over+" The first screen shows how it ended.", over)}
	}
	if now := r.currentAlert(); now != nil && !now.LostAt().IsZero() && (before == nil || before.LostAt().IsZero()) {
		r.errText = ""
		r.ring()
	}
	return batch(r.scheduleRefresh(), r.pass(msg))
}

// onScreenChange drops what need not be shown any more once a screen comes up: the match that it shows, and, after the
// lobby, what was over there.
func (r *Root) onScreenChange(next screen) {
	id := shownID(next)
	_, lobby := r.screen.(*lobbyScreen)
	r.env.elsewhere = slices.DeleteFunc(r.env.elsewhere, func(o client.OwnMatch) bool {
		return o.ID == id || lobby && o.Over()
	})
	if id == r.found {
		r.found = ""
	}
}

// alertFound has the player be called over to an opponent who was found.
func (r *Root) alertFound(id match.ID) tea.Cmd {
	r.found = id
	return r.refreshMatches()
}

// currentAlert is the match that the player is to come to, or nil: the one that is lost first, or else the opponent who
// was found, or else one in which a person waits for the player's move.
func (r *Root) currentAlert() (call *client.OwnMatch) {
	for i := range r.env.elsewhere {
		switch own := &r.env.elsewhere[i]; {
		case own.Over():
		case !own.LostAt().IsZero():
			if call == nil || call.LostAt().IsZero() || own.LostAt().Before(call.LostAt()) {
				call = own
			}
		case call != nil && !call.LostAt().IsZero():
		case own.ID == r.found, call == nil && own.State == client.PersonWaits:
			call = own
		}
	}
	return call
}

// isUrgent reports whether an opponent was just found, or the time is running: that comes before other news.
func (r *Root) isUrgent(call *client.OwnMatch) bool {
	return call.ID == r.found || !call.LostAt().IsZero()
}

// alertText calls the player over, who may lose by staying away.
func (r *Root) alertText(call *client.OwnMatch) string {
	e := r.env
	press := "Press " + e.keys.switchTable.Help().Key
	long, short := "It is your turn! "+press+" to go over", "Your turn! "+press
	switch {
	case call.ID == r.found:
		long, short = "Opponent found! "+press+" to go over", "Opponent! "+press
	case tableOf(r.screen) != nil:
		long, short = "Your turn at the other table! "+press+" to go over", "Other table! "+press
	}
	if !call.LostAt().IsZero() {
		left := wording.Seconds(call.LostAt().Sub(e.commands.now()))
		loss := "you lose"
		if call.MayBeVoid() {
			loss = "the match ends"
		}
		return e.either(fmt.Sprintf("%s within %d s, or %s.", long, left, loss), fmt.Sprintf("%s within %d s.", short, left))
	}
	return e.either(long+".", short+" to go over.")
}

// switchTable goes to the match that calls. One that is being played stays open.
func (r *Root) switchTable(id match.ID) tea.Cmd {
	if s := tableOf(r.screen); s != nil && !s.Over() && !s.IsWatching() && !slices.Contains(r.background, s) {
		r.background = append(r.background, s)
	}
	return r.goTo(id)
}

// elsewhere are the player's matches but for the one that is shown, the most urgent first, and those that were among
// them before and are over.
func elsewhere(own, before []client.OwnMatch, shown match.ID) []client.OwnMatch {
	still := slices.DeleteFunc(slices.Clone(before), func(o client.OwnMatch) bool { return !o.Over() })
	over := slices.Concat(client.Ended(before, own), still)
	all := slices.Concat(own, over[:min(len(over), maxOver)])
	all = slices.DeleteFunc(all, func(o client.OwnMatch) bool { return o.ID == shown })
	slices.SortStableFunc(all, func(a, b client.OwnMatch) int { return cmp.Compare(a.State, b.State) })
	return all
}

// maxOver is how many matches that are over are kept, until the player comes to the lobby: another session of the
// player may play without an end.
const maxOver = 8
