package wording

import (
	"fmt"
	"strconv"

	"notakto/match/history"
)

// Standing is a player's rating, rank and pairs, in a sentence or two; empty for a player without a rated pair.
func Standing(s history.Standing) string {
	if s.Ended.IsZero() {
		return ""
	}
	text := fmt.Sprintf("Rating %d +/- %d", s.Rating.Value(), s.Rating.WholeDeviation())
	if s.Rating.Provisional() {
		text += ", provisional"
	}
	if s.Rank > 0 {
		text += ", " + Ordinal(s.Rank) + " of " + strconv.Itoa(s.Players)
	}
	return text + fmt.Sprintf(". Rated pairs: %d won, %d split, %d lost.", s.Won, s.Split, s.Lost)
}

// LadderLine is a player's line on the ladder.
func LadderLine(s history.Standing) string {
	return fmt.Sprintf("%4d  %-16s  %4s  %s, won %d", s.Rank, s.Player.Name, s.Rating,
		Count(s.Won+s.Split+s.Lost, "pair", "pairs"), s.Won)
}

// NoLadder is said where no player is listed yet, and how to be.
const NoLadder = "No player is on the ladder yet. Play eight rated pairs to enter it, and one a month to stay."

// Ordinal is a rank: 1st, 2nd, 3rd, 4th.
func Ordinal(n int) string {
	ending := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}
