package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// opponentScreen chooses what the player seeks an opponent for: a casual match or a rated pair, the boards, and a
// clock. Beside that it tells who waits.
type opponentScreen struct {
	env *env
	form
	kind, boards, clock selector
	asked               match.Clock // in the command; none for the usual ones
	now                 happening
}

// The options of the selectors kind and clock.
const (
	casual = iota
	ratedPair
)

const (
	usualClock = iota
	withoutClock
	askedClock // only for who has asked for one in the command
)

func newOpponent(e *env) *opponentScreen {
	o := &opponentScreen{
		env:  e,
		form: form{starts: "find an opponent"},
		kind: selector{
			label: "Match", options: []string{"casual", "rated pair"},
			notes: []string{"One match, which is not rated.", "Two rated games. You each start one."},
		},
		boards: boardsSelector(match.Terms{}),
		clock: selector{
			label: "Clock", options: []string{"usual", "none"}, notes: []string{"", "No clock for either of you."},
		},
	}
	usual := match.DefaultAccepted()
	o.boards.options = slices.Insert(o.boards.options, 0, wording.Accepts(usual))
	o.boards.notes = slices.Insert(o.boards.notes, 0, "Whatever you both like best.")
	o.boards.at = 0
	accepts := e.choices.accepts
	for i, variant := range variants() {
		if !slices.ContainsFunc(accepts, func(t match.Terms) bool { return t.Variant != variant }) {
			o.boards.at = i + 1
		}
	}
	isUntimed := func(t match.Terms) bool { return t.Clock.IsNone() }
	switch {
	case accepts[0].Pool.IsRated():
		o.kind.at, o.boards.at = ratedPair, 0
	case !slices.ContainsFunc(accepts, isUntimed):
		o.asked, o.clock.at = accepts[0].Clock, askedClock
		o.clock.options = append(o.clock.options, o.asked.String())
		o.clock.notes = append(o.clock.notes, wording.Capital(wording.Clock(o.asked))+".")
	case isUntimed(accepts[0]):
		o.clock.at = withoutClock
	}
	o.row = len(o.selectors())
	o.noteUsualClock()
	return o
}

// noteUsualClock describes the usual clock, which depends on the boards.
func (o *opponentScreen) noteUsualClock() {
	o.clock.notes[usualClock] = wording.Capital(wording.ClocksEach(o.withClock(usualClock))) + ", or no clock."
}

func (o *opponentScreen) enter() tea.Cmd { return o.env.list() }

func (o *opponentScreen) isRated() bool { return o.kind.at == ratedPair }

// selectors are those that there is something to choose from: the terms of a rated pair are given.
func (o *opponentScreen) selectors() []*selector {
	if o.isRated() {
		return []*selector{&o.kind}
	}
	return []*selector{&o.kind, &o.boards, &o.clock}
}

// accepts are what the form stands at.
func (o *opponentScreen) accepts() []match.Terms {
	if o.isRated() {
		return []match.Terms{match.RatedTerms(match.PeoplePool)}
	}
	return o.withClock(o.clock.at)
}

// withClock are the boards that the form stands at, with a choice of clocks.
func (o *opponentScreen) withClock(clock int) []match.Terms {
	all := match.DefaultAccepted()
	if o.boards.at > 0 {
		all = []match.Terms{{Variant: variants()[o.boards.at-1]}}
	}
	switch clock {
	case withoutClock:
		return all
	case askedClock:
		for i := range all {
			all[i].Clock = o.asked
		}
		return all
	default:
		return match.PreferClock(all)
	}
}

func (o *opponentScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case listed:
		o.now = msg.now
		return nil, o.env.requestList(msg.now)
	case failed:
		return nil, o.env.list()
	case tea.KeyPressMsg:
		return o.press(msg), nil
	}
	return nil, nil
}

func (o *opponentScreen) press(press tea.KeyPressMsg) navigation {
	keys := o.env.keys
	switch {
	case key.Matches(press, keys.enter):
		return toSeek{accepts: o.accepts()}
	case key.Matches(press, keys.back):
		return toLobby{}
	case key.Matches(press, keys.joinWaiting):
		return o.env.join(o.now)
	case key.Matches(press, keys.digit) && !o.isRated():
		o.boards.at = int(press.String()[0] - '0')
	default:
		if !o.form.press(press, keys, o.selectors()) {
			return nil
		}
	}
	e := o.env
	e.choices.accepts = o.accepts()
	if o.boards.at > 0 && !o.isRated() {
		e.choices.terms.Variant = e.choices.accepts[0].Variant
	}
	o.noteUsualClock()
	return nil
}

func (o *opponentScreen) draw(s *draw.Canvas) {
	const width = 45 // of the form
	s.Page()
	area, step := s.Header("Play someone", o.env.player.Name), 3
	if s.Tall() {
		step = 4
	}
	if s.Roomy() {
		chosen, waiting := cards(area, 3*step+3, width)
		if s.Wide() {
			left, preview := wideColumns(area)
			drawPreview(s, preview, o.accepts()[0].Variant, o.env.settings.digits)
			chosen, waiting = stack(left, 3*step+3)
			waiting, _ = stack(waiting, waiting.Height-2)
		}
		area = s.Card(chosen, draw.Grid, "Your match", draw.Strong).Lower(1)
		o.drawWaiting(s, s.Card(waiting, draw.Grid, "Waiting now", draw.Strong).Lower(1))
	} else {
		area = area.Lower(1).Middle(3*step + 1).Column(smallForm)
	}
	o.form.draw(s, area, step, 3, o.selectors())
	if o.isRated() {
		terms := match.RatedTerms(match.PeoplePool)
		text := wording.Capital(wording.Variant(terms.Variant)) + ", " + wording.Clock(terms.Clock) +
			". The openings are random, and each of you starts once."
		s.Paragraph(area.X+2, area.Y+step, area.Width-4, draw.Faint, text)
	}
}

// drawWaiting lists who waits, and for what.
func (o *opponentScreen) drawWaiting(s *draw.Canvas, area draw.Rect) {
	if o.now.waiting.Count == 0 {
		s.Paragraph(area.X, area.Y, area.Width, draw.Faint, "Nobody is waiting just now. Your terminal beeps when "+
			"someone joins, and you can play the computer meanwhile.")
		return
	}
	y := area.Y
	for _, w := range o.now.waiting.First {
		s.Text(area.X, y, draw.Good, s.Fit(w.Name, area.Width))
		y = s.Paragraph(area.X+2, y+1, area.Width-2, draw.Plain, wording.AcceptsWithClocks(w.Accepts))
	}
	if others := o.now.waiting.Count - len(o.now.waiting.First); others > 0 {
		s.Text(area.X, y, draw.Faint, "and "+wording.Count(others, "other", "others"))
		y++
	}
	first := o.now.waiting.First[0]
	s.Hint(area.X, y+1, o.env.keys.joinWaiting.Help().Key, "join "+s.Fit(first.Name, area.Width-7))
}

// notice tells who waits where there is no room for a list.
func (o *opponentScreen) notice() (string, draw.Role) {
	if o.env.roomy() || o.now.waiting.Count == 0 {
		return "", draw.Plain
	}
	return o.env.waitingText(o.now), draw.Good
}

func (o *opponentScreen) title() string { return "Play someone" }

// ShortHelp is part of help.KeyMap.
func (o *opponentScreen) ShortHelp() []key.Binding {
	k := o.env.keys
	return []key.Binding{k.choose, k.change, renamed(k.enter, "find"), k.back, k.help}
}

// FullHelp is part of help.KeyMap.
func (o *opponentScreen) FullHelp() [][]key.Binding {
	k := o.env.keys
	return [][]key.Binding{
		{
			k.choose, k.change, renamed(k.shortcuts, "boards"), renamed(k.enter, "find an opponent"), k.joinWaiting, k.back,
		},
		o.env.settingsOf(),
	}
}
