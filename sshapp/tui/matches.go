package tui

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// ownMatches keeps a guest's resume codes, the parked tables, and the player's matches except the shown match. Its
// methods read env and change only ownMatches.
type ownMatches struct {
	env        *env
	elsewhere  client.Elsewhere        // all matches except the shown match
	unseen     []history.Entry         // results that came while the player was away, the newest first
	seen       []match.ID              // matches with a result that the player has seen in this session
	found      match.ID                // the match from the queue or the accepted challenge, until it is shown
	accepted   client.ChallengeNews    // the player's last accepted challenge without a clock of days
	refreshing bool                    // scheduleRefresh has requested a refresh
	parked     []*client.Table         // tables that stay open while another table is shown
	codes      map[match.ID]match.Code // the codes of a guest's seats
}

type ownMatchesMsg struct {
	player  match.PlayerID
	matches []client.OwnMatch
}

// newOwnMatches returns the matches of the session of e, and sets e.matches.
func newOwnMatches(e *env) *ownMatches {
	e.matches = &ownMatches{env: e, codes: make(map[match.ID]match.Code)}
	return e.matches
}

func (o *ownMatches) refresh() tea.Cmd {
	p := o.env.player.ID
	return answer(ownMatchesMsg{p, o.env.client.OwnMatches(p)})
}

// The pauses before a refresh. If the opponent in one of the matches may move at once, the pause is fastRefresh.
const (
	slowRefresh = 10 * time.Second
	fastRefresh = time.Second
)

// scheduleRefresh requests a refresh if a match is not over, unless a refresh has been requested already.
func (o *ownMatches) scheduleRefresh() tea.Cmd {
	all := o.unfinished()
	if o.refreshing || len(all) == 0 {
		return nil
	}
	o.refreshing = true
	pause := slowRefresh
	if slices.ContainsFunc(all, func(m client.OwnMatch) bool { return !m.Clock.IsCorrespondence() }) {
		pause = fastRefresh
	}
	return o.env.after(pause, func(*Root) tea.Cmd {
		o.refreshing = false
		return o.refresh()
	})
}

// update records the state of the player's matches. shown is the match on the screen, or "". The results tell whether
// another match has ended, and whether the player has begun to lose one by staying away.
func (o *ownMatches) update(now []client.OwnMatch, shown match.ID) (hasEnded, losesNow bool) {
	wasLosing := o.isLosing()
	isHere := func(m client.OwnMatch) bool { return m.ID == shown }
	ended, _ := o.elsewhere.Update(o.env.client, o.env.player.ID, now, isHere)
	return len(ended) > 0, o.isLosing() && !wasLosing
}

func (o *ownMatches) isLosing() bool {
	urgent := o.mostUrgent()
	return urgent != nil && !urgent.LostAt().IsZero()
}

func (o *ownMatches) unfinished() []client.OwnMatch {
	return slices.DeleteFunc(slices.Clone(o.elsewhere.Matches), client.OwnMatch.IsOver)
}

// waiting returns the matches that wait for the player's move, the most urgent first.
func (o *ownMatches) waiting() []client.OwnMatch {
	return slices.DeleteFunc(slices.Clone(o.elsewhere.Matches), func(m client.OwnMatch) bool { return !m.IsMyTurn() })
}

// results returns the results that the player has not seen, the newest first. The results of an earlier absence stand
// last.
func (o *ownMatches) results() (all []history.Entry) {
	for _, m := range o.elsewhere.Matches {
		isListed := slices.ContainsFunc(o.unseen, func(e history.Entry) bool { return e.Match == m.ID })
		if m.IsOver() && m.Result.Match != "" && !isListed {
			all = append(all, m.Result)
		}
	}
	return slices.DeleteFunc(append(all, o.unseen...), func(e history.Entry) bool {
		return slices.Contains(o.seen, e.Match)
	})
}

func (o *ownMatches) markSeen(ids ...match.ID) tea.Cmd {
	var results []history.Entry
	for _, id := range ids {
		if !slices.Contains(o.seen, id) {
			o.seen = append(o.seen[max(0, len(o.seen)-history.MaxUnseen-history.MaxUnseenChallenges):], id)
			results = append(results, history.Entry{Match: id})
		}
	}
	o.elsewhere.Matches = slices.DeleteFunc(o.elsewhere.Matches, func(m client.OwnMatch) bool {
		return m.IsOver() && slices.Contains(ids, m.ID)
	})
	h, p := o.env.history, o.env.player
	if h == nil || p.Guest || len(results) == 0 {
		return nil
	}
	return o.env.request(nil, func(ctx context.Context) (tea.Msg, error) {
		return nil, h.MarkSeen(ctx, p.ID, results...)
	})
}

func (o *ownMatches) isUnseen(id match.ID) bool {
	return slices.ContainsFunc(o.results(), func(e history.Entry) bool { return e.Match == id })
}

// onShow drops the match that is now shown.
func (o *ownMatches) onShow(shown match.ID) {
	o.elsewhere.Matches = slices.DeleteFunc(o.elsewhere.Matches, func(m client.OwnMatch) bool { return m.ID == shown })
	if shown == o.found {
		o.found = ""
	}
}

// forgetPlayer drops the matches of the session's former player. Codes and open tables stay.
func (o *ownMatches) forgetPlayer() { o.elsewhere.Matches, o.unseen, o.found = nil, nil, "" }

// mostUrgent returns the match that needs the player most, or nil. The order is:
//   - a match that the player is about to lose, the earliest loss first
//   - the match from the queue or an accepted challenge, if it was not shown yet
//   - a match in which a person waits for the player's move
func (o *ownMatches) mostUrgent() *client.OwnMatch {
	all := o.elsewhere.Matches // in the order of client.ByUrgency
	i := slices.IndexFunc(all, func(m client.OwnMatch) bool {
		return !m.LostAt().IsZero() || m.ID == o.found && !m.IsOver()
	})
	if i < 0 {
		i = slices.IndexFunc(all, func(m client.OwnMatch) bool { return m.State == client.PersonWaits })
	}
	if i < 0 {
		return nil
	}
	return &all[i]
}

// isAccepted reports whether m is the match of the player's accepted challenge, and was not shown yet.
func (o *ownMatches) isAccepted(m *client.OwnMatch) bool {
	return o.found == o.accepted.ID && m.ID == o.found
}

// alertText tells of the most urgent match, and which key leads there from the shown screen.
func (o *ownMatches) alertText(urgent *client.OwnMatch, shown screen) string {
	key := o.env.keys.switchTable.Help().Key
	press := "Press " + key
	if takesLetters(shown) {
		key = "Esc, then " + key
		press = key
	}
	long, short := "Your move against "+urgent.Opponent(o.env.player.ID).Name+"! "+press+" to play", "Your turn! "+press
	switch {
	case o.isAccepted(urgent):
		long, short = strings.TrimSuffix(o.accepted.Text(), ".")+": "+key+" to play", "Accepted! "+key
	case urgent.ID == o.found:
		name := urgent.Opponent(o.env.player.ID).Name
		long, short = "Opponent found: "+name+". "+press+" to play", "Opponent! "+press
	case tableOf(shown) != nil:
		long, short = "Your move at the other table! "+press+" to play", "Other table! "+press
	}
	switch {
	case urgent.LostAt().IsZero() && urgent.ID == o.found:
		return o.env.fit(long+".", short+" to play.")
	case urgent.LostAt().IsZero():
		return o.env.fit(long+".", short+" to go over.")
	}
	left := wording.Seconds(urgent.LostAt().Sub(o.env.now()))
	loss := "you lose"
	if urgent.IsVoidIfLate() {
		loss = "the match ends"
	}
	return o.env.fit(fmt.Sprintf("%s within %d s, or %s.", long, left, loss),
		fmt.Sprintf("%s within %d s.", short, left))
}

func (o *ownMatches) park(table *client.Table) {
	if table != nil && !table.IsOver() && !table.IsWatching() && !slices.Contains(o.parked, table) {
		o.parked = append(o.parked, table)
	}
}

func (o *ownMatches) resume(id match.ID) *client.Table {
	i := slices.IndexFunc(o.parked, func(table *client.Table) bool { return table.ID == id })
	if i < 0 {
		return nil
	}
	table := o.parked[i]
	o.unpark(table)
	return table
}

func (o *ownMatches) isParked(table *client.Table) bool { return slices.Contains(o.parked, table) }

func (o *ownMatches) unpark(table *client.Table) {
	o.parked = slices.DeleteFunc(o.parked, func(other *client.Table) bool { return other == table })
}

// keepCode stores the code of the player's seat at a table, and drops the codes of matches that are over. The result
// is a message if codes has an earlier code of the player, else "".
func (o *ownMatches) keepCode(table *client.Table) (news string) {
	code := table.Seat(table.Side).Code
	if code == "" || o.codes[table.ID] == code {
		return ""
	}
	if len(o.codes) > 0 {
		news = resumeHint("Now return with: ", code, o.env)
	}
	open := o.env.manager.PlayerMatches(o.env.player.ID)
	maps.DeleteFunc(o.codes, func(id match.ID, _ match.Code) bool { return !slices.Contains(open, id) })
	o.codes[table.ID] = code
	return news
}

func (o *ownMatches) waysBack() []string {
	var lines []string
	for _, id := range o.env.manager.PlayerMatches(o.env.player.ID) {
		if code := o.codes[id]; code != "" {
			lines = append(lines, wording.ResumeText(o.env.host, code))
		}
	}
	return lines
}
