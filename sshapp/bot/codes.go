package bot

import (
	"context"
	"errors"
	"log/slog"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
)

// The refusals of the front end itself.
var (
	errLineTooLong = errors.New("the line is longer than 4096 bytes")
	errUnknownDo   = errors.New("there is no such thing to do")
	errTooMany     = errors.New("this session has too many tables open: leave one first")
)

// errorCodes are the error codes of the protocol; what stands nowhere here is internal.
var errorCodes = [...]struct {
	err  error
	code botproto.ErrorCode
}{
	{botproto.ErrBadJSON, botproto.CodeBadJSON},
	{errLineTooLong, botproto.CodeLineTooLong},
	{errUnknownDo, botproto.CodeUnknownDo},
	{errTooMany, botproto.CodeTooMany},
	{rules.ErrBadVariant, botproto.CodeBadVariant},
	{strategy.ErrBadLevel, botproto.CodeBadLevel},
	{rules.ErrBadMove, botproto.CodeBadMove},
	{rules.ErrNoSuchBoard, botproto.CodeNoSuchBoard},
	{rules.ErrNoSuchCell, botproto.CodeNoSuchCell},
	{rules.ErrBoardDead, botproto.CodeBoardDead},
	{rules.ErrCellTaken, botproto.CodeCellTaken},
	{rules.ErrOver, botproto.CodeMatchOver},
	{match.ErrMatchOver, botproto.CodeMatchOver},
	{match.ErrClosed, botproto.CodeMatchOver},
	{match.ErrNotYourTurn, botproto.CodeNotYourTurn},
	{match.ErrNotStarted, botproto.CodeNotYourTurn},
	{match.ErrNotOver, botproto.CodeNotYourTurn},
	{match.ErrNoSuchMatch, botproto.CodeNoSuchMatch},
	{match.ErrNotSeated, botproto.CodeNotSeated},
	{match.ErrAlreadySeeking, botproto.CodeAlreadySeeking},
	{match.ErrNoSuchTable, botproto.CodeNoSuchTable},
	{match.ErrTooManyCodes, botproto.CodeRateLimited},
	{match.ErrTooManyLookups, botproto.CodeRateLimited},
	{match.ErrTableFull, botproto.CodeTableFull},
	{match.ErrOwnTable, botproto.CodeOwnTable},
	{match.ErrTooMany, botproto.CodeTooMany},
	{match.ErrAddressFull, botproto.CodeTooMany},
	{match.ErrRateLimited, botproto.CodeRateLimited},
	{match.ErrDraining, botproto.CodeDraining},
}

func codeOf(err error) botproto.ErrorCode {
	for _, c := range errorCodes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return botproto.CodeInternal
}

// isBadLine reports whether a line was refused for what it is, so that it would be refused whatever the match. A move
// that comes too late, or a code that has been used up, can happen to a good bot.
func isBadLine(err error) bool {
	switch codeOf(err) {
	case botproto.CodeBadJSON, botproto.CodeLineTooLong, botproto.CodeUnknownDo,
		botproto.CodeBadVariant, botproto.CodeBadLevel, botproto.CodeBadMove:
		return err != nil
	default:
		return false
	}
}

// userMessage is what a bot receives for an internal error.
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
func (s *session) refuse(err error, do botproto.Verb) {
	code, message := codeOf(err), err.Error()
	if code == botproto.CodeInternal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server says that itself, once and not for each line
			level = slog.LevelDebug
		}
		s.config.Log.Log(context.Background(), level, "a bot's wish failed",
			"player", string(s.player.ID), "do", string(do), "error", err)
		message = userMessage(err)
	}
	if errors.Is(err, errTooMany) { // the server counts the other limits itself
		s.config.OnLimit(err)
	}
	if len(do) > maxDo {
		do = ""
	}
	s.send(botproto.Error{Code: code, Message: message, Do: do})
}
