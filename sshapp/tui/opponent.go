package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// opponentScreen is the form for an opponent in the queue. It also shows who waits there.
type opponentScreen struct {
	page
	form
	kind, boards, clock selector
	asked               match.Clock // the clock asked for in the command line; none for the usual clocks
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
	askedClock // only for a player who asked for a clock in the command line
)

func newOpponent(e *env) *opponentScreen {
	o := &opponentScreen{
		page: page{e, "Play someone"},
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
	o.rows, o.row = o.selectors, len(o.selectors())
	o.noteUsualClock()
	return o
}

func (o *opponentScreen) noteUsualClock() {
	o.clock.notes[usualClock] = wording.Capital(wording.ClocksEach(o.withClock(usualClock))) + ", or no clock."
}

func (o *opponentScreen) enter() tea.Cmd { return o.env.list() }

func (o *opponentScreen) isRated() bool { return o.kind.at == ratedPair }

// selectors returns the shown selectors. A rated pair has fixed terms, so only kind is shown.
func (o *opponentScreen) selectors() []*selector {
	if o.isRated() {
		return []*selector{&o.kind}
	}
	return []*selector{&o.kind, &o.boards, &o.clock}
}

func (o *opponentScreen) accepts() []match.Terms {
	if o.isRated() {
		return []match.Terms{match.RatedTerms(match.PeoplePool)}
	}
	return o.withClock(o.clock.at)
}

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

func (o *opponentScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listed:
		o.now = msg.now
		return o.env.requestList(msg.now)
	case failed:
		return o.env.list()
	case tea.KeyPressMsg:
		return r.do(o.actions())
	}
	return nil
}

func (o *opponentScreen) actions() []action {
	k := o.env.keys
	return []action{
		{key: &k.choose, short: "choose", long: "choose", do: o.step},
		{key: &k.change, short: "change", long: "change", do: func(r *Root) tea.Cmd {
			o.turn(r)
			if o.row < len(o.selectors()) {
				o.keep()
			}
			return nil
		}},
		{key: &k.digit, long: "boards", do: func(*Root) tea.Cmd {
			if !o.isRated() {
				o.boards.at = o.env.digit()
				o.keep()
			}
			return nil
		}},
		{key: &k.enter, short: "find", long: "find an opponent", do: func(r *Root) tea.Cmd {
			return r.seek(seekRequest{accepts: o.accepts()})
		}},
		{key: &k.joinWaiting, long: "join", do: func(r *Root) tea.Cmd { return r.joinFirst(o.now) }},
		{key: &k.back, short: "back", long: "back", do: toLobby},
	}
}

func (o *opponentScreen) keep() {
	e := o.env
	e.choices.accepts = o.accepts()
	if o.boards.at > 0 && !o.isRated() {
		e.choices.terms.Variant = e.choices.accepts[0].Variant
	}
	o.noteUsualClock()
}

func (o *opponentScreen) draw(s *draw.Canvas) {
	step, area := s.Pick(3, 3, 4), o.header(s)
	area, waiting := o.frame(s, o.env, area, 3, step, 3, 45, "Waiting now", o.accepts()[0].Variant)
	if s.Roomy() {
		o.drawWaiting(s, waiting)
	}
	o.form.draw(s, area, step, 3)
	if o.isRated() {
		terms := match.RatedTerms(match.PeoplePool)
		text := wording.Capital(wording.Variant(terms.Variant)) + ", " + wording.Clock(terms.Clock) +
			". The openings are random, and each of you starts once."
		s.Paragraph(area.X+2, area.Y+step, area.Width-4, draw.Faint, text)
	}
}

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

func (o *opponentScreen) notice() (string, draw.Role) {
	if o.env.roomy() || o.now.waiting.Count == 0 {
		return "", draw.Plain
	}
	return o.env.waitingText(o.now), draw.Good
}
