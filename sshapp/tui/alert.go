package tui

import (
	"time"

	"notakto/match"
	"notakto/sshapp/client"
	"notakto/sshapp/render"
)

// lookedFor is the time after a key, a click or the focus during which a player looks at the window.
const lookedFor = client.LookedFor

// Alert returns the newest notification for the player's desktop.
func (r *Root) Alert() render.Alert { return r.alert }

// Status tells whether a match waits for the player.
func (r *Root) Status() render.Status {
	table := tableOf(r.screen)
	switch {
	case r.env.settings.alerts != alertsOn:
		return render.NoStatus
	case r.isMyTurn(), r.matches.mostUrgent() != nil:
		return render.Blocked
	case table != nil && table.IsSeated() && !table.IsOver(), r.env.search.queue.IsWaiting():
		return render.Working
	default:
		return render.Idle
	}
}

func (r *Root) isMyTurn() bool {
	table := tableOf(r.screen)
	return table != nil && table.IsMyTurn()
}

// callBack alerts a player away from the window to each match that needs the player.
func (r *Root) callBack() {
	if table := tableOf(r.screen); table.IsPlaying() {
		opponent := table.Seat(table.Side.Other()).Player.Name
		switch {
		case table.IsMyTurn() && r.needsAlert(table.ID, 1+len(table.Moves)):
			r.notify("Your turn against " + opponent)
		case !table.IsMyTurn() && len(table.Moves) == 0 && r.needsAlert(table.ID, 1):
			r.notify("Your match against " + opponent + " begins")
		}
	}
	for i := range r.matches.elsewhere.Matches {
		own := &r.matches.elsewhere.Matches[i]
		isMine := own.State == client.PersonWaits || !own.LostAt().IsZero()
		hasBegun := own.State == client.OpponentsTurn && own.Plies == 0
		if !isMine && !hasBegun || !r.needsAlert(own.ID, 1+own.Plies) {
			continue
		}
		if opponent := own.Opponent(r.env.player.ID).Name; isMine {
			r.notify("Your turn against " + opponent)
		} else {
			r.notify("Your match against " + opponent + " begins")
		}
	}
}

// needsAlert reports whether a turn of a match, counted from 1, is news to a player away from the window. The result is
// true once.
func (r *Root) needsAlert(id match.ID, turn int) bool {
	if last, isKnown := r.alerted[id]; isKnown && last == turn {
		return false
	}
	r.alerted[id] = turn
	return r.canAlert()
}

// canAlert reports whether the player is away from the window, and wants alerts.
func (r *Root) canAlert() bool {
	return r.env.settings.alerts == alertsOn && time.Since(r.looked) >= lookedFor
}

func (r *Root) notify(text string) { r.alert = render.Alert{Number: r.alert.Number + 1, Text: text} }
