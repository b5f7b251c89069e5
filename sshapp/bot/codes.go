package bot

import (
	"context"
	"errors"
	"log/slog"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// The refusals of the front end itself.
var (
	errBadJSON     = errors.New("not one JSON object with the fields of the protocol")
	errLineTooLong = errors.New("the line is longer than 4096 bytes")
	errUnknownDo   = errors.New("there is no such thing to do")
	errTooMany     = errors.New("this session has too many tables open: leave one first")
)

// errorCodes are the error codes of the protocol; what stands nowhere here is internal.
var errorCodes = [...]struct {
	err  error
	code string
}{
	{errBadJSON, "bad_json"},
	{errLineTooLong, "line_too_long"},
	{errUnknownDo, "unknown_do"},
	{errTooMany, "too_many"},
	{rules.ErrBadVariant, "bad_variant"},
	{strategy.ErrBadLevel, "bad_level"},
	{rules.ErrBadMove, "bad_move"},
	{rules.ErrNoSuchBoard, "no_such_board"},
	{rules.ErrNoSuchCell, "no_such_cell"},
	{rules.ErrBoardDead, "board_dead"},
	{rules.ErrCellTaken, "cell_taken"},
	{rules.ErrOver, "match_over"},
	{match.ErrMatchOver, "match_over"},
	{match.ErrClosed, "match_over"},
	{match.ErrNotYourTurn, "not_your_turn"},
	{match.ErrNotStarted, "not_your_turn"},
	{match.ErrNotOver, "not_your_turn"},
	{match.ErrNoSuchMatch, "no_such_match"},
	{match.ErrNotSeated, "not_seated"},
	{match.ErrAlreadySeeking, "already_seeking"},
	{match.ErrNoSuchTable, "no_such_table"},
	{match.ErrTooManyCodes, "rate_limited"},
	{match.ErrTooManyLookups, "rate_limited"},
	{match.ErrTableFull, "table_full"},
	{match.ErrOwnTable, "own_table"},
	{match.ErrTooMany, "too_many"},
	{match.ErrAddressFull, "too_many"},
	{match.ErrRateLimited, "rate_limited"},
	{match.ErrDraining, "draining"},
}

const internal = "internal"

func codeOf(err error) string {
	for _, c := range errorCodes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return internal
}

// isBadLine reports whether a line was refused for what it is, so that it would be refused whatever the match. A move
// that comes too late, or a code that has been used up, can happen to a good bot.
func isBadLine(err error) bool {
	switch codeOf(err) {
	case "bad_json", "line_too_long", "unknown_do", "bad_variant", "bad_level", "bad_move":
		return err != nil
	default:
		return false
	}
}

// userMessage is what a bot is told of what went wrong inside.
func userMessage(err error) string {
	switch why := match.UserMessage(err); {
	case why != "":
		return why
	case errors.Is(err, match.ErrDamaged):
		return match.ErrDamaged.Error() + ": it can be neither shown nor played on"
	case errors.Is(err, match.ErrNewer):
		return match.ErrNewer.Error() + ": this one can neither show it nor go on with it"
	case errors.Is(err, context.DeadlineExceeded):
		return "the server took too long, and nobody knows yet whether it was recorded: ask for the state of the match"
	case errors.Is(err, context.Canceled):
		return "this session is ending, and nobody knows yet whether it was recorded: ask for the state of the match when you have come back"
	default:
		return "something went wrong here; ask for the state of the match and try again"
	}
}

// maxDo is the longest verb that is sent back.
const maxDo = 64

// refuse says why something was not done. What went wrong inside is for the log.
func (s *session) refuse(err error, do string) {
	code, message := codeOf(err), err.Error()
	if code == internal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server says that itself, once and not for each line
			level = slog.LevelDebug
		}
		s.config.Log.Log(context.Background(), level, "a bot's wish failed", "player", string(s.player.ID), "do", do, "error", err)
		message = userMessage(err)
	}
	if errors.Is(err, errTooMany) { // of the other limits the house hears itself
		s.config.OnLimit(err)
	}
	if len(do) > maxDo {
		do = ""
	}
	s.send(errorEvent{Event: "error", Code: code, Message: message, Do: do})
}
