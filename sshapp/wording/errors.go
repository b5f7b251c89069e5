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

// Refusal explains to the different readers why a request failed.
type Refusal struct {
	Code    botproto.ErrorCode // for a bot
	Message string             // for a bot's author, or on a command line
	Short   string             // one sentence for a player, at most 38 columns
	Full    string             // for a player at a prompt, with the next command to type
	Known   bool               // true for errors that a player can cause, false for faults of the server
}

// Explain returns the refusal for err. err must not be nil.
func Explain(err error) Refusal {
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

type errorText struct {
	err   error
	code  botproto.ErrorCode
	short string
	full  string // by default short
	// message is by default the text of err. A row with CodeInternal needs a message, because the text of an internal
	// error may not be meant for players.
	message string
}

// errorTexts has a row for each error that a player can cause. The first row that matches an error counts.
var errorTexts = [...]errorText{
	{
		err: rules.ErrCellTaken, code: botproto.CodeCellTaken,
		short: "That cell is taken.",
		full:  "That cell is taken: type boards to hear the free cells.",
	},
	{
		err: rules.ErrBoardDead, code: botproto.CodeBoardDead,
		short: "That board is dead.",
		full:  "That board is dead: type boards to hear which are alive.",
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
		full:  "There is no such game. Type 1 to 9 boards, or tictactoe.",
	},
	{
		err: match.ErrBadClock, code: botproto.CodeBadClock,
		short: "There is no such clock.",
		full: "There is no such clock. Type minutes and seconds a move, such as 3+2, or 1 to 14 days a move, " +
			"such as 1d.",
	},
	{
		err: strategy.ErrBadLevel, code: botproto.CodeBadLevel,
		short: "The computer has no such level.",
		full:  "The computer has no such level: type levels to hear them.",
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
		full:  "Not during a rated game: wait until it is over.",
	},
	{
		err: match.ErrNoOwnMove, code: botproto.CodeNotYourTurn,
		short: "You have made no move to take back.",
	},
	{
		err: match.ErrNoTakebacks, code: botproto.CodeTooMany,
		short: "No more takebacks in this match.",
		full:  "You have taken back as many moves as a match allows.",
	},
	{
		err: match.ErrUnanswered, code: botproto.CodeNotYourTurn,
		short: "Another request waits for an answer.",
		full:  "Another request waits for an answer. A move ends it too.",
	},
	{
		err: match.ErrDeclined, code: botproto.CodeNotYourTurn,
		short: "Declined: ask again after a move.",
		full:  "Your opponent has declined, and a turn has only one request. You can ask again after the next move.",
	},
	{
		err: match.ErrGuestRated, code: botproto.CodeRated,
		short: "Guests cannot play rated pairs.",
		full: "Guests cannot play rated pairs. " +
			"Type play for an unrated match, or run ssh-keygen once and connect again.",
	},
	{
		err: match.ErrRatedTable, code: botproto.CodeRated,
		short: "Rated pairs are played from the queue.",
		full:  "Rated pairs are played from the queue only: type play rated.",
	},
	{
		err: match.ErrGuestChallenge, code: botproto.CodeRated,
		short: "Challenges are for players with a key.",
		full:  "Challenges are for players with a key: run ssh-keygen once and connect again.",
	},
	{
		err: match.ErrNoSuchChallenge, code: botproto.CodeNoSuchMatch,
		short: "That challenge is no longer open.",
		full:  "That challenge is no longer open: type challenges to hear which are.",
	},
	{
		err: match.ErrOtherLadder, code: botproto.CodeRated,
		short: "Only casual: one of you is a program.",
		full:  "Programs and people play no rated pairs together: challenge without rated.",
	},
	{
		err: match.ErrTooManyChallenges, code: botproto.CodeTooMany,
		short: "You have ten open challenges.",
		full:  "You have ten open challenges: withdraw one first.",
	},
	{
		err: match.ErrSameChallenge, code: botproto.CodeTooMany,
		short: "This challenge is open already.",
		full:  "You have made this challenge already, and it is open: type challenges to hear it.",
	},
	{
		err: match.ErrMakerAway, code: botproto.CodeNotYourTurn,
		short: "The maker is away. It stays open.",
		full:  "The maker is away. The challenge stays open: accept it while the maker is here.",
	},
	{
		err: match.ErrTooManyDays, code: botproto.CodeTooMany,
		short: "You have ten matches of days.",
		full:  "You have ten matches with days a move: finish one first.",
	},
	{
		err: match.ErrOwnChallenge, code: botproto.CodeOwnTable,
		short: "You cannot challenge yourself.",
	},
	{
		err: match.ErrLiveChallenge, code: botproto.CodeBadClock,
		short: "This needs a clock of days, like 3d.",
		full:  "A challenge to anyone needs a clock of days, such as 3d. Or name the player.",
	},
	{
		err: match.ErrPairNotOver, code: botproto.CodeNotYourTurn,
		short: "The second game begins by itself.",
		full:  "The second game begins by itself. Type rematch after it.",
	},
	{
		err: match.ErrOtherGame, code: botproto.CodeNotYourTurn,
		short: "Rematch after the other game.",
		full:  "You can ask for a rematch after the other game of the pair.",
	},
	{
		err: match.ErrNotOver, code: botproto.CodeNotYourTurn,
		short: "The match is not over yet.",
		full:  "You can ask for a rematch when the match is over.",
	},
	{
		err: match.ErrNoSuchMatch, code: botproto.CodeNoSuchMatch,
		short: "There is no such match.",
		full:  "There is no such match: type matches to hear the list.",
	},
	{
		err: match.ErrNotSeated, code: botproto.CodeNotSeated,
		short: "You have no seat at that table.",
		full:  "You have no seat at that table: type watch to watch it.",
	},
	{
		err: match.ErrNoSuchTable, code: botproto.CodeNoSuchTable,
		short: "Wrong code, or the match is over.",
		full: "No table has this code, or its match is over. Ask for the code again, and type join and the code, " +
			"such as join K7QXHW.",
	},
	{
		err: match.ErrTooManyLookups, code: botproto.CodeRateLimited,
		short: "Too many searches: wait a minute.",
		full:  "You have looked up too many matches: wait a minute.",
	},
	{
		err: match.ErrTooManyCodes, code: botproto.CodeRateLimited,
		short: "Too many wrong codes: wait a minute.",
		full:  "Too many wrong codes: wait a minute, then type join and the code.",
	},
	{
		err: match.ErrSeatInUse, code: botproto.CodeTableFull,
		short: "That seat is in use: try again soon.",
		full:  "That seat is in use in another window. Close that window, or try again in a moment.",
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
		full:  "You have as many matches as allowed: type mine to hear them, and finish one first.",
	},
	{
		err: match.ErrAddressFull, code: botproto.CodeTooMany,
		short: "Your address has too many matches.",
		full:  "The players of your address have as many matches as allowed: try again in a while.",
	},
	{
		err: match.ErrRateLimited, code: botproto.CodeRateLimited,
		short: "Too many matches just now: wait a bit.",
		full:  "You began too many matches in a short time: wait a little, then try again.",
	},
	{
		err: match.ErrDraining, code: botproto.CodeDraining,
		short: "No new matches begin here now.",
		full:  "No new matches begin here now: come back later.",
	},
	{
		err: match.ErrClosed, code: botproto.CodeMatchOver,
		short: "The table has closed.",
		full:  "The table has closed: type mine to hear your matches.",
	},
	{
		err: match.ErrDamaged, code: botproto.CodeInternal,
		short:   "The record of that match is damaged.",
		full:    "The record of that match is damaged, so it cannot be shown or continued.",
		message: "the log of the match is damaged, so it cannot be shown or continued",
	},
	{
		err: match.ErrNewer, code: botproto.CodeInternal,
		short:   "A newer server wrote that match.",
		full:    "A newer version of the server wrote that match. This server cannot show or continue it.",
		message: "a newer version of the server wrote the match: this server cannot show or continue it",
	},
	{
		err: context.DeadlineExceeded, code: botproto.CodeInternal,
		short: "The server took too long: try again.",
		full:  "The server took too long, and may not have saved your command: type turn or mine to check.",
		message: "the server took too long, and it is not known yet whether this was recorded: ask for the " +
			"state of the match",
	},
	{
		err: context.Canceled, code: botproto.CodeInternal,
		short: "This session is ending.",
		message: "this session is ending, and it is not known yet whether this was recorded: " +
			"ask for the state of the " +
			"match when you have come back",
	},
}
