package match

import (
	"errors"
	"fmt"
)

// Errors of a table, the lobby or the manager. Errors of the rules, such as rules.ErrCellTaken, are wrapped.
var (
	ErrNotYourTurn    = errors.New("it is not your turn")
	ErrMatchOver      = errors.New("the match is over")
	ErrNotOver        = errors.New("the match is not over yet")
	ErrNotStarted     = errors.New("the match has not begun: the other seat is empty")
	ErrNotSeated      = errors.New("you have no seat at this table")
	ErrNoSuchTable    = errors.New("no table has this code")
	ErrTooManyCodes   = errors.New("too many wrong codes: wait a minute before the next")
	ErrTooManyLookups = errors.New("too many match lookups; try again in a minute")
	ErrTableFull      = errors.New("every seat at this table is taken")
	ErrOwnTable       = errors.New("you sit at this table already")
	ErrAlreadySeeking = errors.New("you are waiting for an opponent already")
	ErrTooMany        = errors.New("you have as many matches as one player may have: finish one first")
	ErrAddressFull    = errors.New("the players of your address have as many matches as they may: try again in a while")
	ErrRateLimited    = errors.New("too many matches begun in a short time: wait a little")
	ErrDraining       = errors.New("no new matches begin at this server now")
	ErrClosed         = errors.New("the table has closed")
	ErrRated          = errors.New("not during a rated game")
	ErrRatedTable     = errors.New("a rated pair is played against an opponent from the queue only")
	ErrGuestRated     = errors.New("rated pairs are for players with a key, not for guests")
)

// ErrPairNotOver is an [ErrNotOver] for a rematch after the first game of a rated pair.
var ErrPairNotOver = fmt.Errorf("%w: the second game of the pair begins by itself", ErrNotOver)

// ErrSeatInUse is an [ErrTableFull] for a resume code whose seat is held by another live session.
var ErrSeatInUse = fmt.Errorf("%w: another session still sits on yours, so close that one or try again in a moment",
	ErrTableFull)

// UserMessage returns the text for players of an error that wraps [ErrUnavailable]. It is the text of the innermost
// wrapper, which gives the reason. The outer wrappers say what was being done. For any other error UserMessage returns
// "".
func UserMessage(err error) string {
	if !errors.Is(err, ErrUnavailable) {
		return ""
	}
	for inner := errors.Unwrap(err); errors.Is(inner, ErrUnavailable) && inner.Error() != ErrUnavailable.Error(); {
		err, inner = inner, errors.Unwrap(inner)
	}
	return err.Error()
}
