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
	asked bool             // a request is under way
	own   history.Standing // the player's standing among people, zero if it is unknown or there is no rated pair

	cachedActions cachedActions[computerState]
}

func newComputer(e *env) *computerScreen {
	next := e.client.NextRung(e.choices.level)
	first := selector{
		label:   "First",
		options: []string{"random", "me", "computer"},
		notes:   []string{"A coin toss decides who moves first.", "You move first.", "The computer moves first."},
		chosen:  int(e.choices.side),
	}
	c := &computerScreen{
		page: page{e, "Play the computer"}, form: form{starts: "start the match"}, level: levelSelector(next), first: first,
		more: selector{label: "More", options: []string{"clock"}, notes: []string{"Play with a clock."}},
		// No clock until the player asks for one.
		termsSelector: newTermsSelector(match.Terms{Variant: e.choices.terms.Variant}),
	}
	c.rows = c.selectors
	return c
}

// enter reads the levels that the player has beaten, and the player's standing. A value that cannot be read is not
// shown.
func (c *computerScreen) enter() tea.Cmd {
	e, p, offered := c.env, c.env.player, c.level.chosenLevel()
	return e.request(nil, func(ctx context.Context) (tea.Msg, error) {
		_ = e.client.LoadBeatenLevels(ctx, e.history, p)
		var own history.Standing
		if e.history != nil && !p.Guest {
			own, _ = e.history.Standing(ctx, match.PeoplePool, p.ID)
		}
		return navigation(func(*Root) tea.Cmd {
			if c.own = own; c.level.chosenLevel() == offered { // the player has not chosen a level
				c.level = levelSelector(e.client.NextRung(e.choices.level))
			}
			return nil
		}), nil
	})
}

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
	case failedMsg:
		c.asked = false
	case tea.KeyPressMsg:
		return r.runAction(c.actions())
	}
	return nil
}

// computerState holds the values that determine the actions of the form for a match against the computer.
type computerState struct {
	keys     *keyMap
	isAtMore bool
}

func (c *computerScreen) actions() []action {
	return c.cachedActions.get(computerState{c.env.keys, c.isAtMore()}, c.newActions)
}

func (c *computerScreen) newActions(now computerState) []action {
	keys, start := now.keys, "start"
	if now.isAtMore {
		start = "show"
	}
	return []action{
		{key: &keys.choose, short: "choose", long: "choose", run: c.moveRow},
		{key: &keys.change, short: "change", long: "change", run: func(r *Root) tea.Cmd {
			if c.isAtMore() {
				c.env.choices.showsClock = true
				return nil
			}
			return c.changeOption(r)
		}},
		{key: &keys.digit, long: "boards", run: func(*Root) tea.Cmd {
			c.boards.chosen = c.env.pressedDigit() - 1
			return nil
		}},
		{key: &keys.enter, short: start, long: "start", run: c.play},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

// play starts the match, or shows the clock if the row More is chosen. A held key opens one match only.
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
	e.choices.terms.Variant, e.choices.level = terms.Variant, c.level.chosenLevel()
	e.choices.side = rules.Side(c.first.chosen) //nolint:gosec // one of three options
	return e.playComputer(terms, e.choices.level, e.choices.side)
}

func (c *computerScreen) draw(s *draw.Canvas) {
	layout := formLayout{
		selectors: 4, step: s.Pick(3, 3, 4), below: s.Pick(3, 3, 5), width: 43, besideTitle: "Levels and ratings",
	}
	area, levels := layout.drawCards(s, c.header(s), c.env.previewOf(c.boards.chosenVariant()))
	if s.IsRoomy() {
		c.drawLevels(s, levels)
	}
	c.form.draw(s, area, &layout)
}

func (c *computerScreen) drawLevels(s *draw.Canvas, area draw.Rect) {
	const rating, gauge = 9, 17 // columns
	step := s.Pick(2, 2, 3)     // rows from one level to the next
	levels := strategy.Ladder()
	least, best := levels[0].Rating(), levels[len(levels)-1].Rating()
	for i, level := range levels {
		y, role, line := area.Y+step*i, draw.Plain, draw.Opponent
		if i == c.level.chosen {
			role, line = draw.Chosen, draw.Own
		}
		s.Text(area.X, y, role, level.String())
		end := s.Text(area.X+rating, y, role, strconv.Itoa(level.Rating()))
		if i < c.env.client.Beaten() {
			s.Text(end+1, y, draw.Good, s.Glyphs.Tick)
		}
		if s.IsTall() {
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
	s.Gauge(area.X+gauge, y, area.Width-gauge, draw.Own, c.own.Rating.WholePoints(), least, best)
}
