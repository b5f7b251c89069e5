package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/match"
	"notakto/rules"
)

// sentence says to a player why something was refused, and where there is one, the way on.
func sentence(err error) string {
	if why := match.Why(err); why != "" {
		return capital(why) + "."
	}
	for _, known := range []struct {
		is   error
		text string
	}{
		{rules.ErrCellTaken, "That cell is taken."},
		{rules.ErrBoardDead, "That board is dead."},
		{rules.ErrNoSuchBoard, "There is no such board."},
		{rules.ErrNoSuchCell, "There is no such cell."},
		{match.ErrNotYourTurn, "It is not your turn yet."},
		{match.ErrNotBegun, "Nobody sits opposite yet."},
		{rules.ErrOver, "The match is over."},
		{match.ErrMatchOver, "The match is over."},
		{match.ErrNotOver, "The match is not over yet."},
		{match.ErrNoSuchMatch, "There is no such match."},
		{match.ErrNotSeated, "You have no seat at that table."},
		{match.ErrNoSuchTable, "No table has this code, or no longer."},
		{match.ErrSearching, "Too many looks: wait a minute."},
		{match.ErrGuessing, "Too many wrong codes: wait a minute."},
		{match.ErrSeatInUse, "That seat is in use: try again soon."},
		{match.ErrTableFull, "Both seats at that table are taken."},
		{match.ErrOwnTable, "You sit at that table already."},
		{match.ErrAlreadySeeking, "You wait already, in another window."},
		{match.ErrTooMany, "Too many matches: finish one first."},
		{match.ErrAddressFull, "Your address has too many matches."},
		{match.ErrTooFast, "Too many matches just now: wait a bit."},
		{match.ErrDraining, "The server stops: no new matches."},
		{match.ErrClosed, "The table has closed."},
		{match.ErrDamaged, "The record of that match is damaged."},
		{match.ErrNewer, "A newer server wrote that match."},
		{context.DeadlineExceeded, "The server took too long: try again."},
	} {
		if errors.Is(err, known.is) {
			return known.text
		}
	}
	return "That did not work: try again."
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// cutOffText says that nothing can be recorded at this server, for as long as that lasts.
func cutOffText(s *session) string {
	return s.either("Nothing can be recorded just now: wait, or connect again.", "Nothing is recorded: wait.")
}

// boardsText is "3 boards", or the name of the other game.
func boardsText(v rules.Variant) string {
	switch {
	case v.IsTicTacToe():
		return "tic-tac-toe"
	case v.Boards() == 1:
		return "1 board"
	default:
		return strconv.Itoa(v.Boards()) + " boards"
	}
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// clock is a time as minutes and seconds.
func clock(d time.Duration) string {
	seconds := max(0, int(d/time.Second))
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// seconds is a time that runs out, as whole seconds left.
func seconds(d time.Duration) int { return max(0, int((d+time.Second-1)/time.Second)) }

// headline is who won, in two or three words.
func headline(s *sitting) string {
	switch winner := s.Outcome.Winner; {
	case s.Outcome.Reason == rules.Draw:
		return "A draw"
	case s.Outcome.IsVoid():
		return "No result"
	case s.side == rules.Nobody:
		return s.Chair(winner).Player.Name + " won"
	case winner == s.side:
		return "You won"
	default:
		return "You lost"
	}
}

// because is how the match ended, as a sentence.
func because(s *sitting) string {
	winner := s.Outcome.Winner
	if s.Outcome.IsVoid() {
		return subject(s, s.Position.Turn()) + " never moved: the match does not count."
	}
	loser, won := subject(s, winner.Other()), subject(s, winner)
	switch s.Outcome.Reason {
	case rules.Boards:
		if s.Variant.Boards() == 1 {
			return loser + " made three in a row."
		}
		return loser + " killed the last board."
	case rules.Line:
		return won + " made three in a row."
	case rules.Draw:
		return "No cell is left."
	case rules.Resign:
		return loser + " resigned."
	case rules.Time:
		return loser + " ran out of time."
	case rules.Abandoned:
		return loser + " stayed away too long."
	default:
		return ""
	}
}

// subject is a side as the beginning of a sentence in the past.
func subject(s *sitting, side rules.Side) string {
	if side == s.side && side != rules.Nobody {
		return "You"
	}
	return s.Chair(side).Player.Name
}

// opponent is who sits opposite, or who moves first for a spectator.
func opponent(s *sitting) string {
	if s.side == rules.Nobody {
		return s.Chair(rules.First).Player.Name
	}
	return s.Chair(s.side.Other()).Player.Name
}
