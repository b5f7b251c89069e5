package plain

import (
	"slices"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// elsewhere polls the player's matches that are not open in this session. A line tells the player when a match has
// ended, and when staying away begins to cost a match.
type elsewhere struct {
	client.Elsewhere

	player         *player
	out            *printer
	nextPoll       time.Time       // by time.Now, zero for never
	unacknowledged []history.Entry // printed results that are not recorded as seen
	lookedAt       time.Time       // of the last line, by time.Now
}

// tellUnseen prints the matches and challenges that ended while the player was away, the newest last.
func (e *elsewhere) tellUnseen() {
	h := e.player.history
	if h == nil || e.player.Guest {
		return
	}
	ctx, cancel := e.player.callContext()
	defer cancel()
	unseen, _ := h.Unseen(ctx, e.player.ID) // an unreadable history is told another time
	for _, result := range slices.Backward(unseen) {
		e.tell(result)
	}
}

func (e *elsewhere) tell(result history.Entry) {
	hint := "Type watch " + string(result.Match) + " to hear how it ended."
	if result.IsChallenge() {
		hint = ""
	}
	e.out.printLine(spoken(wording.EndedText(result, result.Opponent.Name))+" while you were away.", hint)
	e.unacknowledged = append(e.unacknowledged, result)
}

// acknowledge records that the player has heard the printed results. A failure leaves them for the next call.
func (e *elsewhere) acknowledge() {
	if h := e.player.history; len(e.unacknowledged) > 0 && h != nil && !e.player.Guest {
		ctx, cancel := e.player.callContext()
		defer cancel()
		if h.MarkSeen(ctx, e.player.ID, e.unacknowledged...) == nil {
			e.unacknowledged = nil
		}
	}
}

const pollEvery = time.Second

// startPolling schedules the first poll if one of the player's matches is not open here.
func (e *elsewhere) startPolling(isOpen func(match.ID) bool) {
	isAway := func(id match.ID) bool { return !isOpen(id) }
	if e.nextPoll.IsZero() && slices.ContainsFunc(e.player.matchIDs(), isAway) {
		e.nextPoll = time.Now().Add(pollEvery)
	}
}

// poll looks at the matches if that is due, and schedules the next look while matches are left.
func (e *elsewhere) poll(isOpen func(match.ID) bool) {
	if e.nextPoll.IsZero() || time.Now().Before(e.nextPoll) {
		return
	}
	isHere := func(o client.OwnMatch) bool { return isOpen(o.ID) }
	ended, atRisk := e.Update(e.player.client, e.player.ID, e.player.ownMatches(), isHere)
	e.Matches = slices.DeleteFunc(e.Matches, client.OwnMatch.IsOver)
	for _, o := range ended {
		if o.Result.Match != "" {
			o.Result.Pair = e.player.endedPair(o.ID)
			e.tell(o.Result)
			continue
		}
		e.out.printLine("While you were away, a match ended: "+e.player.opponentText(o.Summary)+".",
			"Type watch "+string(o.ID)+" to hear how it ended.")
	}
	for _, o := range atRisk {
		loss := "you lose that match"
		if o.IsVoidIfLate() {
			loss = "that match ends"
		}
		e.out.printLine("You are away from "+e.player.aboutSummary(o.Summary)+".",
			"Type "+e.player.wayTo(o.ID)+" within "+e.player.timeLeft(o)+", or "+loss+".")
	}
	if e.nextPoll = (time.Time{}); len(e.Matches) > 0 {
		e.nextPoll = time.Now().Add(pollEvery)
	}
}
