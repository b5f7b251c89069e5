package tui

import (
	"fmt"
	"time"

	"notakto/rules"
	"notakto/sshapp/client"
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
func headline(s *client.Table) string {
	return wording.Headline(s.State, s.Side, func(side rules.Side) string { return subject(s, side) })
}

// reasonText is how the match ended, as a sentence.
func reasonText(s *client.Table) string {
	return wording.Reason(s.State, func(side rules.Side) string { return subject(s, side) })
}

// subject is a side as the beginning of a sentence in the past.
func subject(s *client.Table, side rules.Side) string {
	if side == s.Side && side != rules.Nobody {
		return "You"
	}
	return s.SeatState(side).Player.Name
}

// opponent is who sits opposite, or who moves first for a spectator.
func opponent(s *client.Table) string {
	if s.Side == rules.Nobody {
		return s.SeatState(rules.First).Player.Name
	}
	return s.SeatState(s.Side.Other()).Player.Name
}
