package bot

import (
	"context"
	"errors"
	"log/slog"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/wording"
)

// protocolError is an error that only this front end has.
type protocolError struct {
	code botproto.ErrorCode
	text string
}

func (e protocolError) Error() string { return e.text }

var (
	errLineTooLong = protocolError{botproto.CodeLineTooLong, "the line is longer than 4096 bytes"}
	errUnknownDo   = protocolError{botproto.CodeUnknownDo, "there is no such thing to do"}
	errTooMany     = protocolError{botproto.CodeTooMany, "this session has too many tables open: leave one first"}
)

// codeAndMessage are what a bot receives for an error.
func codeAndMessage(err error) (botproto.ErrorCode, string) {
	if own := (protocolError{}); errors.As(err, &own) {
		return own.code, err.Error()
	}
	if errors.Is(err, botproto.ErrBadJSON) {
		return botproto.CodeBadJSON, err.Error()
	}
	said := wording.ForError(err)
	return said.Code, said.Message
}

// isBadLine reports whether a line was refused for what it is, so that it would be refused whatever the match. A move
// that comes too late, or a code that has been used up, can happen to a good bot.
func isBadLine(err error) bool {
	if err == nil {
		return false
	}
	switch code, _ := codeAndMessage(err); code {
	case botproto.CodeBadJSON, botproto.CodeLineTooLong, botproto.CodeUnknownDo,
		botproto.CodeBadVariant, botproto.CodeBadClock, botproto.CodeBadLevel, botproto.CodeBadMove:
		return true
	default:
		return false
	}
}

// maxDo is the longest verb that is sent back.
const maxDo = 64

// refuse says why something was not done. What went wrong inside is for the log.
func (s *session) refuse(err error, do botproto.Verb) {
	code, message := codeAndMessage(err)
	if code == botproto.CodeInternal {
		level := slog.LevelWarn
		if errors.Is(err, match.ErrUnavailable) { // the server says that itself, once and not for each line
			level = slog.LevelDebug
		}
		s.config.Log.Log(context.Background(), level, "a bot's wish failed", "event", "bot-request-failed",
			"player", string(s.player.ID), "do", string(do), "error", err)
	}
	if errors.Is(err, errTooMany) { // the server counts the other limits itself
		s.config.OnLimit(err)
	}
	if len(do) > maxDo {
		do = ""
	}
	s.send(botproto.Error{Code: code, Message: message, Do: do})
}
