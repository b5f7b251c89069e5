package plain

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/store"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// elsewhere looks at the player's matches that are not open in this session. It owns what it saw last, and prints that
// the time to come back runs, and how a match has ended. It touches no other part.
type elsewhere struct {
	player  *player
	out     *printer
	history *store.History    // nil where there is none
	matches []client.OwnMatch // as of the last look
	lookAt  time.Time         // of the next look; zero for never
	told    []history.Entry   // results that the player has been told and has not answered with a line
}

// mostTold is how many results are told at the beginning of a session.
const mostTold = 3

// tellUnseen prints how the matches ended that ended while the player was away: the newest ones, and how many more the
// history lists. What it does not list, as it does no cancelled match, is told in another session.
func (e *elsewhere) tellUnseen() {
	if e.history == nil || e.player.Guest {
		return
	}
	ctx, cancel := e.player.callContext()
	defer cancel()
	unseen, _ := e.history.Unseen(ctx, e.player.ID) // what cannot be read now is told another time
	for _, result := range unseen[:min(len(unseen), mostTold)] {
		e.tell(result)
	}
	if len(unseen) <= mostTold {
		return
	}
	listed, _ := e.history.List(ctx, e.player.ID, 0, mostFinished, true)
	others := slices.DeleteFunc(unseen[mostTold:], func(u history.Entry) bool {
		return !slices.ContainsFunc(listed, func(l history.Entry) bool { return l.Match == u.Match })
	})
	if len(others) > 0 {
		e.out.printLine("And " + wording.Count(len(others), "other match", "other matches") + ": type history to hear them.")
		e.told = append(e.told, others...)
	}
}

// tell prints how a match ended that the player was away from.
func (e *elsewhere) tell(result history.Entry) {
	e.out.printLine("While you were away: "+wording.Ended(result, result.Opponent.Name)+".",
		"To hear how it ended, type watch "+string(result.Match)+".")
	e.told = append(e.told, result)
}

// acknowledge notes that the player has heard the results that were told.
func (e *elsewhere) acknowledge() {
	if len(e.told) == 0 || e.history == nil || e.player.Guest {
		return
	}
	ctx, cancel := e.player.callContext()
	defer cancel()
	if e.history.See(ctx, e.player.ID, e.told...) == nil {
		e.told = nil
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

// poll looks at the matches if that is due, and prints of those that are not open here what must not be missed.
func (e *elsewhere) poll(isOpen func(match.ID) bool) {
	if e.lookAt.IsZero() || time.Now().Before(e.lookAt) {
		return
	}
	own := e.player.ownMatches()
	isOpenHere := func(o client.OwnMatch) bool { return isOpen(o.ID) }
	before := slices.DeleteFunc(e.matches, isOpenHere)
	for _, o := range client.Ended(before, own) {
		if result := e.player.client.Result(o.ID, e.player.ID); result.Match != "" {
			e.tell(result)
			continue
		}
		e.out.printLine("A match that you were away from is over: "+e.player.opponentText(o.Summary)+".",
			"To hear how it ended, type watch "+string(o.ID)+".")
	}
	e.matches, e.lookAt = slices.DeleteFunc(slices.Clone(own), isOpenHere), time.Time{}
	for _, o := range e.matches {
		wasRunning := slices.ContainsFunc(before, func(was client.OwnMatch) bool {
			return was.ID == o.ID && !was.LostAt().IsZero()
		})
		if wasRunning || o.LostAt().IsZero() {
			continue
		}
		loss := "you lose that match"
		if o.MayBeVoid() {
			loss = "that match ends"
		}
		e.out.printLine("You are away from "+e.player.aboutSummary(o.Summary)+".",
			"Type "+e.player.wayTo(o.ID)+" within "+timeLeft(o.Summary, e.player.manager.Now())+", or "+loss+".")
	}
	if len(e.matches) > 0 {
		e.lookAt = time.Now().Add(pollEvery)
	}
}

// forget drops what was seen, because the player is another one now.
func (e *elsewhere) forget() { e.matches, e.told = nil, nil }
