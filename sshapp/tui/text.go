package tui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

const gameInShort = "Both play X. Three in a row kills a board. Kill the last board and you lose."

// fit returns the first of texts that fits into a width, else the last; "" without one.
func fit(width int, texts ...string) string {
	for i, text := range texts {
		if i == len(texts)-1 || draw.Columns(text) <= width {
			return text
		}
	}
	return ""
}

// fit returns the first of texts that fits into the line of the notices, else the last; "" without one.
func (e *env) fit(texts ...string) string {
	window := draw.Size{Width: e.width, Height: e.height}
	return fit(e.width-2*window.Margin(), texts...)
}

// sentences joins as many of all as fit into width columns, but at least the first.
func sentences(all []string, width int) (text string) {
	for _, sentence := range all {
		longer := strings.TrimPrefix(text+". "+sentence, ". ")
		if text == "" || draw.Columns(longer) <= width {
			text = longer
		}
	}
	return text
}

func headline(s *client.Table) string {
	return wording.Headline(s.State, ownSide(s), func(side rules.Side) string { return subject(s, side) })
}

func reasonText(s *client.Table) string {
	return wording.Reason(s.State, func(side rules.Side) string { return subject(s, side) })
}

// endText returns how the match, or the pair that it ended, went. It cuts the names to fit into width columns.
func endText(s *draw.Canvas, at *client.Table, width int) string {
	text := cmp.Or(pairText(at), reasonText(at))
	over := draw.Columns(text) - width
	if over <= 0 {
		return text
	}
	shortened := func(side rules.Side) string {
		name := subject(at, side)
		return s.Fit(name, max(3, draw.Columns(name)-over))
	}
	return cmp.Or(wording.PairResult(at.State, ownSide(at), shortened), wording.Reason(at.State, shortened))
}

// pairText returns how the rated pair ended if the match was its last game, else "".
func pairText(s *client.Table) string {
	return wording.PairResult(s.State, ownSide(s), func(side rules.Side) string { return subject(s, side) })
}

func subject(s *client.Table, side rules.Side) string {
	if side == ownSide(s) && side != rules.Nobody {
		return "You"
	}
	return s.SeatState(side).Player.Name
}

// opponent returns the opponent's name, for a spectator that of the player who moves first.
func opponent(s *client.Table) string {
	if s.Side == rules.Nobody {
		return s.SeatState(rules.First).Player.Name
	}
	return s.SeatState(s.Side.Other()).Player.Name
}

// ownSide returns the side of the player at this screen. It also finds the side if that player watches an own match
// that is over.
func ownSide(at *client.Table) rules.Side {
	if at.Side != rules.Nobody || !at.Over() || at.Player == "" {
		return at.Side
	}
	for _, side := range rules.Sides() {
		if at.SeatState(side).Player.ID == at.Player {
			return side
		}
	}
	return rules.Nobody
}

// summaryText returns one line on a finished match: the text on its pair, how it ended, and the turning point of
// reviews. If the line is wider than width columns, it takes the first shorter form that fits: without the
// player that the better move would have helped, without the end of this game of a pair, with the turning point in
// short. The shortest form may still be wider.
func summaryText(at *client.Table, pair string, reviews []strategy.MoveReview, width int) string {
	end := strings.TrimSpace(pair + " " + strings.TrimSuffix(reasonText(at), "."))
	switch {
	case at.Outcome.IsVoid():
		return end + "."
	case strategy.ResignedWon(reviews, at.Outcome):
		return end + " a won position."
	case len(reviews) == 0:
		return end + "."
	default:
		mistake, short := wording.TurningPoint(reviews, at.Outcome, func(side rules.Side) string { return subject(at, side) })
		start, forOther := cmp.Or(pair, end+"."), ""
		if r, found := strategy.TurningPoint(reviews, at.Outcome); found && r.Before == strategy.Win &&
			r.Side != ownSide(at) {
			forOther = " for " + subject(at, r.Side)
		}
		for _, text := range [...]string{end + ".  " + mistake, start + "  " + mistake, start + "  " + short} {
			text = strings.TrimSuffix(strings.TrimSpace(text), ".")
			for _, end := range [...]string{forOther + ".", "."} {
				if draw.Columns(text+end) <= width {
					return text + end
				}
			}
		}
		return strings.TrimSpace(start + "  " + short)
	}
}

func isByMove(o rules.Outcome) bool {
	return o.Reason == rules.Boards || o.Reason == rules.Line || o.Reason == rules.Draw
}

func aside(at *client.Table, e *env) string {
	var all []string
	if e.seek.queue.IsWaiting() {
		all = append(all, "in the queue")
	}
	switch others := at.Spectators - 1; {
	case !at.IsWatching() && at.Spectators > 0:
		all = append(all, strconv.Itoa(at.Spectators)+" watching")
	case at.IsWatching() && others > 0:
		all = append(all, "watching, with "+wording.Count(others, "other", "others"))
	case at.IsWatching():
		all = append(all, "watching")
	}
	if code := at.SeatState(at.Side).Code; code != "" {
		all = append(all, "your way back: "+string(code))
	} else if at.IsWatching() {
		all = append(all, e.player.Name)
	}
	return strings.Join(all, "  ")
}

func helpFooting(at *client.Table, e *env) []string {
	if at == nil {
		return nil
	}
	var lines []string
	if game := wording.PairGame(at.State); game != "" {
		lines = append(lines, wording.Capital(game))
	}
	if seed := wording.OpeningSeed(at.State); seed != "" && e.roomy() {
		lines = append(lines, seed)
	}
	if code := at.SeatState(at.Side).Code; code != "" {
		lines = append(lines, resumeHint("Way back: ", code, e))
	}
	switch {
	case at.Side != rules.Nobody && at.Spectators > 0:
		lines = append(lines, wording.Count(at.Spectators, "is watching", "are watching"))
	case at.Spectators == 1:
		lines = append(lines, "You are the only one watching")
	case at.Spectators > 1:
		lines = append(lines, strconv.Itoa(at.Spectators)+" are watching, including you")
	}
	return lines
}

// resumeHint returns hint and a guest's way back, as a whole command if it fits.
func resumeHint(hint string, code match.Code, e *env) string {
	if command := wording.GameCommand(e.host, "join "+string(code)); command != "" &&
		draw.Columns(hint+command) <= e.width-2 {
		return hint + command
	}
	return hint + "join " + string(code)
}

func keptText(at *client.Table, e *env) string {
	if kept := wording.Kept(at.State, at.Side); kept != "" {
		return kept + "."
	}
	within := e.manager.TimeLimits().ToReturn(at.State, at.Side)
	return fmt.Sprintf("Your seat is kept; you have %d s when it is your turn%s.",
		wording.Seconds(within), wording.LostByAbsence(at.State, at.Side))
}
