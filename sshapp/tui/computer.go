package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

type computerScreen struct {
	page
	form
	level, first, more selector
	termsSelector
	asked bool
	own   history.Standing // the player's standing among people; zero until it is read, or without a rated pair
}

func newComputer(e *env) *computerScreen {
	next := e.client.NextRung(e.choices.level)
	first := selector{
		label:   "First",
		options: []string{"random", "me", "computer"},
		notes:   []string{"A coin toss decides who moves first.", "You move first.", "The computer moves first."},
		at:      int(e.choices.first),
	}
	c := &computerScreen{
		page: page{e, "Play the computer"}, form: form{starts: "start the match"}, level: rungSelector(next), first: first,
		more:          selector{label: "More", options: []string{"clock"}, notes: []string{"Play with a clock."}},
		termsSelector: newTermsSelector(match.Terms{Variant: e.choices.terms.Variant}), // without a clock, unless asked for
	}
	c.rows = c.selectors
	return c
}

// enter reads the levels that the player has beaten, and the player's standing. A value that cannot be read is not
// shown.
func (c *computerScreen) enter() tea.Cmd {
	e, p, offered := c.env, c.env.player, c.level.rung()
	return e.do(nil, func(ctx context.Context) (tea.Msg, error) {
		_ = e.client.Recall(ctx, e.history, p)
		var own history.Standing
		if e.history != nil && !p.Guest {
			own, _ = e.history.Standing(ctx, match.PeoplePool, p.ID)
		}
		return navigation(func(*Root) tea.Cmd {
			if c.own = own; c.level.rung() == offered { // the player has not chosen
				c.level = rungSelector(e.client.NextRung(e.choices.level))
			}
			return nil
		}), nil
	})
}

// selectors returns the shown selectors. The last one is the clock once the player has asked for it, else More.
func (c *computerScreen) selectors() []*selector {
	last := &c.more
	if c.env.choices.showsClock {
		last = &c.clock
	}
	return []*selector{&c.level, &c.boards, &c.first, last}
}

func (c *computerScreen) isAtMore() bool {
	rows := c.selectors()
	return c.row < len(rows) && rows[c.row] == &c.more
}

func (c *computerScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case failed:
		c.asked = false
	case tea.KeyPressMsg:
		return r.do(c.actions())
	}
	return nil
}

func (c *computerScreen) actions() []action {
	k, start := c.env.keys, "start"
	if c.isAtMore() {
		start = "show"
	}
	return []action{
		{key: &k.choose, short: "choose", long: "choose", do: c.step},
		{key: &k.change, short: "change", long: "change", do: func(r *Root) tea.Cmd {
			if c.isAtMore() {
				c.env.choices.showsClock = true
				return nil
			}
			return c.turn(r)
		}},
		{key: &k.digit, long: "boards", do: func(*Root) tea.Cmd {
			c.boards.at = c.env.digit() - 1
			return nil
		}},
		{key: &k.enter, short: start, long: "start", do: c.play},
		{key: &k.back, short: "back", long: "back", do: toLobby},
	}
}

// play starts the match, or shows the clock if the row More is chosen. A key that is held down opens one match only.
func (c *computerScreen) play(*Root) tea.Cmd {
	e := c.env
	switch {
	case c.isAtMore():
		e.choices.showsClock = true
		return nil
	case c.asked:
		return nil
	}
	c.asked = true
	terms := c.terms()
	e.choices.terms.Variant, e.choices.level = terms.Variant, c.level.rung()
	e.choices.first = rules.Side(c.first.at) //nolint:gosec // one of three options
	return e.playComputer(terms, e.choices.level, e.choices.first)
}

func (c *computerScreen) draw(s *draw.Canvas) {
	step, area := s.Pick(3, 3, 4), c.header(s)
	area, levels := c.frame(s, c.env, area, 4, step, s.Pick(3, 3, 5), 43, "Levels and ratings", c.boards.variant())
	if s.Roomy() {
		c.drawLevels(s, levels)
	}
	c.form.draw(s, area, step, 4)
}

// drawLevels lists the levels with their ratings, and ticks those that the player has beaten.
func (c *computerScreen) drawLevels(s *draw.Canvas, area draw.Rect) {
	const rating, gauge = 9, 17 // columns
	step := s.Pick(2, 2, 3)     // between two rows
	levels := strategy.Ladder()
	least, best := levels[0].Rating(), levels[len(levels)-1].Rating()
	for i, level := range levels {
		y, k, line := area.Y+step*i, draw.Plain, draw.Other
		if i == c.level.at {
			k, line = draw.Chosen, draw.Here
		}
		s.Text(area.X, y, k, level.String())
		end := s.Text(area.X+rating, y, k, strconv.Itoa(level.Rating()))
		if i < c.env.client.Beaten() {
			s.Text(end+1, y, draw.Good, s.Glyphs.Tick)
		}
		if s.Tall() {
			s.Text(area.X, y+1, draw.Faint, s.Fit(wording.Level(level), area.Width))
		}
		s.Gauge(area.X+gauge, y, area.Width-gauge, line, level.Rating(), least, best)
	}
	y := area.Y + area.Height - 2
	if c.own.Ended.IsZero() {
		s.Text(area.X, y, draw.Faint, s.Fit("After a win, go up a level.", area.Width))
		return
	}
	s.Text(area.X, y, draw.Strong, "you")
	s.Text(area.X+rating, y, draw.Strong, c.own.Rating.String())
	s.Gauge(area.X+gauge, y, area.Width-gauge, draw.Here, c.own.Rating.Value(), least, best)
}
