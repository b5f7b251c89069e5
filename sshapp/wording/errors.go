package wording

import (
	"cmp"
	"context"
	"errors"

	"notakto/match"
	"notakto/rules"
)

// errorTexts are what is said of each error: in a few words, where there is room for a line of 38 columns, and in full,
// with what to type next where commands are typed.
var errorTexts = [...]struct {
	err         error
	short, full string // the short one is said where full is empty
}{
	{rules.ErrCellTaken, "That cell is taken.", "That cell is taken: type boards to hear which are free."},
	{rules.ErrBoardDead, "That board is dead.", "That board is dead: type boards to hear which are not."},
	{rules.ErrNoSuchBoard, "There is no such board.", ""},
	{rules.ErrNoSuchCell, "There is no such cell.", ""},
	{match.ErrNotYourTurn, "It is not your turn yet.", "It is not your turn yet: wait for your opponent's move."},
	{match.ErrNotStarted, "You have no opponent yet.",
		"You have no opponent yet: wait for your guest, or type leave to close the table."},
	{rules.ErrOver, "The match is over.", "The match is over: type rematch, review or leave."},
	{match.ErrMatchOver, "The match is over.", "The match is over: type rematch, review or leave."},
	{match.ErrNotOver, "The match is not over yet.", "A rematch can come when the match is over."},
	{match.ErrNoSuchMatch, "There is no such match.",
		"There is no such match: type matches to hear those in progress."},
	{match.ErrNotSeated, "You have no seat at that table.", "You have no seat at that table: type watch to watch it."},
	{match.ErrNoSuchTable, "No table has this code.",
		"No table has this code. A code has four characters, such as K7QX: ask for it again, and type join and the code."},
	{match.ErrTooManyLookups, "Too many lookups: wait a minute.",
		"Too many match lookups: wait a minute before the next."},
	{match.ErrTooManyCodes, "Too many wrong codes: wait a minute.",
		"Too many wrong codes: wait a minute, then type join and the code."},
	{match.ErrSeatInUse, "That seat is in use: try again soon.",
		"Another session still has that seat: close that one, or try again in a moment."},
	{match.ErrTableFull, "Both seats at that table are taken.",
		"Both seats at that table are taken: type watch to watch it."},
	{match.ErrOwnTable, "You are already at that table.", ""},
	{match.ErrAlreadySeeking, "You already wait in another window.",
		"You are already waiting in another session: stop there first."},
	{match.ErrTooMany, "Too many matches: finish one first.",
		"You have as many matches as one player may have: type mine to hear them, and finish one first."},
	{match.ErrAddressFull, "Your address has too many matches.",
		"The players of your address have as many matches as they may: try again in a while."},
	{match.ErrRateLimited, "Too many matches just now: wait a bit.",
		"Too many matches were begun in a short time: wait a little, then try again."},
	{match.ErrDraining, "The server stops: no new matches.",
		"The server is stopping and begins no new matches: come back in a moment."},
	{match.ErrClosed, "The table has closed.", "The table has closed: type mine to hear your matches."},
	{match.ErrDamaged, "The record of that match is damaged.",
		"The record of that match is damaged: it cannot be shown, nor go on."},
	{match.ErrNewer, "A newer server wrote that match.",
		"That match was written by a newer version of the server: this one can neither show it nor go on with it."},
	{context.DeadlineExceeded, "The server took too long: try again.",
		"The server took too long to say whether that is recorded: type turn or mine to hear how things stand."},
}

// unknown is what is said of an error that no player causes.
const unknown = "That did not work: try again."

// ShortError says to a player why something was refused, in a few words.
func ShortError(err error) string {
	short, _ := forError(err)
	return short
}

// FullError says why something was refused, and what to type next.
func FullError(err error) string {
	_, full := forError(err)
	return full
}

func forError(err error) (short, full string) {
	if why := match.UserMessage(err); why != "" {
		return Capital(why) + ".", Capital(why) + "."
	}
	for _, t := range errorTexts {
		if errors.Is(err, t.err) {
			return t.short, cmp.Or(t.full, t.short)
		}
	}
	return unknown, unknown
}
