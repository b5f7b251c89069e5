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

// inTurn makes a command wait until others have had their turn. The command takes long and waits for nothing.
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
	default:
		s.out.printLines(at.reviewed(words[0]))
	}
}

// refuseRated refuses to tell what perfect play says to a player of a rated match in progress, and says why.
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
	case s.refuseRated():
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

// reviewed tells every move, or the one with a number, a line each.
func (t table) reviewed(which string) []string {
	reviews := t.Reviews()
	if which != "all" {
		i, ok := number(which, len(reviews))
		if !ok {
			return []string{"There is no such move: they are 1 to " + strconv.Itoa(len(reviews)) + "."}
		}
		reviews = reviews[i : i+1]
	}
	var shown []string
	for _, r := range reviews {
		shown = append(shown, t.reviewText(r))
	}
	return shown
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
