package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// awayScreen lists the matches and challenges that ended while the player was away. A row stays until the player has
// seen it.
type awayScreen struct {
	page
	list[history.Entry]
}

func newAway(e *env) *awayScreen {
	a := &awayScreen{page: page{e, "While you were away"}}
	a.takeResults()
	return a
}

func toAway(r *Root) tea.Cmd {
	if len(r.matches.results()) == 0 {
		return r.enterLobby("")
	}
	return r.show(newAway(r.env))
}

func (a *awayScreen) takeResults() {
	a.show(a.env.matches.results(), func(x, y history.Entry) bool { return x.Match == y.Match })
}

// enter leads on to the lobby if the player has seen all results.
func (a *awayScreen) enter() tea.Cmd {
	if a.takeResults(); len(a.rows) == 0 {
		return func() tea.Msg { return navigation(toLobby) }
	}
	return nil
}

func (a *awayScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ownMatchesMsg:
		a.takeResults()
	case tea.KeyPressMsg:
		return r.runAction(a.actions())
	}
	return nil
}

func (a *awayScreen) actions() []action {
	e, keys := a.env, a.env.keys
	enter, enterHelp := "review", "review the match"
	isBare := a.row < len(a.rows) && (a.rows[a.row].IsChallenge() || a.rows[a.row].IsVoid() && a.rows[a.row].Plies == 0)
	if isBare { // there is nothing to review
		enter, enterHelp = "seen", "mark as seen"
	}
	return []action{
		{key: &keys.choose, short: textIf(len(a.rows) > 1 && e.isRoomy(), "choose"), long: "choose", run: a.move},
		{key: &keys.enter, short: enter, long: enterHelp, run: func(r *Root) tea.Cmd {
			if a.row >= len(a.rows) {
				return nil
			}
			id := a.rows[a.row].Match
			if isBare {
				return batch(r.matches.markSeen(id), a.enter())
			}
			if slices.ContainsFunc(e.matches.elsewhere.Matches, func(m client.OwnMatch) bool { return m.ID == id }) {
				return r.goTo(id) // the opponent may still be there for a rematch
			}
			return e.watch(id)
		}},
		{key: &keys.allSeen, short: "all seen", long: "mark all results as seen", run: func(r *Root) tea.Cmd {
			ids := make([]match.ID, len(a.rows))
			for i, result := range a.rows {
				ids[i] = result.Match
			}
			return batch(r.matches.markSeen(ids...), r.enterLobby(""))
		}},
		{key: &keys.back, short: "later", long: "later", run: toLobby},
	}
}

func (a *awayScreen) draw(s *draw.Canvas) {
	area, now := a.header(s).Lower(s.Pick(0, 1, 1)), a.env.now()
	a.list.draw(s, area, func(row draw.Rect, e history.Entry, role draw.Role) {
		s.Target.OnKey(row, "Enter")
		sign, signRole, verb := s.Glyphs.Dot, draw.Faint, wording.ResultVerb(e)
		switch {
		case e.IsVoid():
			verb = "cancelled:"
		case e.Pair.Match != "" && e.Pair.Result == rating.Split:
		case e.Winner == e.Side && e.Pair.Match == "", e.Pair.Match != "" && e.Pair.Result == rating.Won:
			sign, signRole = s.Glyphs.Tick, draw.Good
		case e.Winner == e.Side.Other(), e.Pair.Match != "":
			sign, signRole = s.Glyphs.Flaw, draw.Bad
		}
		details, end := resultDetails(e), row.X+row.Width
		if row.Width >= wideRow {
			end = s.TextRight(end, row.Y, wording.Day(e.Ended, now)) - 1
		}
		about := row.X + s.Pick(21, 28, 28)
		x := s.Text(row.X+2, row.Y, signRole, sign) + 1
		if e.IsChallenge() {
			name := e.Opponent.Name
			excess := draw.Columns(wording.EndedText(e, name)) - (end - x)
			text := wording.EndedText(e, cutName(s, name, draw.Columns(name)-max(0, excess)))
			about = max(about, s.Text(x, row.Y, role, text)+2)
		} else {
			x = s.Text(x, row.Y, role, verb) + 1
			s.Text(x, row.Y, role, fitName(s, e.Opponent, about-x-1))
		}
		s.Text(about, row.Y, draw.Faint, s.Fit(fit(end-about, details...), end-about))
	})
}

// resultDetails tells the score of a pair and the change of the rating, the terms of a challenge, or the variant of a
// match and the reason of an early end. The forms go from long to short.
func resultDetails(e history.Entry) []string {
	if e.IsChallenge() {
		return []string{wording.ChallengeTerms(e.Terms), wording.Variant(e.Variant), ""}
	}
	if p := e.Pair; p.Match != "" {
		score := [...]string{rating.Lost: "0–2", rating.Split: "1–1", rating.Won: "2–0"}[p.Result]
		change := fmt.Sprintf("%s → %s", p.Before, p.After)
		return []string{"rated pair " + score + ", " + change, score + "  " + change, change}
	}
	played := wording.Variant(e.Variant)
	if why := wording.EndedBecause(e); why != "" && !e.IsVoid() {
		return []string{played + ", " + why, played}
	}
	return []string{played}
}
