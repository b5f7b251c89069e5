package plain

import (
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// describeTable describes a table to a player who has just come to it. A match that is over is printed move by move for
// a spectator.
func (s *session) describeTable(at table) {
	if at.IsSeated() || !at.Started() || !at.Over() {
		s.printLine(at.description(s.cfg.Host, s.cfg.Manager.Now())...)
		return
	}
	s.printLine("This match is over.", at.gameTitle(), "This is how it went.")
	if at.Pool.IsRated() {
		s.printLine(at.startText())
	}
	for _, move := range at.played(0) {
		s.printLine(move)
	}
	s.printLine(at.ending(), at.nextSteps(s.cfg.Manager.Now()))
}

func (at table) description(host string, now time.Time) []string {
	switch {
	case at.Closed:
		return []string{"The table has been closed."}
	case at.IsInviting():
		return at.invitation(host)
	case at.Over():
		return []string{at.gameTitle(), "The match is over.", at.ending(), at.nextSteps(now)}
	case !at.IsSeated():
		return []string{
			"You are watching.", at.gameTitle(), at.opening(), at.progress(), at.turnText(), at.clocks(now), at.absence(now),
		}
	default:
		return []string{
			at.gameTitle(), at.orderText(), at.opening(), at.progress(), at.turnText(), at.clocks(now), at.opponentLimit(now),
			at.absence(now), at.resumeHint(),
		}
	}
}

// gameTitle is what is played, and the opponent.
func (at table) gameTitle() string {
	title := wording.Capital(wording.Played(at.State))
	if !at.IsSeated() {
		return title + at.againstText()
	}
	opponent := at.SeatState(at.Opponent()).Player
	if opponent.IsComputer() {
		return title + ", against the computer, level " + opponent.Level.String() + "."
	}
	return title + ", against " + opponent.Name + "."
}

// againstText is both players, as the end of a sentence.
func (at table) againstText() string {
	return ", " + at.who(rules.First) + " against " + at.who(rules.Second) + "."
}

func (at table) invitation(host string) []string {
	entry := "join " + string(at.Code)
	if command := wording.GameCommand(host, entry); command != "" {
		entry += ", or starts with " + command
	}
	return []string{
		"Your private table, " + wording.Terms(at.Terms) + ".", at.orderText(),
		"The code is " + spellOut(at.Code) + ": your opponent types " + entry + ".",
		"The match begins when someone sits down.", at.resumeHint(),
	}
}

// absence says which other players are away, and for how long that may last; empty if none is.
func (at table) absence(now time.Time) string {
	var away []string
	for _, side := range rules.Sides() {
		if side != at.Side && at.SeatState(side).IsAway() {
			away = append(away, at.awayText(side, now))
		}
	}
	return strings.Join(away, " ")
}

// opening is what stands on the boards at the beginning of a rated game; empty for other matches, and once it goes on.
func (at table) opening() string {
	if !at.Pool.IsRated() || len(at.Moves) > 0 {
		return ""
	}
	return at.startText()
}

// startText is what stood on the boards at the beginning of a rated game.
func (at table) startText() string {
	var boards []string
	for i := range at.Variant.Boards() {
		name := "Board " + rules.BoardName(i)
		if cells := cellsWith(at.Start, i, rules.Cross); len(cells) > 0 {
			boards = append(boards, name+": X at "+andText(cells)+".")
		} else {
			boards = append(boards, name+" is empty.")
		}
	}
	return "The opening: " + strings.Join(boards, " ")
}

// progress is how far the match is; empty at its beginning.
func (at table) progress() string {
	n := len(at.Moves)
	if n == 0 {
		return ""
	}
	moves := wording.Count(n, "move", "moves") + " so far, the last " + at.Variant.FormatMove(at.Moves[n-1]) + " by " +
		at.who(moverOf(n)) + "."
	if at.Position.Alive() == at.Variant.Boards() {
		return moves
	}
	return moves + " " + boardsLeft(at.Position)
}

// moverOf is the side that made a move, counted from 1.
func moverOf(ply int) rules.Side {
	if ply%2 == 1 {
		return rules.First
	}
	return rules.Second
}

// Transcript is a match that is over, a line each: what was played, the players, every
// move with what perfect play says of it, and how it ended.
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

func (at table) awayText(side rules.Side, now time.Time) string {
	name := at.SeatState(side).Player.Name
	switch {
	case at.Over():
		return name + " has left the table."
	case at.Turn() == side && !at.ForfeitAt.IsZero():
		return name + " is away, and loses the match unless back in " +
			wording.Count(wording.Seconds(at.ForfeitAt.Sub(now)), "second", "seconds") + "."
	default:
		return name + " is away. The seat is kept."
	}
}

// clocks is how much time each player has left; empty without a clock.
func (at table) clocks(now time.Time) string {
	if at.Clock.IsNone() || !at.Started() {
		return ""
	}
	first, second := rules.First, rules.Second
	if at.Side == second {
		first, second = second, first
	}
	return at.timeText(first, now) + " " + at.timeText(second, now)
}

func (at table) timeText(side rules.Side, now time.Time) string {
	left := wording.ClockLeft(at.ClockLeft(side, now)) + "."
	if side == at.Side {
		return "You have " + left
	}
	return at.subject(side) + " has " + left
}
