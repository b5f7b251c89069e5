package tui

import (
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/wording"
)

// tableScreen is a match that is being played, for a player or for someone who looks on.
type tableScreen struct {
	session *session
	sitting *sitting
	cursor  pointer
	pending int    // the ply that a move is on its way for, 0 for none
	lulled  int    // the number of moves after which the last lull began
	said    string // who has come or gone
	present [2]bool
	told    int       // the number of moves after which it was last said that it is the other's turn
	now     time.Time // of the last second that was counted
	tickAt  time.Time // of the next; zero if none is
}

func newTable(s *session, at *sitting) *tableScreen {
	t := &tableScreen{session: s, sitting: at, cursor: pointer{0, 5}, told: len(at.Moves)}
	t.cursor = t.cursor.settle(at.Position)
	t.present = t.presence()
	return t
}

func (t *tableScreen) at() *sitting { return t.sitting }

func (t *tableScreen) enter() tea.Cmd { return t.count() }

func (t *tableScreen) presence() [2]bool {
	return [2]bool{t.sitting.Chair(rules.First).Present, t.sitting.Chair(rules.Second).Present}
}

func (t *tableScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case *snapped:
		return t.news()
	case lasting:
		t.told = max(t.told, msg.moves)
	case cleared:
		return toLobby{"The table has closed; it is kept."}, nil
	case refused:
		t.pending = 0
	case ticked:
		if t.now = msg.now; !t.now.Before(t.tickAt) {
			t.tickAt = time.Time{}
		}
		return untroubled{}, t.count()
	case tea.MouseClickMsg:
		return nil, t.click(msg)
	case tea.KeyPressMsg:
		return t.press(msg)
	}
	return nil, nil
}

// news looks at what a new snapshot has changed.
func (t *tableScreen) news() (navigation, tea.Cmd) {
	if t.sitting.Over() {
		return toResult{t.sitting}, nil
	}
	t.cursor = t.cursor.settle(t.sitting.Position)
	now := t.presence()
	for i, here := range now {
		side := rules.Side(i + 1)
		if here == t.present[i] || side == t.sitting.side {
			continue
		}
		t.said = t.sitting.Chair(side).Player.Name + " is back."
		if !here {
			t.said = ""
		}
	}
	t.present = now
	return nil, together(t.count(), t.lull())
}

// left is how long the player to move may stay away before the match is lost; counting says whether that runs at all.
func (t *tableScreen) left() (left time.Duration, counting bool) {
	if t.sitting.LostAt.IsZero() || t.sitting.mine() {
		return 0, false
	}
	return max(0, t.sitting.LostAt.Sub(t.now)), true
}

// lastMinute is when the time for a move is short, and told by the second.
const lastMinute = time.Minute

// limit returns how much of the time for a move is left; ok says whether there is a limit.
func (t *tableScreen) limit() (left time.Duration, ok bool) {
	if t.sitting.MoveBy.IsZero() {
		return 0, false
	}
	return max(0, t.sitting.MoveBy.Sub(t.now)), true
}

// count has the seconds counted while someone's time to come back or to move runs out, and at no other time.
func (t *tableScreen) count() tea.Cmd {
	t.now = t.session.wishes.now()
	_, counting := t.left()
	left, limited := t.limit()
	if !counting && !limited {
		return nil
	}
	pause := time.Second
	if !counting {
		pause = max(pause, left-lastMinute)
	}
	if at := t.now.Add(pause); t.tickAt.IsZero() || at.Before(t.tickAt) {
		t.tickAt = at
		return t.session.wishes.tickIn(pause, t)
	}
	return nil
}

// limitText says how much of the time for a move is left once it is short.
func (t *tableScreen) limitText() (string, ink) {
	left, limited := t.limit()
	if !limited || left > lastMinute {
		return "", faint
	}
	s, first := strconv.Itoa(wording.Seconds(left))+" s", t.sitting.IsFirstMove()
	who := t.sitting.Chair(t.sitting.Turn()).Player.Name
	switch {
	case t.sitting.mine() && first:
		move := "Your first move: " + s + " left"
		return t.session.either(move+", then the match is void.", move+"."), notice
	case t.sitting.mine():
		return t.session.either(s+" left for your move, or you lose.", s+" left to move."), notice
	case first && !t.sitting.Chair(t.sitting.Turn()).Present:
		return t.session.either(who+" is away: "+s+" for the first move.", who+" is away: "+s+"."), notice
	case first:
		return t.session.either(who+" has "+s+" for the first move.", who+": "+s+" to move."), faint
	default:
		return t.session.either(who+" has "+s+" left to move.", who+": "+s+" to move."), faint
	}
}

func (t *tableScreen) notice() (string, ink) {
	if t.sitting.gone {
		return "The table has closed.", notice
	}
	if t.sitting.CutOff {
		return cutOffText(t.session), notice
	}
	if left, counting := t.left(); counting {
		who := t.sitting.Chair(t.sitting.Turn()).Player.Name
		s := strconv.Itoa(wording.Seconds(left)) + " s to come back"
		return t.session.either(who+" is away: "+s+", or lose the match.", who+": "+s), notice
	}
	if text, ink := t.limitText(); text != "" {
		return text, ink
	}
	for i, here := range t.present {
		if chair := t.sitting.Chair(rules.Side(i + 1)); !here && rules.Side(i+1) != t.sitting.side && !chair.Player.IsComputer() {
			return t.session.either(chair.Player.Name+" is away. The seat is kept.", chair.Player.Name+" is away."), faint
		}
	}
	if t.said == "" && !t.session.roomy() {
		return footnote(t.session, t.sitting), faint
	}
	return t.said, faint
}

func (t *tableScreen) title() string {
	if t.sitting.watching() {
		return "Watching"
	}
	return ""
}

// ShortHelp is part of help.KeyMap.
func (t *tableScreen) ShortHelp() []key.Binding {
	k := t.session.keys
	switch {
	case t.sitting.watching():
		return k.looking
	case t.sitting.Variant.Boards() > 1 && t.session.roomy():
		return k.playing
	case t.sitting.Variant.Boards() > 1:
		return k.cramped
	case t.session.roomy():
		return k.playingOne
	default:
		return k.crampedOne
	}
}

// FullHelp is part of help.KeyMap.
func (t *tableScreen) FullHelp() [][]key.Binding {
	k := t.session.keys
	switch {
	case t.sitting.watching():
		return [][]key.Binding{{k.leave}, k.settings()}
	case t.sitting.Variant.Boards() == 1:
		return [][]key.Binding{{k.move, k.byLetters, k.place, k.bySpace, k.digit, k.resign, k.leave}, k.settings()}
	default:
		return [][]key.Binding{{
			k.move, k.byLetters, k.place, k.bySpace, k.digit, k.board, renamed(k.nextBoard, "next board"), k.prevBoard, k.resign, k.leave,
		}, k.settings()}
	}
}
