package match

import (
	"errors"
	"fmt"
)

// Errors of a table, the lobby or the manager. Errors of the rules, such as [rules.ErrCellTaken], are wrapped.
var (
	ErrNotYourTurn    = errors.New("it is not your turn")
	ErrMatchOver      = errors.New("the match is over")
	ErrNotOver        = errors.New("the match is not over yet")
	ErrNotStarted     = errors.New("the match has not begun: the other seat is empty")
	ErrNotSeated      = errors.New("you have no seat at this table")
	ErrNoSuchTable    = errors.New("no table has this code")
	ErrTooManyCodes   = errors.New("too many wrong codes: wait a minute before the next")
	ErrTooManyLookups = errors.New("you have looked up too many matches: wait a minute")
	ErrTableFull      = errors.New("every seat at this table is taken")
	ErrOwnTable       = errors.New("you are already at this table")
	ErrAlreadySeeking = errors.New("you are already waiting for an opponent")
	ErrTooMany        = errors.New("you have as many matches as allowed: finish one first")
	ErrAddressFull    = errors.New("the players of your address have as many matches as allowed: try again in a while")
	ErrRateLimited    = errors.New("too many matches begun in a short time: wait a little")
	ErrDraining       = errors.New("no new matches begin here now")
	ErrClosed         = errors.New("the table has closed")
	ErrRated          = errors.New("not during a rated game")
	ErrRatedTable     = errors.New("rated pairs are played from the queue only")
	ErrNoOwnMove      = errors.New("you have made no move to take back")
	ErrNoTakebacks    = errors.New("you have taken back as many moves as a match allows")
	ErrUnanswered     = errors.New("a request at this table has not been answered yet")
	ErrDeclined       = errors.New("your opponent has declined: ask again after the next move")
	ErrGuestRated     = errors.New("guests cannot play rated pairs: make a key with ssh-keygen, then connect again")

	ErrGuestChallenge    = errors.New("challenges need a key: make one with ssh-keygen, then connect again")
	ErrNoSuchChallenge   = errors.New("no such challenge is open: it may be taken, declined, withdrawn or expired")
	ErrOtherLadder       = errors.New("programs and people play no rated pairs together: challenge without rated")
	ErrTooManyChallenges = errors.New("you have ten open challenges: withdraw one first")
	ErrTooManyDays       = errors.New("you have ten matches with days a move: finish one first")
	ErrSameChallenge     = errors.New("you have made this challenge already, and it is open")
	ErrMakerAway         = errors.New("the maker is away: accept while the maker is here; the challenge stays open")
	ErrOwnChallenge      = errors.New("you cannot challenge yourself")
	ErrLiveChallenge     = errors.New("a challenge to anyone needs a clock of days, such as 3d")
)

// ErrPairNotOver is the [ErrNotOver] for a rematch after the first game of a rated pair.
var ErrPairNotOver = fmt.Errorf("%w: the second game of the pair begins by itself", ErrNotOver)

// ErrOtherGame is the [ErrNotOver] for a rematch after one of two games played at once, while the pair's other game
// goes on.
var ErrOtherGame = fmt.Errorf("%w: ask for a rematch after the other game of the pair", ErrNotOver)

// ErrSeatInUse is the [ErrTableFull] for a resume code if another live session holds its seat.
var ErrSeatInUse = fmt.Errorf("%w: another session still has your seat, so close that session or try again in a moment",
	ErrTableFull)

// UserMessage returns the text for players of an error that wraps [ErrUnavailable], and "" for any other error. The
// text is that of the innermost wrapper, because the outer wrappers only name the failed operation.
func UserMessage(err error) string {
	if !errors.Is(err, ErrUnavailable) {
		return ""
	}
	for inner := errors.Unwrap(err); errors.Is(inner, ErrUnavailable) && inner.Error() != ErrUnavailable.Error(); {
		err, inner = inner, errors.Unwrap(inner)
	}
	return err.Error()
}
