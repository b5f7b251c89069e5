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

// inTurn wraps run in Config.InTurn, for a command that takes long. run must not block.
func (s *session) inTurn(run func(words []string)) func(words []string) {
	if s.cfg.InTurn == nil {
		return run
	}
	return func(words []string) { s.cfg.InTurn(func() { run(words) }) }
}

func (s *session) reviewCommand(words []string) {
	switch at := s.tables.currentOrEnded(); {
	case s.refuseRated(at):
	case at.isNone():
		s.out.printLine("There is nothing to review: type review after a match.")
	case !at.IsOver():
		s.out.printLine("You can review the match when it is over.")
	case len(at.Moves) == 0:
		s.out.printLine("No move was made.")
	case len(words) == 0:
		s.out.printLines(at.mistakes())
	case words[0] == "all":
		for _, r := range at.Reviews() {
			s.out.printLine(at.reviewText(r))
		}
	default:
		if i, ok := parseIndex(words[0], len(at.Moves)); ok {
			s.out.printLine(at.reviewText(at.Reviews()[i]))
			return
		}
		s.out.printLine("There is no such move: the moves are 1 to " + strconv.Itoa(len(at.Moves)) + ".")
	}
}

// refuseRated reports whether a rated pair of the player forbids a review of at, and prints that reviews have to wait.
func (s *session) refuseRated(at table) (refused bool) {
	var shown []rules.Position
	if !at.isNone() {
		shown = at.Positions()
	}
	if refused = s.cfg.Manager.PlaysRated(s.player.ID, shown...); refused {
		s.out.report(match.ErrRated)
	}
	return refused
}

func (s *session) shareCommand(_ []string) {
	switch at := s.tables.currentOrEnded(); {
	case s.refuseRated(at):
	case at.isNone() || !at.IsOver() || at.IsWatching() || at.Outcome.IsVoid():
		s.out.printLine("There is nothing to share: type share after a match of yours.")
	default:
		pair, _ := s.tables.ratedPair(at) // reads the database, and so must not run in InTurn
		s.inTurn(func([]string) {
			s.out.printLine(wording.ShareLine(at.State, at.Side, at.Reviews(), pair, s.cfg.Host, true))
		})(nil)
	}
}

func (s *session) theoryCommand(words []string) {
	at, ply, ok := s.reviewedMove(words, "theory")
	if !ok {
		return
	}
	lines := wording.Theory(at.Reviews()[ply])
	if len(lines) == 0 {
		s.out.printLine("Tic-tac-toe has no such theory: with perfect play it is a draw.")
		return
	}
	s.out.printLine(wording.TheoryHeading)
	s.out.printLines(lines)
}

// playOnCommand replays a match against the computer from before one of its moves.
func (s *session) playOnCommand(words []string) {
	if at, ply, ok := s.reviewedMove(words, "playon"); ok {
		s.unlessBusy(func() error {
			return s.playComputer(at.CasualTerms(), rules.Sides()[ply%2], at.LineTo(ply)...)
		})
	}
}

// reviewedMove parses a move's number and returns the match to look back at and the index of the move. Otherwise it
// prints what to type.
func (s *session) reviewedMove(words []string, command string) (at table, ply int, ok bool) {
	at = s.tables.currentOrEnded()
	switch {
	case s.refuseRated(at):
		return at, 0, false
	case at.isNone() || !at.IsOver() || len(at.Moves) == 0:
		s.out.printLine("There is no move to look at: type " + command + " after a match.")
		return at, 0, false
	case len(words) == 1:
		ply, ok = parseIndex(words[0], len(at.Moves))
	}
	if !ok {
		s.out.printLine("Type " + command + " and a move's number, 1 to " + strconv.Itoa(len(at.Moves)) + ".")
	}
	return at, ply, ok
}

func (t table) mistakes() []string {
	reviews := t.Reviews()
	decided, _ := wording.TurningPoint(reviews, t.Outcome, t.subject)
	how := t.reasonText()
	if strategy.ResignedWon(reviews, t.Outcome) {
		how = strings.TrimSuffix(how, ".") + " while winning."
	}
	shown := []string{
		join(wording.Count(len(reviews), "move", "moves")+".", how, t.headline(), decided),
		wording.Leaders(reviews, t.name), wording.HintsUsed(t.State),
	}
	for _, r := range reviews {
		if r.IsMistake() {
			shown = append(shown, t.reviewText(r))
		}
	}
	return append(shown, "Type review all to hear every move, or review, theory or playon and a move's number.")
}

func (t table) reviewText(r strategy.MoveReview) string {
	text := "Move " + strconv.Itoa(r.Ply) + ", " + t.Variant.FormatMove(r.Move) + " by " + t.name(r.Side) + ". " +
		wording.Review(r)
	if rule := wording.RuleOfThumb(r); r.IsMistake() && rule != "" {
		text += " " + rule
	}
	return join(wording.TookBackBefore(t.State, r.Ply, t.subject), text)
}

// Transcript returns a finished match as lines to print. The lines are the game and the players, each move with its
// review, and the result.
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
