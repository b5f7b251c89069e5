package tui

import (
	"fmt"
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// selector is a value that is turned up and down with the arrow keys.
type selector struct {
	label   string
	options []string
	notes   []string // what the options mean
	at      int
}

// optionWidth is the room for an option: the same in every selector, so that their arrows stand in one column.
const optionWidth = 13

// turn goes to another option; after the last one the first comes again.
func (s *selector) turn(by int) { s.at = (s.at + by + len(s.options)) % len(s.options) }

// draw writes the selector's line. Its arrows stand out where it is chosen.
func (s *selector) draw(c *draw.Canvas, x, y int, here bool) {
	g, k := c.Glyphs, draw.Plain
	if here {
		k = draw.Chosen
		c.Point(x-2, y)
	}
	c.Text(x, y, k, s.label)
	x += 10
	arrow := draw.Faint
	if here {
		arrow = draw.Cursor
	}
	c.Text(x, y, arrow, g.Less)
	c.TextCenter(x+2, optionWidth, y, k, s.options[s.at])
	c.Text(x+3+optionWidth, y, arrow, g.More)
	c.Target.OnValue(x, x+3+optionWidth, y)
}

// smallForm is how wide a form is where there is no room for cards.
const smallForm = 38

// cardsWidth is how wide two cards side by side are at most.
const cardsWidth = 96

// cards are two areas side by side for frames around so many rows, in the middle of an area; the first one has a width.
func cards(area draw.Rect, rows, width int) (first, second draw.Rect) {
	const frame, gap = 2, 1
	area = area.Middle(rows + frame).Column(cardsWidth)
	area.Height = min(area.Height, rows+frame)
	first, second = area, area
	first.Width = width - gap
	second.X, second.Width = area.X+width, area.Width-width
	return first, second
}

// variants are the games in the order in which a selector has them.
func variants() []rules.Variant {
	all := make([]rules.Variant, 0, rules.MaxBoards+1)
	for boards := 1; boards <= rules.MaxBoards; boards++ {
		v, err := rules.Notakto(boards)
		if err == nil {
			all = append(all, v)
		}
	}
	return append(all, rules.TicTacToe())
}

// boardsSelector chooses the terms.
func boardsSelector(t match.Terms) selector {
	p := selector{label: "Boards"}
	for i, variant := range variants() {
		note := "More boards make a longer match."
		switch {
		case variant.IsTicTacToe():
			note = "O and X: three in a row wins."
		case variant.Boards() == 1:
			note = "Three in a row loses."
		}
		p.options, p.notes = append(p.options, wording.Variant(variant)), append(p.notes, note)
		if variant == t.Variant {
			p.at = i
		}
	}
	return p
}

// opponentSelector chooses what the player accepts of an opponent: whatever is usual, one game, a rated pair, or
// whatever is usual without a clock.
func opponentSelector(accepts []match.Terms) selector {
	p := boardsSelector(match.Terms{})
	p.options = append(p.options, "rated pair", "without clock")
	p.options = slices.Insert(p.options, 0, wording.Accepts(match.DefaultAccepted()))
	p.at = 0
	for i, variant := range variants() {
		if !slices.ContainsFunc(accepts, func(t match.Terms) bool { return t.Variant != variant }) {
			p.at = i + 1
		}
	}
	switch {
	case slices.Equal(accepts, match.DefaultAccepted()):
		p.at = p.untimed()
	case len(accepts) > 0 && accepts[0].Pool.IsRated():
		p.at = p.rated()
	}
	return p
}

// rated and untimed are the last two options of a selector of an opponent's games.
func (s *selector) rated() int { return len(s.options) - 2 }

func (s *selector) untimed() int { return len(s.options) - 1 }

// insists reports whether a selector of an opponent's games stands at one of them.
func (s *selector) insists() bool { return s.at > 0 && s.at < s.rated() }

// accepts are what a selector of an opponent's games stands at. A clock is preferred where not told otherwise.
func (s *selector) accepts() []match.Terms {
	switch usual := match.DefaultAccepted(); {
	case s.insists():
		return match.PreferClock([]match.Terms{{Variant: variants()[s.at-1]}})
	case s.at == s.rated():
		return []match.Terms{match.RatedTerms(match.PeoplePool)}
	case s.at > 0:
		return usual
	default:
		return match.PreferClock(usual)
	}
}

// variant is what a selector of boards stands at.
func (s *selector) variant() rules.Variant { return variants()[s.at] }

// clockSelector chooses a clock, one that was asked for before among them.
func clockSelector(at match.Clock) (selector, []match.Clock) {
	p, all := selector{label: "Clock"}, match.OfferedClocks()
	if !slices.Contains(all, at) {
		all = append(all, at)
	}
	p.at = slices.Index(all, at)
	for _, c := range all {
		note := "Take as long as you like."
		if !c.IsNone() {
			note = wording.Capital(wording.Clock(c)) + "."
		}
		p.options, p.notes = append(p.options, c.String()), append(p.notes, note)
	}
	return p, all
}

// termsSelector chooses what is played: the boards and the clock.
type termsSelector struct {
	boards, clock selector
	clocks        []match.Clock
}

func newTermsSelector(t match.Terms) termsSelector {
	clock, all := clockSelector(t.Clock)
	return termsSelector{boardsSelector(t), clock, all}
}

// terms are what the two selectors stand at.
func (t *termsSelector) terms() match.Terms {
	return match.Terms{Variant: t.boards.variant(), Clock: t.clocks[t.clock.at]}
}

func rungSelector(at strategy.Level) selector {
	ladder := strategy.Ladder()
	p := selector{label: "Level", options: wording.LevelNames(ladder), at: slices.Index(ladder, at)}
	for i, level := range ladder {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d: %s", i+1, len(ladder), wording.Level(level)))
	}
	return p
}

// rung is what a selector of rungs stands at.
func (s *selector) rung() strategy.Level { return strategy.Ladder()[s.at] }

func sideSelector() selector {
	return selector{
		label:   "First",
		options: []string{"random", "me", "computer"},
		notes:   []string{"A coin toss decides who moves first.", "You move first.", "The computer moves first."},
	}
}

func (s *selector) side() rules.Side { return rules.Side(s.at) }
