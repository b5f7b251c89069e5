package tui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/wording"
)

// lookedAgain says that it is time to look at the player's own matches again.
type lookedAgain struct{}

// look asks how the player's own matches stand.
func (r *Root) look() tea.Cmd { return r.session.wishes.running(r.session.player.ID) }

// lookAgain has them looked at again in a second, while any is on that is not shown: whose turn it is matters most to who is away from it.
func (r *Root) lookAgain() tea.Cmd {
	if r.looking || !slices.ContainsFunc(r.session.mine, ownMatch.on) {
		return nil
	}
	r.looking = true
	return r.session.wishes.in(time.Second, func() tea.Msg { return lookedAgain{} })
}

// missedText tells a player who comes of the last match that ended while the player was away; empty if none has.
func missedText(s *session, missed []*match.State) string {
	if len(missed) == 0 {
		return ""
	}
	state := missed[len(missed)-1]
	at := &sitting{id: state.ID, side: state.Side(s.player.ID), Snapshot: &match.Snapshot{State: state}}
	text := "While you were away: " + headline(at) + " against " + opponent(at) + "."
	if len(missed) > 1 {
		return text + " " + strconv.Itoa(len(missed)) + " matches ended."
	}
	return text + " " + because(at)
}

// renamedText tells a player who comes of a name that is not the user name of the login.
func renamedText(s *session) string {
	text := "You are called " + s.player.Name + " here."
	return s.either(text+" For another name: ssh -t -l NAME "+s.host, text)
}

// ownNews takes in how the player's own matches stand, rings where one begins to call, and tells of one that has ended.
func (r *Root) ownNews(msg running) tea.Cmd {
	s, before := r.session, r.calling()
	if msg.player != s.player.ID {
		return nil // who the player was before a code led back to another seat
	}
	was := s.mine
	s.mine = ownMatches(msg, was, shownID(r.screen))
	if _, lobby := r.screen.(*lobbyScreen); !lobby && r.news == "" && newlyOver(s.mine, was) {
		r.news = s.either("Your other match is over: the lobby leads to how it ended.", "Your other match is over.")
	}
	if now := r.calling(); now != nil && !now.lostAt.IsZero() && (before == nil || before.lostAt.IsZero()) {
		r.trouble = ""
		r.ring()
	}
	return together(r.lookAgain(), r.pass(msg))
}

// newlyOver reports whether a match is over that was not before.
func newlyOver(now, before []ownMatch) bool {
	return slices.ContainsFunc(now, func(o ownMatch) bool {
		return o.over() && slices.ContainsFunc(before, func(was ownMatch) bool { return was.id == o.id && was.on() })
	})
}

// leaveFor drops what need not be told any more once a screen comes up: the match that it shows, and, after the lobby, what was over there.
func (r *Root) leaveFor(next screen) {
	id := shownID(next)
	_, lobby := r.screen.(*lobbyScreen)
	r.session.mine = slices.DeleteFunc(r.session.mine, func(o ownMatch) bool { return o.id == id || lobby && o.over() })
	if id == r.found {
		r.found = ""
	}
}

// shownID is the match that a screen shows, or "".
func shownID(s screen) match.ID {
	if at := sittingOf(s); at != nil {
		return at.id
	}
	return ""
}

// callTo has the player be called over to an opponent who was found.
func (r *Root) callTo(id match.ID) tea.Cmd {
	r.found = id
	return r.look()
}

// calling is the match that the player is to come to, or nil: the one that is lost first, or else the opponent who was found, or else one in
// which a person waits for the player's move.
func (r *Root) calling() (call *ownMatch) {
	for i := range r.session.mine {
		switch own := &r.session.mine[i]; {
		case own.over():
		case !own.lostAt.IsZero():
			if call == nil || call.lostAt.IsZero() || own.lostAt.Before(call.lostAt) {
				call = own
			}
		case call != nil && !call.lostAt.IsZero():
		case own.id == r.found, call == nil && own.urgency == keepsSomeone:
			call = own
		}
	}
	return call
}

// presses reports whether somebody has just come, or the time is running: that comes before other news.
func (r *Root) presses(call *ownMatch) bool { return call.id == r.found || !call.lostAt.IsZero() }

// callText calls the player over, who may lose by staying away.
func (r *Root) callText(call *ownMatch) string {
	s := r.session
	press := "Press " + s.keys.goOver.Help().Key
	long, short := "It is your turn! "+press+" to go over", "Your turn! "+press
	switch {
	case call.id == r.found:
		long, short = "Opponent found! "+press+" to go over", "Opponent! "+press
	case sittingOf(r.screen) != nil:
		long, short = "Your turn at the other table! "+press+" to go over", "Other table! "+press
	}
	if !call.lostAt.IsZero() {
		left := wording.Seconds(call.lostAt.Sub(s.wishes.now()))
		return s.either(fmt.Sprintf("%s within %d s, or you lose.", long, left), fmt.Sprintf("%s within %d s.", short, left))
	}
	return s.either(long+".", short+" to go over.")
}

// goOver goes to the match that calls. One that is being played stays open meanwhile.
func (r *Root) goOver(id match.ID) tea.Cmd {
	if s := sittingOf(r.screen); s != nil && !s.Over() && !s.watching() && !slices.Contains(r.parked, s) {
		r.parked = append(r.parked, s)
	}
	return r.goTo(id)
}
