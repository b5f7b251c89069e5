package plain

import (
	"strconv"
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// inTurn makes a command that takes long wait until others have had their turn. run must not wait for anything.
func (s *session) inTurn(run func(words []string)) func(words []string) {
	if s.cfg.InTurn == nil {
		return run
	}
	return func(words []string) { s.cfg.InTurn(func() { run(words) }) }
}

// reviewCommand looks back at the match that ended last.
func (s *session) reviewCommand(words []string) {
	switch at := s.tables.last(); {
	case s.refuseRated():
	case at.isNone():
		s.out.printLine("There is nothing to look back at: review is for after a match.")
	case !at.Over():
		s.out.printLine("A review comes when the match is over.")
	case len(at.Moves) == 0:
		s.out.printLine("No move was made.")
	case len(words) == 0:
		s.out.printLines(at.mistakes())
	case words[0] == "all":
		for _, r := range at.Reviews() {
			s.out.printLine(at.reviewText(r))
		}
	default:
		if i, ok := number(words[0], len(at.Moves)); ok {
			s.out.printLine(at.reviewText(at.Reviews()[i]))
			return
		}
		s.out.printLine("There is no such move: they are 1 to " + strconv.Itoa(len(at.Moves)) + ".")
	}
}

// refuseRated reports whether the player plays a rated pair. If so, it prints why nothing is said about perfect play.
func (s *session) refuseRated() (refused bool) {
	if refused = s.cfg.Manager.PlaysRated(s.player.ID); refused {
		s.out.report(match.ErrRated)
	}
	return refused
}

// shareCommand says the match that has ended last at the table in one line.
func (s *session) shareCommand(_ []string) {
	switch at := s.tables.last(); {
	case s.refuseRated():
	case at.isNone() || !at.Over() || at.IsWatching() || at.Outcome.IsVoid():
		s.out.printLine("There is nothing to share: share is for after a match of yours.")
	default:
		pair, _ := s.tables.rating(at)
		s.out.printLine(wording.ShareLine(at.State, at.Side, at.Reviews(), pair, s.cfg.Host, true))
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
	s.out.printLines(lines)
}

// playOnCommand plays a move of the last match again, and from there on, against the computer.
func (s *session) playOnCommand(words []string) {
	if at, ply, ok := s.reviewedMove(words, "playon"); ok {
		s.unlessBusy(func() error {
			return s.playComputer(at.CasualTerms(), rules.Sides()[ply%2], at.LineTo(ply)...)
		})
	}
}

// reviewedMove reads a move's number. It returns the last match and the index of the move in it, or prints what is
// missing.
func (s *session) reviewedMove(words []string, command string) (at table, ply int, ok bool) {
	at = s.tables.last()
	switch {
	case s.refuseRated():
		return at, 0, false
	case at.isNone() || !at.Over() || len(at.Moves) == 0:
		s.out.printLine("There is no move to look back at: " + command + " is for after a match.")
		return at, 0, false
	case len(words) == 1:
		ply, ok = number(words[0], len(at.Moves))
	}
	if !ok {
		s.out.printLine("Type " + command + " and a move's number, 1 to " + strconv.Itoa(len(at.Moves)) + ".")
	}
	return at, ply, ok
}

// mistakes tells the match in short: how it went, and the moves that let it slip, a line each.
func (t table) mistakes() []string {
	reviews := t.Reviews()
	decided, _ := wording.TurningPoint(reviews, t.Outcome, t.subject)
	how := t.because()
	if strategy.ResignedWon(reviews, t.Outcome) {
		how = strings.TrimSuffix(how, ".") + " a won position."
	}
	shown := []string{
		join(wording.Count(len(reviews), "move", "moves")+".", how, t.headline(), decided),
		wording.Leaders(reviews, t.who),
	}
	for _, r := range reviews {
		if r.Mistake() {
			shown = append(shown, t.reviewText(r))
		}
	}
	return append(shown, "Type review all to hear every move, or review, theory or playon and a move's number.")
}

// reviewText puts a review into sentences.
func (t table) reviewText(r strategy.MoveReview) string {
	text := "Move " + strconv.Itoa(r.Ply) + ", " + t.Variant.FormatMove(r.Move) + " by " + t.who(r.Side) + ". " +
		wording.Review(r)
	if rule := wording.RuleOfThumb(r); r.Mistake() && rule != "" {
		text += " " + rule
	}
	return text
}

// Transcript tells a match that is over, a line each: what was played, the players, every move with what perfect play
// says of it, and how it ended.
func Transcript(s match.State) []string {
	at := table{&client.Table{Snapshot: &match.Snapshot{State: &s}}}
	shown := []string{"Match " + string(s.ID) + ": " + wording.Variant(s.Variant) + at.againstText()}
	if s.Pool.IsRated() {
		shown = append(shown, at.startText())
	}
	for _, r := range strategy.Review(s.Start, s.Moves) {
		shown = append(shown, at.reviewText(r))
	}
	return append(shown, at.ending())
}
