package tui

import (
	"fmt"
	"time"

	"notakto/rules"
	"notakto/sshapp/wording"
)

// cutOffText says that nothing can be recorded at this server, for as long as that lasts.
func cutOffText(s *session) string {
	return s.either("Nothing can be recorded just now: wait, or connect again.", "Nothing is recorded: wait.")
}

// clock is a time as minutes and seconds.
func clock(d time.Duration) string {
	seconds := max(0, int(d/time.Second))
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// headline is who won, in two or three words.
func headline(s *tableHandle) string {
	return wording.Headline(s.State, s.side, func(side rules.Side) string { return subject(s, side) })
}

// reasonText is how the match ended, as a sentence.
func reasonText(s *tableHandle) string {
	return wording.Reason(s.State, func(side rules.Side) string { return subject(s, side) })
}

// subject is a side as the beginning of a sentence in the past.
func subject(s *tableHandle, side rules.Side) string {
	if side == s.side && side != rules.Nobody {
		return "You"
	}
	return s.SeatState(side).Player.Name
}

// opponent is who sits opposite, or who moves first for a spectator.
func opponent(s *tableHandle) string {
	if s.side == rules.Nobody {
		return s.SeatState(rules.First).Player.Name
	}
	return s.SeatState(s.side.Other()).Player.Name
}
