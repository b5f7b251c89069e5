package wording

import (
	"cmp"
	"context"
	"errors"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/bot/botproto"
)

// Refusal has the words with which the front ends refuse a request.
type Refusal struct {
	Code    botproto.ErrorCode // what a bot reads
	Message string             // for a bot's author, or on a command line
	Short   string             // one sentence for a player, at most 38 columns
	Full    string             // for a player who types commands, with the next command to type
	Known   bool               // the error is one that a player can cause; any other is a fault of the server
}

// ForError returns the refusal for an error. err must not be nil.
func ForError(err error) Refusal {
	if why := match.UserMessage(err); why != "" {
		said := Capital(why) + "."
		return Refusal{Code: botproto.CodeInternal, Message: why, Short: said, Full: said, Known: true}
	}
	said, known := errorText{
		code:    botproto.CodeInternal,
		short:   "That did not work: try again.",
		message: "something went wrong here; ask for the state of the match and try again",
	}, false
	for _, row := range errorTexts {
		if errors.Is(err, row.err) {
			said, known = row, true
			break
		}
	}
	return Refusal{
		Code: said.code, Message: cmp.Or(said.message, err.Error()),
		Short: said.short, Full: cmp.Or(said.full, said.short), Known: known,
	}
}

// errorText is a row of the table of errors.
type errorText struct {
	err   error
	code  botproto.ErrorCode
	short string
	full  string // "" stands for short
	// message is "" if the text of the error is right. Internal errors have one, because their own text may not be for
	// players.
	message string
}

// errorTexts has one row for each error that a player can cause. The first row that fits an error counts.
var errorTexts = [...]errorText{
	{
		err: rules.ErrCellTaken, code: botproto.CodeCellTaken,
		short: "That cell is taken.",
		full:  "That cell is taken: type boards to hear which are free.",
	},
	{
		err: rules.ErrBoardDead, code: botproto.CodeBoardDead,
		short: "That board is dead.",
		full:  "That board is dead: type boards to hear which are not.",
	},
	{
		err: rules.ErrNoSuchBoard, code: botproto.CodeNoSuchBoard,
		short: "There is no such board.",
	},
	{
		err: rules.ErrNoSuchCell, code: botproto.CodeNoSuchCell,
		short: "There is no such cell.",
	},
	{
		err: rules.ErrBadMove, code: botproto.CodeBadMove,
		short: "That is not a move.",
		full:  "That is not a move: type a board's letter and a cell's digit, such as B5.",
	},
	{
		err: rules.ErrBadVariant, code: botproto.CodeBadVariant,
		short: "There is no such game.",
		full:  "There is no such game: it is 1 to 9 boards, or tictactoe.",
	},
	{
		err: match.ErrBadClock, code: botproto.CodeBadClock,
		short: "There is no such clock.",
		full:  "There is no such clock: one is minutes and seconds a move, such as 3+2, or days a move, such as 1d.",
	},
	{
		err: strategy.ErrBadLevel, code: botproto.CodeBadLevel,
		short: "The computer has no such level.",
		full:  "The computer has no such level: type levels to hear which it has.",
	},
	{
		err: match.ErrNotYourTurn, code: botproto.CodeNotYourTurn,
		short: "It is not your turn yet.",
		full:  "It is not your turn yet: wait for your opponent's move.",
	},
	{
		err: match.ErrNotStarted, code: botproto.CodeNotYourTurn,
		short: "You have no opponent yet.",
		full:  "You have no opponent yet: wait for one, or type leave to close the table.",
	},
	{
		err: rules.ErrOver, code: botproto.CodeMatchOver,
		short: "The match is over.",
		full:  "The match is over: type rematch, review or leave.",
	},
	{
		err: match.ErrMatchOver, code: botproto.CodeMatchOver,
		short: "The match is over.",
		full:  "The match is over: type rematch, review or leave.",
	},
	{
		err: match.ErrRated, code: botproto.CodeRated,
		short: "Not during a rated game.",
		full:  "Not during a rated game: that comes when it is over.",
	},
	{
		err: match.ErrGuestRated, code: botproto.CodeRated,
		short: "Rated pairs need a key, not a guest.",
		full:  "Rated pairs are for players with a key: ssh-keygen makes one. Type play for a match that is not rated.",
	},
	{
		err: match.ErrRatedTable, code: botproto.CodeRated,
		short: "Rated pairs are played from the queue.",
		full:  "A rated pair is played against an opponent from the queue only: type play rated.",
	},
	{
		err: match.ErrPairNotOver, code: botproto.CodeNotYourTurn,
		short: "The second game begins by itself.",
		full:  "The second game of the pair begins by itself: a rematch can come after it.",
	},
	{
		err: match.ErrNotOver, code: botproto.CodeNotYourTurn,
		short: "The match is not over yet.",
		full:  "A rematch can come when the match is over.",
	},
	{
		err: match.ErrNoSuchMatch, code: botproto.CodeNoSuchMatch,
		short: "There is no such match.",
		full:  "There is no such match: type matches to hear those in progress.",
	},
	{
		err: match.ErrNotSeated, code: botproto.CodeNotSeated,
		short: "You have no seat at that table.",
		full:  "You have no seat at that table: type watch to watch it.",
	},
	{
		err: match.ErrNoSuchTable, code: botproto.CodeNoSuchTable,
		short: "Wrong code, or its match is over.",
		full: "No table has this code, or its match is over. Ask for the code again, and type join and the code, " +
			"such as join K7QX.",
	},
	{
		err: match.ErrTooManyLookups, code: botproto.CodeRateLimited,
		short: "Too many lookups: wait a minute.",
		full:  "Too many match lookups: wait a minute before the next.",
	},
	{
		err: match.ErrTooManyCodes, code: botproto.CodeRateLimited,
		short: "Too many wrong codes: wait a minute.",
		full:  "Too many wrong codes: wait a minute, then type join and the code.",
	},
	{
		err: match.ErrSeatInUse, code: botproto.CodeTableFull,
		short: "That seat is in use: try again soon.",
		full:  "Another window still has that seat: close that one, or try again in a moment.",
	},
	{
		err: match.ErrTableFull, code: botproto.CodeTableFull,
		short: "Both seats at that table are taken.",
		full:  "Both seats at that table are taken: type watch to watch it.",
	},
	{
		err: match.ErrOwnTable, code: botproto.CodeOwnTable,
		short: "You are already at that table.",
	},
	{
		err: match.ErrAlreadySeeking, code: botproto.CodeAlreadySeeking,
		short: "You already wait in another window.",
		full:  "You are already waiting in another window: stop there first.",
	},
	{
		err: match.ErrTooMany, code: botproto.CodeTooMany,
		short: "Too many matches: finish one first.",
		full:  "You have as many matches as one player may have: type mine to hear them, and finish one first.",
	},
	{
		err: match.ErrAddressFull, code: botproto.CodeTooMany,
		short: "Your address has too many matches.",
		full:  "The players of your address have as many matches as they may: try again in a while.",
	},
	{
		err: match.ErrRateLimited, code: botproto.CodeRateLimited,
		short: "Too many matches just now: wait a bit.",
		full:  "Too many matches were begun in a short time: wait a little, then try again.",
	},
	{
		err: match.ErrDraining, code: botproto.CodeDraining,
		short: "No new matches begin here now.",
		full:  "No new matches begin at this server now: come back in a while.",
	},
	{
		err: match.ErrClosed, code: botproto.CodeMatchOver,
		short: "The table has closed.",
		full:  "The table has closed: type mine to hear your matches.",
	},
	{
		err: match.ErrDamaged, code: botproto.CodeInternal,
		short:   "The record of that match is damaged.",
		full:    "The record of that match is damaged: it cannot be shown, nor go on.",
		message: "the log of the match is damaged: it can be neither shown nor played on",
	},
	{
		err: match.ErrNewer, code: botproto.CodeInternal,
		short:   "A newer server wrote that match.",
		full:    "That match was written by a newer version of the server: this one can neither show it nor go on with it.",
		message: "the match was written by a newer version of the server: this one can neither show it nor go on with it",
	},
	{
		err: context.DeadlineExceeded, code: botproto.CodeInternal,
		short: "The server took too long: try again.",
		full:  "The server took too long to say whether that is recorded: type turn or mine to hear how things stand.",
		message: "the server took too long, and it is not known yet whether this was recorded: ask for the " +
			"state of the match",
	},
	{
		err: context.Canceled, code: botproto.CodeInternal,
		short: "This session is ending.",
		message: "this session is ending, and it is not known yet whether this was recorded: ask for the state of the " +
			"match when you have come back",
	},
}
