package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
)

// call is a match that waits for a player who is at another screen.
type call struct {
	id     match.ID
	on     bool      // it has been seen to be on
	lostAt time.Time // when the player loses it by staying away, if that is known
}

// callStands tells how the match stands that calls the player.
type callStands struct {
	id      match.ID
	matches []match.Summary // it, or none if it is not on
}

// callTo has the player be called over, for as long as there is a match to come to.
func (r *Root) callTo(id match.ID) tea.Cmd {
	r.call = &call{id: id}
	return r.session.wishes.lookAt(id)
}

func (w *wishes) lookAt(id match.ID) tea.Cmd {
	return func() tea.Msg { return callStands{id, w.manager.Summaries([]match.ID{id})} }
}

// callNews takes in how the match stands, and looks again in a second.
func (r *Root) callNews(msg callStands) tea.Cmd {
	c := r.call
	if c == nil || c.id != msg.id {
		return nil
	}
	if len(msg.matches) == 0 && c.on {
		r.call, r.news = nil, "You stayed away: that match is over."
		return nil
	}
	again := r.session.wishes.inASecond(r.session.wishes.lookAt(c.id))
	for _, m := range msg.matches {
		if !c.on { // the lobby lists it as well
			again = together(again, r.session.wishes.running(r.session.player.ID))
		}
		c.on, c.lostAt = true, time.Time{}
		if ownOf(m, r.session.player.ID).urgency == keepsSomeone {
			c.lostAt = m.LostAt
		}
	}
	return again
}

// callText calls the player over, who may lose by staying away.
func (r *Root) callText() string {
	long, short := "Opponent found! Press "+r.session.keys.goOver.Help().Key+" to go over", "Opponent! Press "+r.session.keys.goOver.Help().Key
	if at := r.call.lostAt; !at.IsZero() {
		left := seconds(at.Sub(r.session.wishes.now()))
		return r.session.either(fmt.Sprintf("%s within %d s, or you lose.", long, left), fmt.Sprintf("%s within %d s.", short, left))
	}
	return r.session.either(long+".", short+" to go over.")
}
