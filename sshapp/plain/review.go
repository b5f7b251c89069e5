package plain

import (
	"strconv"
	"strings"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// inTurn is a command that takes long and waits for nothing: it is run when others have had their turn.
func (s *session) inTurn(run func(words []string)) func(words []string) {
	if s.cfg.InTurn == nil {
		return run
	}
	return func(words []string) { s.cfg.InTurn(func() { run(words) }) }
}

// reviewCommand looks back at the match that ended last.
func (s *session) reviewCommand(words []string) {
	switch at := s.tables.last(); {
	case s.isRefused():
	case at.isNone():
		s.out.printLine("There is nothing to look back at: review is for after a match.")
	case !at.Over():
		s.out.printLine("A review comes when the match is over.")
	case len(at.Moves) == 0:
		s.out.printLine("No move was made.")
	case len(words) == 0:
		s.tellMistakes(at)
	default:
		s.tellReviews(at, words[0])
	}
}

// isRefused reports whether the player may not be told what perfect play says just now, and says why.
func (s *session) isRefused() bool {
	is := manager.PlaysRated(s.cfg.Manager, s.player.ID)
	if is {
		s.out.report(match.ErrRated)
	}
	return is
}

// shareCommand says the match that has ended last at the table in one line.
func (s *session) shareCommand(_ []string) {
	switch at := s.tables.last(); {
	case s.isRefused():
	case at.isNone() || !at.Over() || at.IsWatching():
		s.out.printLine("There is nothing to share: share is for after a match of yours.")
	default:
		s.out.printLine(wording.ShareLine(at.State, at.Side, at.Reviews(), s.cfg.Host, true))
	}
}

// theoryCommand says what the boards were worth around a move of the last match.
func (s *session) theoryCommand(words []string) {
	at, ply, ok := s.reviewedMove(words, "theory")
	if !ok {
		return
	}
	lines := wording.Theory(at.Reviews()[ply])
	if len(lines) == 0 {
		s.out.printLine("There is no such theory of tic-tac-toe: with perfect play it is a draw.")
		return
	}
	s.out.printLine(wording.TheoryHeading)
	for _, line := range lines {
		s.out.printLine(line)
	}
}

// playOnCommand plays a move of the last match again, and from there on, against the computer.
func (s *session) playOnCommand(words []string) {
	at, ply, ok := s.reviewedMove(words, "playon")
	switch {
	case !ok:
	case s.tables.busy() != "":
		s.out.printLine(s.tables.busy())
	default:
		s.out.report(s.playComputer(at.CasualTerms(), rules.Sides()[ply%2], at.LineTo(ply)...))
	}
}

// reviewedMove is a move of the last match by its number, counted from 0; else it says what is missing.
func (s *session) reviewedMove(words []string, command string) (at table, ply int, ok bool) {
	at = s.tables.last()
	switch {
	case s.isRefused():
		return at, 0, false
	case at.isNone() || !at.Over() || len(at.Moves) == 0:
		s.out.printLine("There is no move to look back at: " + command + " is for after a match.")
		return at, 0, false
	case len(words) == 1:
		if ply, ok = number(words[0], len(at.Moves)); ok {
			return at, ply, true
		}
	}
	s.out.printLine("Type " + command + " and a move's number, 1 to " + strconv.Itoa(len(at.Moves)) + ".")
	return at, 0, false
}

// tellMistakes prints the match in short.
func (s *session) tellMistakes(at table) {
	reviews := at.Reviews()
	decided, _ := wording.TurningPoint(reviews, at.Outcome, at.subject)
	s.out.printLine(wording.Count(len(reviews), "move", "moves")+".", at.reviewSummary(reviews), at.headline(), decided)
	s.out.printLine(wording.Leaders(reviews, at.who))
	for _, r := range reviews {
		if r.Mistake() {
			s.out.printLine(at.reviewText(r))
		}
	}
	s.out.printLine("Type review all to hear every move, or review, theory or playon and a move's number.")
}

func (s *session) tellReviews(at table, which string) {
	reviews := at.Reviews()
	if which != "all" {
		i, ok := number(which, len(reviews))
		if !ok {
			s.out.printLine("There is no such move: they are 1 to " + strconv.Itoa(len(reviews)) + ".")
			return
		}
		reviews = reviews[i : i+1]
	}
	for _, r := range reviews {
		s.out.printLine(at.reviewText(r))
	}
}

// reviewText is a review as sentences.
func (t table) reviewText(r strategy.MoveReview) string {
	text := "Move " + strconv.Itoa(r.Ply) + ", " + t.Variant.FormatMove(r.Move) + " by " + t.who(r.Side) + ". " +
		wording.Review(r)
	if rule := wording.RuleOfThumb(r); r.Mistake() && rule != "" {
		text += " " + rule
	}
	return text
}

// reviewSummary is how the match ended, and whether the end was a mistake.
func (t table) reviewSummary(reviews []strategy.MoveReview) string {
	if strategy.ResignedWon(reviews, t.Outcome) {
		return strings.TrimSuffix(t.because(), ".") + " a won position."
	}
	return t.because()
}
