package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// opponentScreen is the form for an opponent in the queue, beside a list of the waiting players.
type opponentScreen struct {
	page
	form
	kind, boards, clock selector
	askedClock          match.Clock // the clock asked for in the command line, or no clock
	activity            serverActivity
	cachedActions       cachedActions[*keyMap]
}

// The options of the selectors kind and clock.
const (
	casual = iota
	ratedPair
	withPeople   // a casual match
	withPrograms // a casual match
)

// meetsOptions are the opponents that each option of the selector kind stands for.
var meetsOptions = [...]lobby.Meets{
	casual: "", ratedPair: "", withPeople: lobby.MeetsPeople, withPrograms: lobby.MeetsPrograms,
}

const (
	usualClock = iota
	withoutClock
	namedClock // only for a player with a clock in the command line
)

func newOpponent(e *env) *opponentScreen {
	o := &opponentScreen{
		page: page{e, "Play someone"},
		form: form{starts: "find an opponent"},
		kind: selector{
			label: "Match", options: []string{"casual", "rated pair", "with people", "with programs"},
			notes: []string{
				"One unrated match.", "Two rated games. You each start one.",
				"One unrated match against a person.", "One unrated match against a program.",
			},
			chosen: slices.Index(meetsOptions[:], e.choices.meets),
		},
		boards: boardsSelector(match.Terms{}),
		clock: selector{
			label: "Clock", options: []string{"usual", "none"}, notes: []string{"", "No clock for either of you."},
		},
	}
	usual := match.DefaultAccepted()
	o.boards.options = slices.Insert(o.boards.options, 0, wording.Accepts(usual))
	o.boards.notes = slices.Insert(o.boards.notes, 0, "Whatever you both like best.")
	o.boards.chosen = 0
	accepts := e.choices.accepts
	for i, variant := range variants() {
		if !slices.ContainsFunc(accepts, func(t match.Terms) bool { return t.Variant != variant }) {
			o.boards.chosen = i + 1
		}
	}
	isUntimed := func(t match.Terms) bool { return t.Clock.IsNone() }
	switch {
	case accepts[0].Pool.IsRated():
		o.kind.chosen, o.boards.chosen = ratedPair, 0
	case !slices.ContainsFunc(accepts, isUntimed):
		o.askedClock, o.clock.chosen = accepts[0].Clock, namedClock
		o.clock.options = append(o.clock.options, o.askedClock.String())
		o.clock.notes = append(o.clock.notes, wording.Capital(wording.Clock(o.askedClock))+".")
	case isUntimed(accepts[0]):
		o.clock.chosen = withoutClock
	}
	o.rows, o.row = o.selectors, len(o.selectors())
	o.noteUsualClock()
	return o
}

func (o *opponentScreen) noteUsualClock() {
	o.clock.notes[usualClock] = wording.Capital(wording.AcceptedClocksShort(o.withClock(usualClock))) + ", or no clock."
}

func (o *opponentScreen) enter() tea.Cmd { return o.env.readActivity() }

func (o *opponentScreen) isRated() bool { return o.kind.chosen == ratedPair }

// selectors returns the shown selectors. A rated pair shows only kind, because its terms are fixed.
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
	return o.withClock(o.clock.chosen)
}

func (o *opponentScreen) withClock(clock int) []match.Terms {
	all := match.DefaultAccepted()
	if o.boards.chosen > 0 {
		all = []match.Terms{{Variant: variants()[o.boards.chosen-1]}}
	}
	switch clock {
	case withoutClock:
		return all
	case namedClock:
		for i := range all {
			all[i].Clock = o.askedClock
		}
		return all
	default:
		return match.PreferClock(all)
	}
}

func (o *opponentScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case activityMsg:
		o.activity = msg.activity
		return o.env.awaitActivity(msg.activity)
	case failedMsg:
		return o.env.readActivity()
	case tea.KeyPressMsg:
		return r.runAction(o.actions())
	}
	return nil
}

func (o *opponentScreen) actions() []action { return o.cachedActions.get(o.env.keys, o.newActions) }

func (o *opponentScreen) newActions(keys *keyMap) []action {
	return []action{
		{key: &keys.choose, short: "choose", long: "choose", run: o.moveRow},
		{key: &keys.change, short: "change", long: "change", run: func(r *Root) tea.Cmd {
			o.changeOption(r)
			if o.row < len(o.selectors()) {
				o.keepChoices()
			}
			return nil
		}},
		{key: &keys.digit, long: "boards", run: func(*Root) tea.Cmd {
			if !o.isRated() {
				o.boards.chosen = o.env.pressedDigit()
				o.keepChoices()
			}
			return nil
		}},
		{key: &keys.enter, short: "find", long: "find an opponent", run: func(r *Root) tea.Cmd {
			return r.seekOpponent(seekRequest{o.accepts(), lobby.Options{Meets: o.env.choices.meets}})
		}},
		{key: &keys.joinWaiting, long: "join", run: func(r *Root) tea.Cmd { return r.joinFirst(o.activity) }},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

func (o *opponentScreen) keepChoices() {
	e := o.env
	e.choices.accepts, e.choices.meets = o.accepts(), meetsOptions[o.kind.chosen]
	if o.boards.chosen > 0 && !o.isRated() {
		e.choices.terms.Variant = e.choices.accepts[0].Variant
	}
	o.noteUsualClock()
}

func (o *opponentScreen) draw(s *draw.Canvas) {
	layout := formLayout{selectors: 3, step: s.Pick(3, 3, 4), below: 3, width: 45, besideTitle: "Waiting now"}
	area, waiting := layout.drawCards(s, o.header(s), o.env.previewOf(o.accepts()[0].Variant))
	if s.IsRoomy() {
		o.drawWaiting(s, waiting)
	}
	o.form.draw(s, area, &layout)
	if o.isRated() {
		terms := match.RatedTerms(match.PeoplePool)
		text := wording.Capital(wording.Variant(terms.Variant)) + ", " + wording.Clock(terms.Clock) +
			". The openings are random, and each of you starts once."
		s.Paragraph(area.X+2, area.Y+layout.step, area.Width-4, draw.Faint, text)
	}
}

func (o *opponentScreen) drawWaiting(s *draw.Canvas, area draw.Rect) {
	if o.activity.waiting.Count == 0 {
		s.Paragraph(area.X, area.Y, area.Width, draw.Faint, "Nobody is waiting. Your terminal beeps when someone "+
			"joins. You can play the computer until then.")
		return
	}
	y := area.Y
	for _, w := range o.activity.waiting.First {
		s.Text(area.X, y, draw.Good, cutName(s, w.Name, area.Width))
		y = s.Paragraph(area.X+2, y+1, area.Width-2, draw.Plain, wording.AcceptsWithClocks(w.Accepts))
	}
	if others := o.activity.waiting.Count - len(o.activity.waiting.First); others > 0 {
		s.Text(area.X, y, draw.Faint, "and "+wording.Count(others, "other", "others"))
		y++
	}
	first := o.activity.waiting.First[0]
	s.Hint(area.X, y+1, o.env.keys.joinWaiting.Help().Key, "join "+cutName(s, first.Name, area.Width-7))
}

func (o *opponentScreen) notice() (string, draw.Role) {
	if o.env.isRoomy() || o.activity.waiting.Count == 0 {
		return "", draw.Plain
	}
	return o.env.joinOfferText(o.activity), draw.Good
}
