package tui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

const gameInShort = "Both play X. Three in a row kills a board. Kill the last board and you lose."

// fit returns the first of texts that fits into width columns, else the last of texts. Without texts it returns "".
func fit(width int, texts ...string) string {
	for i, text := range texts {
		if i == len(texts)-1 || draw.Columns(text) <= width {
			return text
		}
	}
	return ""
}

// fit returns the first of texts that fits into the line of the notices, else the last of texts.
func (e *env) fit(texts ...string) string {
	window := draw.Size{Width: e.width, Height: e.height}
	return fit(e.width-2*window.Margin(), texts...)
}

// joinSentences joins as many of all as fit into width columns, but at least the first.
func joinSentences(all []string, width int) (text string) {
	for _, sentence := range all {
		longer := strings.TrimPrefix(text+". "+sentence, ". ")
		if text == "" || draw.Columns(longer) <= width {
			text = longer
		}
	}
	return text
}

func headline(table *client.Table) string {
	return wording.Headline(table.State, ownSide(table), func(side rules.Side) string { return nameOrYou(table, side) })
}

func reasonText(table *client.Table) string {
	return wording.Reason(table.State, func(side rules.Side) string { return nameOrYou(table, side) })
}

// endText returns how the match ended, or after the last game of a pair how the pair ended. Names are cut to make the
// text fit into width columns.
func endText(s *draw.Canvas, table *client.Table, width int) string {
	text := cmp.Or(pairText(table), reasonText(table))
	over := draw.Columns(text) - width
	if over <= 0 {
		return text
	}
	shortened := func(side rules.Side) string {
		name := nameOrYou(table, side)
		return cutName(s, name, max(3, draw.Columns(name)-over))
	}
	return cmp.Or(wording.PairResult(table.State, ownSide(table), shortened), wording.Reason(table.State, shortened))
}

func pairText(table *client.Table) string {
	name := func(side rules.Side) string { return nameOrYou(table, side) }
	return wording.PairResult(table.State, ownSide(table), name)
}

func nameOrYou(table *client.Table, side rules.Side) string {
	if side == ownSide(table) && side != rules.NoSide {
		return "You"
	}
	return table.Seat(side).Player.Name
}

// opponentName returns the opponent's name, and for a spectator the name of the player with the first move.
func opponentName(table *client.Table) string {
	if table.Side == rules.NoSide {
		return table.Seat(rules.First).Player.Name
	}
	return table.Seat(table.Side.Other()).Player.Name
}

// ownSide returns the side of the player at this screen, also if that player watches an own finished match.
func ownSide(table *client.Table) rules.Side {
	if table.Side != rules.NoSide || !table.IsOver() || table.Player == "" {
		return table.Side
	}
	for _, side := range rules.Sides() {
		if table.Seat(side).Player.ID == table.Player {
			return side
		}
	}
	return rules.NoSide
}

// summaryText returns one line on a finished match. The line holds the text on its pair, how the match ended, and the
// turning point of reviews. If that is wider than width columns, summaryText takes the first shorter form that fits.
// The shortest form may still be wider. The forms, from long to short:
//   - all parts
//   - without "for NAME" at the end
//   - without how this game of a pair ended
//   - with a short turning point
func summaryText(table *client.Table, pair string, reviews []strategy.MoveReview, width int) string {
	end := strings.TrimSpace(pair + " " + strings.TrimSuffix(reasonText(table), "."))
	switch {
	case table.Outcome.IsVoid():
		return end + "."
	case strategy.ResignedWon(reviews, table.Outcome):
		return end + " while winning."
	case len(reviews) == 0:
		return end + "."
	default:
		name := func(side rules.Side) string { return nameOrYou(table, side) }
		mistake, short := wording.TurningPoint(reviews, table.Outcome, name)
		start, forOther := cmp.Or(pair, end+"."), ""
		if r, found := strategy.TurningPoint(reviews, table.Outcome); found && r.VerdictBefore == strategy.Win &&
			r.Side != ownSide(table) {
			forOther = " for " + nameOrYou(table, r.Side)
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
	return o.Reason == rules.ReasonBoards || o.Reason == rules.ReasonLine || o.Reason == rules.ReasonDraw
}

func headerNote(table *client.Table, e *env, now time.Time) string {
	var all []string
	if e.search.queue.IsWaiting() {
		all = append(all, "in the queue")
	}
	if table.IsPlaying() && table.Clock.IsCorrespondence() {
		all = append(all, "you have "+wording.DaysLeft(table.DaysLeft(table.Side, now)))
	}
	switch others := table.Spectators - 1; {
	case !table.IsWatching() && table.Spectators > 0:
		all = append(all, strconv.Itoa(table.Spectators)+" watching")
	case table.IsDemonstration():
		all = append(all, "demonstration")
	case table.IsWatching() && others > 0:
		all = append(all, "watching, with "+wording.Count(others, "other", "others"))
	case table.IsWatching():
		all = append(all, "watching")
	}
	if code := table.Seat(table.Side).Code; code != "" {
		all = append(all, "return code: "+string(code))
	} else if table.IsWatching() {
		all = append(all, e.player.Name)
	}
	return strings.Join(all, "  ")
}

func helpFooting(table *client.Table, e *env) []string {
	if table == nil {
		return nil
	}
	var lines []string
	if game := wording.PairGame(table.State); game != "" {
		lines = append(lines, wording.Capital(game))
	}
	if seed := wording.OpeningSeed(table.State); seed != "" && e.isRoomy() {
		lines = append(lines, seed)
	}
	if code := table.Seat(table.Side).Code; code != "" {
		lines = append(lines, resumeHint("Return with: ", code, e))
	}
	switch {
	case table.Side != rules.NoSide && table.Spectators > 0:
		lines = append(lines, wording.Count(table.Spectators, "is watching", "are watching"))
	case table.Spectators == 1:
		lines = append(lines, "You are the only one watching")
	case table.Spectators > 1:
		lines = append(lines, strconv.Itoa(table.Spectators)+" are watching, including you")
	}
	return lines
}

func resumeHint(hint string, code match.Code, e *env) string {
	if command := wording.GameCommand(e.host, "join "+string(code)); command != "" &&
		draw.Columns(hint+command) <= e.width-2 {
		return hint + command
	}
	return hint + "join " + string(code)
}

func keptText(table *client.Table, e *env) string {
	if kept := wording.KeptText(table.State, table.Side); kept != "" {
		return kept + "."
	}
	within := e.manager.TimeLimits().ReturnLimit(table.State, table.Side)
	return fmt.Sprintf("Your seat is kept; you have %d s when it is your turn%s.",
		wording.Seconds(within), wording.LostByAbsence(table.State, table.Side))
}
