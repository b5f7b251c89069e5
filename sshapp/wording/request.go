package wording

import (
	"strconv"
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Asked completes a sentence such as "ann asks" with the open request of a match. A takeback in a match with too few
// moves names no move. No server accepts such a takeback.
func Asked(s *match.State) string {
	if s.Request.Kind == match.HintsOffered {
		return "for hints, for both of you"
	}
	last := len(s.Moves) - 1
	if s.Turn() == s.Request.Side {
		last--
	}
	if last < 0 {
		return "to take back a move"
	}
	return "to take back " + s.Variant.FormatMove(s.Moves[last])
}

// TookBack says which moves a player has taken back. The subject stands at the beginning of the sentence.
func TookBack(v rules.Variant, t match.Takeback, subject string) string {
	switch len(t.Moves) {
	case 0: // The caller does not know the moves.
		return subject + " took back a move."
	case 1:
		return subject + " took back " + v.FormatMove(t.Moves[0]) + "."
	default:
		return subject + " took back " + v.FormatMove(t.Moves[0]) + ", and the answer " + v.FormatMove(t.Moves[1]) + "."
	}
}

// TookBackBefore tells which moves the last takeback before move number ply took back. If several takebacks came before
// that move, the text also counts the takebacks. Without a takeback the result is "".
func TookBackBefore(s *match.State, ply int, subject func(rules.Side) string) (text string) {
	count := 0
	for _, t := range s.Takebacks {
		if t.Plies == ply-1 {
			text = TookBack(s.Variant, t, subject(t.Side))
			count++
		}
	}
	if count > 1 {
		text += " The last of " + strconv.Itoa(count) + " takebacks here."
	}
	return text
}

// HintsCost says what a hint against the computer costs.
const HintsCost = "With hints, this match counts for no level."

// HintsUsed says that the players of a match got hints, "" if they did not.
func HintsUsed(s *match.State) string {
	switch {
	case !s.Hinted:
		return ""
	case s.IsAgainstComputer():
		return HintsCost
	default:
		return "Played with hints."
	}
}

// HintReason gives the reason for the move of a hint, with a rule to remember if one fits.
func HintReason(r strategy.MoveReview) string {
	return strings.TrimSpace(Review(r) + " " + RuleOfThumb(r))
}

// Hints returns the parts of a hint to play r.Move. The parts name the board if several boards are live, the move, and
// the reason. r.Move must be one of r.Best. In a lost position the only part says that the position is lost.
func Hints(r strategy.MoveReview) (all []string) {
	if r.VerdictBefore == strategy.Loss {
		return []string{HintReason(r)}
	}
	if r.PositionBefore.LiveBoards() > 1 {
		all = append(all, "Look at board "+rules.BoardName(int(r.Move.Board))+".")
	}
	move := r.PositionBefore.Variant().FormatMove(r.Move)
	return append(all, "Play "+move+".", "Why "+move+"? "+HintReason(r))
}
