package plain

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// elsewhere looks at the player's matches that are not open in this session. It prints a line when the time to come
// back to one runs, and when one has ended.
type elsewhere struct {
	client.Elsewhere

	player *player
	out    *printer
	lookAt time.Time       // of the next look; zero for never
	told   []history.Entry // printed results that acknowledge has not recorded yet
}

// mostTold is the most results told at the start of a session.
const mostTold = 3

// tellUnseen prints the results of the matches that ended while the player was away: the newest mostTold, and how many
// more the history lists. Later sessions tell the results that the history does not list, such as those of cancelled
// matches.
func (e *elsewhere) tellUnseen() {
	h := e.player.history
	if h == nil || e.player.Guest {
		return
	}
	ctx, cancel := e.player.callContext()
	defer cancel()
	unseen, _ := h.Unseen(ctx, e.player.ID) // what cannot be read now is told another time
	for _, result := range unseen[:min(len(unseen), mostTold)] {
		e.tell(result)
	}
	if len(unseen) <= mostTold {
		return
	}
	listed, _ := h.List(ctx, e.player.ID, 0, mostFinished, true)
	others := slices.DeleteFunc(unseen[mostTold:], func(u history.Entry) bool {
		return !slices.ContainsFunc(listed, func(l history.Entry) bool { return l.Match == u.Match })
	})
	if len(others) > 0 {
		e.out.printLine("And " + wording.Count(len(others), "other match", "other matches") + ": type history to hear them.")
		e.told = append(e.told, others...)
	}
}

// tell prints the result of a match that ended while the player was away.
func (e *elsewhere) tell(result history.Entry) {
	e.out.printLine("While you were away: "+wording.Ended(result, result.Opponent.Name)+".",
		"To hear how it ended, type watch "+string(result.Match)+".")
	e.told = append(e.told, result)
}

// acknowledge notes that the player has heard the results that were told.
func (e *elsewhere) acknowledge() {
	if h := e.player.history; len(e.told) > 0 && h != nil && !e.player.Guest {
		ctx, cancel := e.player.callContext()
		defer cancel()
		if h.See(ctx, e.player.ID, e.told...) == nil {
			e.told = nil
		}
	}
}

// pollEvery is the time between two looks.
const pollEvery = time.Second

// startPolling begins to look at the player's matches if one of them is not open here.
func (e *elsewhere) startPolling(isOpen func(match.ID) bool) {
	isAway := func(id match.ID) bool { return !isOpen(id) }
	if e.lookAt.IsZero() && slices.ContainsFunc(e.player.matches(), isAway) {
		e.lookAt = time.Now().Add(pollEvery)
	}
}

// poll looks at the matches if a look is due. It prints which of the matches that are not open here have ended, and to
// which the player has to come back.
func (e *elsewhere) poll(isOpen func(match.ID) bool) {
	if e.lookAt.IsZero() || time.Now().Before(e.lookAt) {
		return
	}
	isHere := func(o client.OwnMatch) bool { return isOpen(o.ID) }
	ended, called := e.Update(e.player.client, e.player.ID, e.player.ownMatches(), isHere)
	e.Matches = slices.DeleteFunc(e.Matches, client.OwnMatch.Over)
	for _, o := range ended {
		if o.Result.Match != "" {
			e.tell(o.Result)
			continue
		}
		e.out.printLine("A match that you were away from is over: "+e.player.opponentText(o.Summary)+".",
			"To hear how it ended, type watch "+string(o.ID)+".")
	}
	for _, o := range called {
		loss := "you lose that match"
		if o.MayBeVoid() {
			loss = "that match ends"
		}
		e.out.printLine("You are away from "+e.player.aboutSummary(o.Summary)+".",
			"Type "+e.player.wayTo(o.ID)+" within "+e.player.timeLeft(o)+", or "+loss+".")
	}
	if e.lookAt = (time.Time{}); len(e.Matches) > 0 {
		e.lookAt = time.Now().Add(pollEvery)
	}
}
