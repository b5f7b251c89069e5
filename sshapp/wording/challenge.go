package wording

import (
	"strconv"
	"time"

	"notakto/match"
)

// ChallengeTerms describes the terms of a challenge, in the middle of a sentence. Examples are "3 boards, 5 min each,
// rated", "3 boards, 3 min + 2 s each", "1 board, 3 days a move" and "3 boards, no clock".
func ChallengeTerms(t match.Terms) string {
	text := Variant(t.Variant)
	switch {
	case t.Clock.IsNone():
		text += ", no clock"
	case t.Clock.IsCorrespondence():
		text = withClock(text, t.Clock)
	default:
		text += ", " + strconv.Itoa(int(t.Clock.Initial().Minutes())) + " min"
		if t.Clock.Increment() > 0 {
			text += " + " + strconv.Itoa(Seconds(t.Clock.Increment())) + " s"
		}
		text += " each"
	}
	if t.Pool.IsRated() {
		text += ", rated"
	}
	return text
}

// Offer describes a challenge in a list, as in "gus 1498, 3 boards, 5 min each, rated, just now". rating is "" for a
// player without one.
func Offer(name, rating string, t match.Terms, age time.Duration) string {
	if rating != "" {
		name += " " + rating
	}
	return name + ", " + ChallengeTerms(t) + ", " + Age(age)
}

// Age tells how long ago something happened, in one unit: "just now", "5 min ago", "3 h ago" or "2 days ago".
func Age(age time.Duration) string {
	switch minutes := int(age.Minutes()); {
	case minutes < 1:
		return "just now"
	case minutes < 60:
		return strconv.Itoa(minutes) + " min ago"
	case minutes < 24*60:
		return strconv.Itoa(minutes/60) + " h ago"
	default:
		return Count(minutes/60/24, "day", "days") + " ago"
	}
}

// ExpiresIn tells when an open challenge ends, in one unit rounded up: "5 days left", "3 h left" or "12 min left".
func ExpiresIn(left time.Duration) string {
	switch minutes := (Seconds(left) + 59) / 60; {
	case minutes <= 60:
		return strconv.Itoa(minutes) + " min left"
	case minutes <= 24*60:
		return strconv.Itoa((minutes+59)/60) + " h left"
	default:
		return Count((minutes+24*60-1)/(24*60), "day", "days") + " left"
	}
}

// ChallengesWait counts several challenges to a player, without a full stop.
func ChallengesWait(n int) string { return Count(n, "challenge", "challenges") + " for you" }

// HereNow says that a player has a session at the server.
const HereNow = "here now"

// Anyone stands for the opponent of a challenge on the board.
const Anyone = "anyone"

// MatchMade announces the match to the player that accepts a challenge. Without a clock of days, the first move is due
// within firstMove. A rated pair with a clock of days begins both of its games.
func MatchMade(opponent string, t match.Terms, firstMove time.Duration) string {
	text := "You play " + opponent + ": " + ChallengeTerms(t) + "."
	switch {
	case t.Clock.IsCorrespondence() && t.Pool.IsRated():
		text += " Both games begin now, and each of you moves first in one."
	case !t.Clock.IsCorrespondence():
		text += " Come in now: the first move is due within " + Count(Seconds(firstMove), "second", "seconds") + "."
	}
	return text
}

// NoChallenge says that a list of challenges is empty.
const NoChallenge = "No challenge is open."
