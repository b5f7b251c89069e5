package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// refreshDue says that it is time to look at the player's own matches again.
type refreshDue struct{}

// refreshMatches asks how the player's own matches stand.
func refreshMatches(r *Root) tea.Cmd { return r.session.commands.running(r.session.player.ID) }

// scheduleRefresh has them looked at again in a second, while any is on that is not shown: whose turn it is matters
// most to who is away from it.
func scheduleRefresh(r *Root) tea.Cmd {
	if r.refreshing || !slices.ContainsFunc(r.session.myMatches, myMatch.isOn) {
		return nil
	}
	r.refreshing = true
	return r.session.commands.in(time.Second, func() tea.Msg { return refreshDue{} })
}

// missedText tells a player who comes of the last match that ended while the player was away; empty if none has.
func missedText(s *session, missed []*match.State) string {
	if len(missed) == 0 {
		return ""
	}
	state := missed[len(missed)-1]
	at := &client.Table{Side: state.Side(s.player.ID), Snapshot: &match.Snapshot{State: state}}
	text := "While you were away: " + headline(at) + " against " + opponent(at) + "."
	if len(missed) > 1 {
		return text + " " + strconv.Itoa(len(missed)) + " matches ended."
	}
	return text + " " + reasonText(at)
}

// renamedText tells a player who comes of a name that is not the user name of the login.
func renamedText(s *session) string {
	text := "You are called " + s.player.Name + " here."
	return s.either(text+" For another name: ssh -t -l NAME "+s.host, text)
}

// onMyMatches takes in how the player's own matches stand, rings where one begins to call, and tells of one that has
// ended.
func onMyMatches(r *Root, msg running) tea.Cmd {
	s, before := r.session, currentAlert(r)
	if msg.player != s.player.ID {
		return nil // who the player was before a code led back to another seat
	}
	was := s.myMatches
	s.myMatches = myMatches(msg, was, shownID(r.screen))
	if _, lobby := r.screen.(*lobbyScreen); !lobby && r.statusText == "" && newlyOver(s.myMatches, was) {
		r.statusText = s.either("Your other match is over: the lobby leads to how it ended.", "Your other match is over.")
	}
	if now := currentAlert(r); now != nil && !now.forfeitAt.IsZero() && (before == nil || before.forfeitAt.IsZero()) {
		r.errText = ""
		r.ring()
	}
	return batch(scheduleRefresh(r), r.pass(msg))
}

// newlyOver reports whether a match is over that was not before.
func newlyOver(now, before []myMatch) bool {
	return slices.ContainsFunc(now, func(o myMatch) bool {
		return o.isOver() && slices.ContainsFunc(before, func(was myMatch) bool { return was.id == o.id && was.isOn() })
	})
}

// onScreenChange drops what need not be told any more once a screen comes up: the match that it shows, and, after the
// lobby, what was over there.
func onScreenChange(r *Root, next screen) {
	id := shownID(next)
	_, lobby := r.screen.(*lobbyScreen)
	r.session.myMatches = slices.DeleteFunc(r.session.myMatches, func(o myMatch) bool { return o.id == id || lobby && o.isOver() })
	if id == r.found {
		r.found = ""
	}
}

// shownID is the match that a screen shows, or "".
func shownID(s screen) match.ID {
	if at := tableOf(s); at != nil {
		return at.ID
	}
	return ""
}

// alertFound has the player be called over to an opponent who was found.
func alertFound(r *Root, id match.ID) tea.Cmd {
	r.found = id
	return refreshMatches(r)
}

// currentAlert is the match that the player is to come to, or nil: the one that is lost first, or else the opponent who was
// found, or else one in which a person waits for the player's move.
func currentAlert(r *Root) (call *myMatch) {
	for i := range r.session.myMatches {
		switch myMatches := &r.session.myMatches[i]; {
		case myMatches.isOver():
		case !myMatches.forfeitAt.IsZero():
			if call == nil || call.forfeitAt.IsZero() || myMatches.forfeitAt.Before(call.forfeitAt) {
				call = myMatches
			}
		case call != nil && !call.forfeitAt.IsZero():
		case myMatches.id == r.found, call == nil && myMatches.urgency == keepsSomeone:
			call = myMatches
		}
	}
	return call
}

// isUrgent reports whether somebody has just come, or the time is running: that comes before other news.
func isUrgent(r *Root, call *myMatch) bool { return call.id == r.found || !call.forfeitAt.IsZero() }

// alertText calls the player over, who may lose by staying away.
func alertText(r *Root, call *myMatch) string {
	s := r.session
	press := "Press " + s.keys.switchTable.Help().Key
	long, short := "It is your turn! "+press+" to go over", "Your turn! "+press
	switch {
	case call.id == r.found:
		long, short = "Opponent found! "+press+" to go over", "Opponent! "+press
	case tableOf(r.screen) != nil:
		long, short = "Your turn at the other table! "+press+" to go over", "Other table! "+press
	}
	if !call.forfeitAt.IsZero() {
		left := wording.Seconds(call.forfeitAt.Sub(s.commands.now()))
		return s.either(fmt.Sprintf("%s within %d s, or you lose.", long, left), fmt.Sprintf("%s within %d s.", short, left))
	}
	return s.either(long+".", short+" to go over.")
}

// switchTable goes to the match that calls. One that is being played stays open meanwhile.
func switchTable(r *Root, id match.ID) tea.Cmd {
	if s := tableOf(r.screen); s != nil && !s.Over() && !s.IsWatching() && !slices.Contains(r.background, s) {
		r.background = append(r.background, s)
	}
	return r.goTo(id)
}

// myMatch is one of the player's matches, but for the one that is shown.
type myMatch struct {
	id        match.ID
	about     string
	state     string
	urgency   urgency
	forfeitAt time.Time // when it is lost, if that is known
}

// urgency is what a player who is away from a match has to know of it.
type urgency uint8

// The most urgent comes first.
const (
	keepsSomeone urgency = iota // it is the player's turn, and a person waits
	myMove                      // it is the player's turn
	ended                       // while the player was elsewhere
	canWait
	waitsForGuest // a private table
)

// myMatchOf is a match of one's own that has begun.
func myMatchOf(m match.Summary, me match.PlayerID) myMatch {
	other, turn := m.Opponent(me), m.ToMove().ID == me
	myMatches := myMatch{m.ID, wording.Variant(m.Variant) + " against " + other.Name, ", " + wording.Count(m.Plies, "move", "moves"), canWait, time.Time{}}
	switch {
	case turn && other.IsComputer():
		myMatches.state, myMatches.urgency, myMatches.forfeitAt = ", your turn", myMove, m.ForfeitAt
	case turn:
		myMatches.state, myMatches.urgency, myMatches.forfeitAt = ", your turn", keepsSomeone, m.ForfeitAt
	}
	return myMatches
}

// myMatches are the player's matches but for the one that is shown, and those that were among them before and are over.
func myMatches(msg running, before []myMatch, shown match.ID) []myMatch {
	all := make([]myMatch, 0, len(msg.ids))
	for _, id := range msg.ids {
		myMatches := myMatch{id: id, about: "A private table", state: ", without a guest yet", urgency: waitsForGuest}
		if i := slices.IndexFunc(msg.matches, func(m match.Summary) bool { return m.ID == id }); i >= 0 {
			myMatches = myMatchOf(msg.matches[i], msg.player)
		}
		all = append(all, myMatches)
	}
	all = append(all, overOf(msg, before)...)
	all = slices.DeleteFunc(all, func(o myMatch) bool { return o.id == shown })
	slices.SortStableFunc(all, func(a, b myMatch) int { return cmp.Compare(a.urgency, b.urgency) })
	return all
}

// maxOver is how many matches that are over are kept, until the player comes to the lobby: somebody may play elsewhere
// without an end.
const maxOver = 8

// overOf are the latest of the matches that are over, the newest first.
func overOf(msg running, before []myMatch) []myMatch {
	var newly, still []myMatch
	for _, was := range before {
		switch {
		case was.urgency == waitsForGuest || slices.Contains(msg.ids, was.id):
		case was.isOver():
			still = append(still, was)
		default:
			was.state, was.urgency = ", over", ended
			newly = append(newly, was)
		}
	}
	over := slices.Concat(newly, still)
	return over[:min(len(over), maxOver)]
}

func (o myMatch) isOn() bool   { return o.urgency != ended }
func (o myMatch) isOver() bool { return !o.isOn() }
