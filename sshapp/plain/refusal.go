package plain

import (
	"context"
	"errors"

	"notakto/match"
	"notakto/rules"
)

// try says why something cannot be done, if so. At a stop nobody knows, and what is told then holds either way.
func (s *session) try(err error) {
	if err != nil && s.ctx.Err() == nil {
		s.say(refusal(err))
	}
}

// refusal says why something cannot be done, and what to do.
func refusal(err error) string {
	if why := match.Why(err); why != "" {
		return capital(why) + "."
	}
	for _, known := range []struct {
		is   error
		text string
	}{
		{rules.ErrCellTaken, "That cell is taken: type boards to hear which are free."},
		{rules.ErrBoardDead, "That board is dead: type boards to hear which are not."},
		{rules.ErrOver, "The match is over: type rematch, review or leave."},
		{match.ErrNotYourTurn, "It is not your turn yet: wait for your opponent's move."},
		{match.ErrNotBegun, "Nobody sits opposite yet: wait for your guest, or type leave to clear the table."},
		{match.ErrMatchOver, "The match is over: type rematch, review or leave."},
		{match.ErrNotOver, "A rematch can come when the match is over."},
		{match.ErrNoSuchMatch, "There is no such match: type matches to hear those in progress."},
		{match.ErrNotSeated, "You have no seat at that table: type watch to look on."},
		{match.ErrSearching, "Too many looks for matches that are not on: wait a minute before the next."},
		{match.ErrGuessing, "Too many wrong codes: wait a minute, then type join and the code."},
		{match.ErrNoSuchTable, "No table has this code, or no longer: ask for it again, and type join and the code."},
		{match.ErrSeatInUse, "Another session still sits on that seat: close that one, or try again in a moment."},
		{match.ErrTableFull, "Both seats at that table are taken: type watch to look on."},
		{match.ErrAlreadySeeking, "You are waiting already, in another session: stop there first."},
		{match.ErrTooMany, "You have as many matches as one player may have: type mine to hear them, and finish one first."},
		{match.ErrAddressFull, "The players of your address have as many matches as they may: try again in a while."},
		{match.ErrTooFast, "Too many matches were begun in a short time: wait a little, then try again."},
		{match.ErrDraining, "The server is stopping and begins no new matches: come back in a moment."},
		{match.ErrClosed, "The table has closed: type mine to hear your matches."},
		{match.ErrDamaged, "The record of that match is damaged: it cannot be shown, nor go on."},
		{match.ErrNewer, "That match was written by a newer version of the server: this one can neither show it nor go on with it."},
		{errNobodyPlays, noOpenMatch},
		{errTwoTables, "Two of your matches are open here: type leave to step away from this one first."},
		{context.DeadlineExceeded, "The server took too long to say whether that is recorded: type turn or mine to hear how things stand."},
	} {
		if errors.Is(err, known.is) {
			return known.text
		}
	}
	return "That did not work: try again."
}
