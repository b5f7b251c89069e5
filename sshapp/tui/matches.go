package tui

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// ownMatches keeps the player's matches besides the shown one: their state, the one that needs the player most, the
// tables open in the background, and a guest's resume codes. It reads env and changes nothing outside itself.
type ownMatches struct {
	env        *env
	elsewhere  client.Elsewhere        // all matches but the shown one
	unseen     []history.Entry         // results that came while the player was away, the newest first
	seen       []match.ID              // matches whose results the player has seen in this session
	found      match.ID                // the match of an opponent that the queue has found, or ""
	refreshing bool                    // scheduleRefresh has asked for a refresh
	background []*client.Table         // tables that stay open while another one is shown
	codes      map[match.ID]match.Code // of a guest's seats
}

type ownMatchesMsg struct {
	player  match.PlayerID
	matches []client.OwnMatch
}

func newOwnMatches(e *env) *ownMatches {
	return &ownMatches{env: e, codes: make(map[match.ID]match.Code)}
}

func (o *ownMatches) refresh() tea.Cmd {
	e, p := o.env, o.env.player.ID
	return func() tea.Msg { return ownMatchesMsg{p, e.client.OwnMatches(p)} }
}

// scheduleRefresh requests a refresh in a second if a match is not over. It does nothing while such a request is due.
func (o *ownMatches) scheduleRefresh() tea.Cmd {
	if o.refreshing || !slices.ContainsFunc(o.elsewhere.Matches, func(m client.OwnMatch) bool { return !m.Over() }) {
		return nil
	}
	o.refreshing = true
	return o.env.after(time.Second, func(*Root) tea.Cmd {
		o.refreshing = false
		return o.refresh()
	})
}

// update records the state of the player's matches. shown is the match on the screen, or "". It reports whether another
// match has ended, and whether the player has begun to lose one by staying away.
func (o *ownMatches) update(now []client.OwnMatch, shown match.ID) (hasEnded, isCalled bool) {
	wasCalled := o.isLosing()
	isHere := func(m client.OwnMatch) bool { return m.ID == shown }
	ended, _ := o.elsewhere.Update(o.env.client, o.env.player.ID, now, isHere)
	return len(ended) > 0, o.isLosing() && !wasCalled
}

// isLosing reports whether the player loses a match soon unless the player comes to it.
func (o *ownMatches) isLosing() bool {
	call := o.alert()
	return call != nil && !call.LostAt().IsZero()
}

// listed returns the matches for the lobby. Those that ended in an earlier absence stand last.
func (o *ownMatches) listed() []client.OwnMatch {
	all := slices.Clone(o.elsewhere.Matches)
	for _, e := range o.unseen {
		isNew := !slices.ContainsFunc(all, func(m client.OwnMatch) bool { return m.ID == e.Match })
		if isNew && !slices.Contains(o.seen, e.Match) {
			all = append(all, client.OwnMatch{Summary: match.Summary{ID: e.Match}, State: client.MatchOver, Result: e})
		}
	}
	return all
}

// see records that the player has seen the results of matches. It stores that in the history too.
func (o *ownMatches) see(ids ...match.ID) tea.Cmd {
	var results []history.Entry
	for _, id := range ids {
		if !slices.Contains(o.seen, id) {
			o.seen = append(o.seen[max(0, len(o.seen)-history.MaxUnseen):], id)
			results = append(results, history.Entry{Match: id})
		}
	}
	o.elsewhere.Matches = slices.DeleteFunc(o.elsewhere.Matches, func(m client.OwnMatch) bool {
		return m.Over() && slices.Contains(ids, m.ID)
	})
	h, p := o.env.history, o.env.player
	if h == nil || p.Guest || len(results) == 0 {
		return nil
	}
	return o.env.do(nil, func(ctx context.Context) (tea.Msg, error) { return nil, h.See(ctx, p.ID, results...) })
}

func (o *ownMatches) isUnseen(id match.ID) bool {
	return slices.ContainsFunc(o.listed(), func(m client.OwnMatch) bool { return m.ID == id && m.Over() })
}

// onShow drops the match that is now shown. If the player has left the lobby, it also drops the matches that are over.
func (o *ownMatches) onShow(shown match.ID, wasLobby bool) {
	o.elsewhere.Matches = slices.DeleteFunc(o.elsewhere.Matches, func(m client.OwnMatch) bool {
		return m.ID == shown || wasLobby && m.Over()
	})
	if shown == o.found {
		o.found = ""
	}
}

// forget drops the matches of the player who used the session before. Codes and open tables stay.
func (o *ownMatches) forget() { o.elsewhere.Matches, o.unseen, o.found = nil, nil, "" }

// alert returns the match that needs the player most, or nil. A match about to be lost comes first, the earliest loss
// before others. Then comes the opponent that the queue has found, then a match in which a person waits for a move.
func (o *ownMatches) alert() (call *client.OwnMatch) {
	for i := range o.elsewhere.Matches {
		switch own := &o.elsewhere.Matches[i]; {
		case own.Over():
		case !own.LostAt().IsZero():
			if call == nil || call.LostAt().IsZero() || own.LostAt().Before(call.LostAt()) {
				call = own
			}
		case call != nil && !call.LostAt().IsZero():
		case own.ID == o.found, call == nil && own.State == client.PersonWaits:
			call = own
		}
	}
	return call
}

func (o *ownMatches) alertText(call *client.OwnMatch, isAtTable bool) string {
	press := "Press " + o.env.keys.switchTable.Help().Key
	long, short := "It is your turn! "+press+" to go over", "Your turn! "+press
	switch {
	case call.ID == o.found:
		name := call.Opponent(o.env.player.ID).Name
		long, short = "Opponent found: "+name+". "+press+" to play", "Opponent! "+press
	case isAtTable:
		long, short = "Your turn at the other table! "+press+" to go over", "Other table! "+press
	}
	switch {
	case call.LostAt().IsZero() && call.ID == o.found:
		return o.env.either(long+".", short+" to play.")
	case call.LostAt().IsZero():
		return o.env.either(long+".", short+" to go over.")
	}
	left := wording.Seconds(call.LostAt().Sub(o.env.now()))
	loss := "you lose"
	if call.MayBeVoid() {
		loss = "the match ends"
	}
	return o.env.either(fmt.Sprintf("%s within %d s, or %s.", long, left, loss),
		fmt.Sprintf("%s within %d s.", short, left))
}

// park keeps a match open in the background.
func (o *ownMatches) park(at *client.Table) {
	if at != nil && !at.Over() && !at.IsWatching() && !slices.Contains(o.background, at) {
		o.background = append(o.background, at)
	}
}

// resume takes the table of a match out of the background. It returns nil if the table is not there.
func (o *ownMatches) resume(id match.ID) *client.Table {
	i := slices.IndexFunc(o.background, func(at *client.Table) bool { return at.ID == id })
	if i < 0 {
		return nil
	}
	at := o.background[i]
	o.unpark(at)
	return at
}

func (o *ownMatches) isParked(at *client.Table) bool { return slices.Contains(o.background, at) }

func (o *ownMatches) unpark(at *client.Table) {
	o.background = slices.DeleteFunc(o.background, func(other *client.Table) bool { return other == at })
}

// keepCode stores the code of the player's seat at a table, and drops the codes of matches that are over. It returns a
// message for a player who had another code, else "".
func (o *ownMatches) keepCode(at *client.Table) (news string) {
	code := at.SeatState(at.Side).Code
	if code == "" || o.codes[at.ID] == code {
		return ""
	}
	if len(o.codes) > 0 {
		news = resumeHint("New way back: ", code, o.env)
	}
	open := o.env.manager.MatchesOf(o.env.player.ID)
	maps.DeleteFunc(o.codes, func(id match.ID, _ match.Code) bool { return !slices.Contains(open, id) })
	o.codes[at.ID] = code
	return news
}

// waysBack returns a line for each open match of a guest: how to come back to it.
func (o *ownMatches) waysBack() []string {
	var lines []string
	for _, id := range o.env.manager.MatchesOf(o.env.player.ID) {
		if code := o.codes[id]; code != "" {
			lines = append(lines, wording.ResumeText(o.env.host, code))
		}
	}
	return lines
}
