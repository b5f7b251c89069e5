package plain

import (
	"time"

	"notakto/rules"
	"notakto/sshapp/wording"
)

// describeTable tells a table to a player who has just come to it. A match that is over is told move by move to who
// only looks on.
func (s *session) describeTable(at table) {
	if at.IsSeated() || !at.Started() || !at.Over() {
		s.printLine(at.description(s.host, s.manager.Now())...)
		return
	}
	s.printLine("This match is over.", gameTitle(at), "This is how it went.")
	for _, move := range at.played(0) {
		s.printLine(move)
	}
	s.printLine(at.ending(), at.nextSteps())
}

func (at table) description(host string, now time.Time) []string {
	switch {
	case at.Closed:
		return []string{"That table was cleared."}
	case at.IsInviting():
		return at.invitation(host)
	case at.Over():
		return []string{gameTitle(at), "The match is over.", at.ending(), at.nextSteps()}
	case !at.IsSeated():
		return []string{"You look on.", gameTitle(at), at.progress(), at.turnText()}
	default:
		return []string{gameTitle(at), at.orderText(), at.progress(), at.turnText(), at.absence(now), at.resumeHint()}
	}
}

// gameTitle is what is played, and against whom.
func gameTitle(at table) string {
	title := wording.Capital(wording.Variant(at.Variant))
	if !at.IsSeated() {
		return title + at.against()
	}
	opponent := at.SeatState(at.Opponent()).Player
	if opponent.IsComputer() {
		return title + ", against the computer, level " + opponent.Level.String() + "."
	}
	return title + ", against " + opponent.Name + "."
}

// against is who plays whom, as the end of a sentence.
func (at table) against() string {
	return ", " + at.who(rules.First) + " against " + at.who(rules.Second) + "."
}

func (at table) invitation(host string) []string {
	code := string(at.Code)
	return []string{
		"Your private table, " + wording.Variant(at.Variant) + ".", at.orderText(),
		"The code is " + spellOut(at.Code) + ": your guest types join " + code +
			", or starts with ssh -t " + host + " join " + code + ".",
		"The match begins when someone sits down.", at.resumeHint(),
	}
}

// absence tells that the opponent is away, and for how long that may last; empty if not.
func (at table) absence(now time.Time) string {
	if seatState := at.SeatState(at.Opponent()); !seatState.Present && !seatState.Player.IsComputer() {
		return at.awayText(at.Opponent(), now)
	}
	return ""
}

// progress is how far the match is; empty at its beginning.
func (at table) progress() string {
	n := len(at.Moves)
	if n == 0 {
		return ""
	}
	moves := wording.Count(n, "move", "moves") + " so far, the last " + at.Variant.FormatMove(at.Moves[n-1]) + " by " + at.who(moverOf(n)) + "."
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

// status is how things stand where the player is.
func (s *session) status() string {
	at := s.table
	switch {
	case at.isNone() && s.queue.isWaiting():
		return "Waiting for an opponent, for " + wording.Variant(s.queue.Variant) + ". Type leave to stop waiting."
	case at.isNone() && !s.backgroundTable.isNone():
		return "You are at no table. Another match of yours is on: type go to go there."
	case at.isNone():
		return "You are at no table. Type play, computer, private, join or watch, or help."
	case at.IsInviting():
		return "Waiting for your guest. The code is " + spellOut(at.Code) + "."
	case at.Over():
		return join(at.ending(), at.nextSteps())
	default:
		mark := ""
		if at.IsSeated() && at.Variant.IsTicTacToe() {
			mark = "You play" + markText(at.Variant, at.Side) + "."
		}
		return join(at.progress(), at.turnText(), mark, at.absence(s.manager.Now()))
	}
}
