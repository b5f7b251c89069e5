package tui

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/client"
)

// opponentSearch holds the player's place in the queue, and the place to request next. [Root.onPlaceChange] handles
// the news of a place.
type opponentSearch struct {
	env     *env
	queue   *client.Place // the current or last place, nil before the first place
	wanted  seekRequest   // the request that is sent, or waits until the old place is gone, or zero
	checkAt time.Time     // when the last timer of scheduleCheck is due
}

type seekRequest struct {
	accepts []match.Terms // the preferred terms first
	options lobby.Options
}

// request gives up the player's place, and requests another place with wanted as soon as the old place is gone. If
// s.wanted is set already, request drops the place and ignores its parameter.
func (s *opponentSearch) request(wanted seekRequest) tea.Cmd {
	drop := s.drop()
	if s.wanted.accepts != nil {
		return drop
	}
	if s.wanted = wanted; s.queue.IsLeaving() {
		return drop
	}
	return batch(drop, s.sendWanted())
}

// sendWanted sends the request for wanted, if any. The waiting screen comes up when the place is granted.
func (s *opponentSearch) sendWanted() tea.Cmd {
	if s.wanted.accepts == nil {
		return nil
	}
	e, p, wanted := s.env, s.env.player, s.wanted
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		q, err := e.client.SeekWith(ctx, p, wanted.options, wanted.accepts...)
		return navigation(func(r *Root) tea.Cmd {
			if s.wanted = (seekRequest{}); err != nil {
				return r.refuseSeek(err)
			}
			s.queue = q
			e.noteChange() // the place may have had news before
			return batch(s.scheduleCheck(), r.show(newWaiting(e)))
		}), nil
	})
}

// refuseSeek tells the player why a place was refused. The lobby replaces the waiting screen, because that is empty
// without a place.
func (r *Root) refuseSeek(err error) tea.Cmd {
	var cmd tea.Cmd
	if _, isShown := r.screen.(*waitingScreen); isShown && !r.env.search.queue.IsWaiting() {
		cmd = r.enterLobby("")
	}
	return batch(cmd, r.showFailure(failedMsg{nil, err}))
}

func (s *opponentSearch) scheduleCheck() tea.Cmd {
	at := s.queue.CheckAt()
	if s.checkAt = at; at.IsZero() {
		return nil
	}
	return s.env.after(time.Until(at), func(r *Root) tea.Cmd { return r.checkPlace(at) })
}

// questionText returns the question to an inactive player in the queue, as the shown screen can answer it, or "".
func (s *opponentSearch) questionText(e *env, shown screen) string {
	keys := e.keys
	switch {
	case s.queue.IsAsked():
		yes, no := keys.yes.Help().Key, keys.leaveQueue.Help().Key
		if takesLetters(shown) {
			answers := " Esc, then " + yes + " yes, " + no + " no"
			return e.fit("Still want an opponent?"+answers, "An opponent?"+answers)
		}
		return e.either("Still want an opponent? "+yes+" keeps your place in the queue, "+no+" gives it up.",
			"Still want an opponent? "+yes+" yes, "+no+" no")
	case s.queue.IsWarned():
		return e.either("Still there? Press any key to keep your place in the queue.",
			"Still there? Any key keeps your place.")
	default:
		return ""
	}
}

func (s *opponentSearch) lapsedText(e *env, wasAsked bool) string {
	if wasAsked {
		return e.either("You left the queue: you did not say that you still want an opponent.",
			"You left the queue: no answer.")
	}
	minutes := strconv.Itoa(int(client.PlaceTimeout.Minutes()))
	return e.either("You left the queue: no key was pressed for "+minutes+" minutes.",
		"You left the queue: no key for "+minutes+" min.")
}

// drop gives up the place. The status of queue reports when the place is gone.
func (s *opponentSearch) drop() tea.Cmd {
	if !s.queue.IsWaiting() {
		return nil
	}
	leave := s.queue.Leave()
	return func() tea.Msg {
		leave()
		return nil
	}
}
