package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// tableKey is a key of the table: its line of the help, its hint at the bottom, and what it does.
type tableKey struct {
	key.Binding
	// long is what the help says where there is room; empty for the text of Binding. hint is what the bottom says; empty
	// for a key that is not there, where there is room for few.
	long, hint string
	// setting is the line of a key that the help lists among the settings; nil for the others.
	setting       func(*tableScreen) string
	forSpectators bool                     // a spectator has it too
	hintNeedsRoom bool                     // the bottom has it only in windows with room to spare
	helpNeedsRoom bool                     // the help has it only where there is room
	isListed      func(*client.Table) bool // whether bottom and help have it
	do            tableAction              // nil if the row above handles the key
}

// tableAction is what a key of the table does.
type tableAction func(*tableScreen, tea.KeyPressMsg) (navigation, tea.Cmd)

// newTableKeys are the keys of the table, most needed first.
func (k *keyMap) newTableKeys() []tableKey {
	const moves, places = "move the cursor", "place your X"
	always := func(*client.Table) bool { return true }
	hasBoards := func(at *client.Table) bool { return at.Variant.Boards() > 1 }
	canShowDeadly := func(at *client.Table) bool { return !at.Variant.IsTicTacToe() && !at.Pool.IsRated() }
	return []tableKey{
		{Binding: k.move, long: moves, hint: "move", hintNeedsRoom: true, isListed: always,
			do: (*tableScreen).moveCursor},
		{Binding: k.byLetters, helpNeedsRoom: true, long: moves, isListed: always},
		{Binding: k.digit, long: "place your X there", hint: "place", isListed: always, do: (*tableScreen).placeDigit},
		{Binding: bind(letters('A', 'I'), allBoards, "to board"), long: "go to board", isListed: hasBoards,
			do: (*tableScreen).pickBoard},
		{Binding: bind([]string{"tab"}, "Tab", "next board"), hint: "board", isListed: hasBoards, do: cycleBoards(1)},
		{Binding: bind([]string{"shift+tab"}, "Shift-Tab", "previous board"), helpNeedsRoom: true, isListed: hasBoards,
			do: cycleBoards(-1)},
		{Binding: k.place, long: places, isListed: always, do: (*tableScreen).placeAtCursor},
		{Binding: k.bySpace, helpNeedsRoom: true, long: places, isListed: always},
		{Binding: bind([]string{"x"}, "x", "show deadly"), hint: "deadly cells", hintNeedsRoom: true,
			setting: (*tableScreen).deadlySetting, isListed: canShowDeadly, do: (*tableScreen).toggleDeadly},
		{Binding: bind([]string{"r"}, "r", "resign"), long: "resign the match", hint: "resign", hintNeedsRoom: true,
			isListed: always, do: (*tableScreen).askToResign},
		{Binding: k.leave, long: "leave the table", hint: "leave", forSpectators: true, isListed: always,
			do: (*tableScreen).leaveTable},
	}
}

// allBoards names the keys of the boards, of which a match may have fewer.
const allBoards = "A-I"

// has reports whether a key does something at the table for the player.
func (t *tableScreen) has(k tableKey) bool { return k.forSpectators || !t.table.IsWatching() }

// ShortHelp is part of help.KeyMap.
func (t *tableScreen) ShortHelp() []key.Binding {
	keys := t.env.keys
	hints := make([]key.Binding, 0, len(keys.table))
	for _, k := range keys.table {
		if k.hint == "" || !t.has(k) || !k.isListed(t.table) || k.hintNeedsRoom && !t.env.roomy() {
			continue
		}
		hints = append(hints, renamed(k.Binding, k.hint))
	}
	if t.table.IsWatching() {
		hints = slices.Insert(hints, 0, keys.theme)
	}
	return append(hints, keys.help)
}

// FullHelp is part of help.KeyMap.
func (t *tableScreen) FullHelp() [][]key.Binding {
	var own, settings []key.Binding
	e := t.env
	for _, k := range e.keys.table {
		what := k.Help().Desc
		switch {
		case k.helpNeedsRoom && !e.roomy():
		case !t.has(k) || !k.isListed(t.table):
		case k.setting != nil:
			settings = append(settings, renamed(k.Binding, k.setting(t)))
		default:
			binding := renamed(k.Binding, e.either(cmp.Or(k.long, what), what))
			if help := binding.Help(); help.Key == allBoards {
				binding.SetHelp("A-"+rules.BoardName(t.table.Variant.Boards()-1), help.Desc)
			}
			own = append(own, binding)
		}
	}
	return [][]key.Binding{own, append(settings, e.settingsOf()...)}
}

func (t *tableScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	if t.refused && key.Matches(press, t.env.keys.digit) { // it was meant for that board
		t.refused = false
		return nil, nil
	}
	t.status, t.refused = nil, false
	for _, k := range t.env.keys.table {
		if k.do != nil && t.has(k) && key.Matches(press, k.Binding) {
			return k.do(t, press)
		}
	}
	return nil, nil
}

// deadlySetting says in the help whether deadly cells are shown.
func (t *tableScreen) deadlySetting() string {
	return onOff("deadly cells:", t.env.showsDeadly(t.table))
}

// askToResign asks before a player resigns.
func (t *tableScreen) askToResign(_ tea.KeyPressMsg) (navigation, tea.Cmd) {
	return ask{newDialog(t.env, dialog{
		question: "Resign this match?", lines: []string{wording.Resigning(t.table.State, opponent(t.table))},
		yes: giveUp{t.table}, yesText: "resign", noText: "play on",
	})}, nil
}

// toggleDeadly shows the cells that kill a board, or hides them again. Between people they are shown to both, for good:
// it asks before.
func (t *tableScreen) toggleDeadly(_ tea.KeyPressMsg) (navigation, tea.Cmd) {
	e := t.env
	switch {
	case t.table.Variant.IsTicTacToe():
		t.status = forms{"No board dies in tic-tac-toe."}
	case t.table.Pool.IsRated():
		return say{wording.ForError(match.ErrRated).Short}, nil
	case t.table.CanReveal():
		return ask{newDialog(e, dialog{
			question: "Show the deadly cells?",
			lines:    []string{"You and " + opponent(t.table) + " both see them, to the end of the match."},
			yes:      reveal{t.table}, yesText: "show them", noText: "play on",
		})}, nil
	case !t.table.IsAgainstComputer():
		t.status = forms{"Both of you see the deadly cells."}
	default:
		isShown := e.showsDeadly(t.table)
		e.settings.deadly = deadlyShown
		if isShown {
			e.settings.deadly = deadlyHidden
		}
		t.status = forms{onOff("Deadly cells", !isShown) + "."}
	}
	return nil, nil
}

// moveCursor moves the cursor by one cell.
func (t *tableScreen) moveCursor(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys, to := t.env.keys, direction{}
	switch {
	case key.Matches(press, keys.up):
		to.dy = -1
	case key.Matches(press, keys.down):
		to.dy = 1
	case key.Matches(press, keys.left):
		to.dx = -1
	case key.Matches(press, keys.right):
		to.dx = 1
	}
	t.cursor = t.cursor.step(to, t.boards(), t.table.Position)
	return nil, nil
}

// cycleBoards goes to the next living board, or with -1 to the one before.
func cycleBoards(by int) tableAction {
	return func(t *tableScreen, _ tea.KeyPressMsg) (navigation, tea.Cmd) {
		t.cursor = t.cursor.cycle(by, t.table.Position)
		return nil, nil
	}
}

// pickBoard goes to a board by its name.
func (t *tableScreen) pickBoard(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	board := int(press.String()[0] - 'A')
	t.refused = true
	switch p := t.table.Position; {
	case board >= p.Variant().Boards():
		t.status = forms{"There is no board " + rules.BoardName(board) + "."}
	case p.Dead(board):
		t.status = forms{"Board " + rules.BoardName(board) + " is dead."}
	default:
		t.cursor.board, t.refused, t.switchedAt = board, false, time.Time{}
	}
	return nil, nil
}

func (t *tableScreen) placeAtCursor(_ tea.KeyPressMsg) (navigation, tea.Cmd) {
	if t.cursor.byItself && t.isUnseen(t.turnShownAt) || t.isStray() {
		t.tellToLook()
		return nil, nil
	}
	return nil, t.place(t.cursor.move())
}

// isUnseen reports whether the player cannot have seen yet what came up at a time.
func (t *tableScreen) isUnseen(since time.Time) bool { return time.Since(since) < t.env.answerDelay() }

// isStray reports whether the key that was pressed cannot be a move: it was pressed before the player could see the
// boards, or before the opponent's move, and may have been held down since then.
func (t *tableScreen) isStray() bool {
	e, a := t.env, &t.env.attention
	return t.table.IsMyTurn() &&
		(a.beganBefore(a.from.Add(e.answerDelay())) || a.beganBefore(t.turnShownAt.Add(e.inFlight())))
}

// tellToLook says to a player who pressed a key too early why it did nothing.
func (t *tableScreen) tellToLook() {
	t.status = forms{"It is your turn now: look, then press the key again.", "Your turn has come: press again."}
}

func (t *tableScreen) placeDigit(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	if t.isStray() || t.isUnseen(t.switchedAt) {
		t.tellToLook()
		return nil, nil
	}
	t.cursor.cell = t.env.settings.digits.Cell(t.table.Variant, press.String()[0])
	return nil, t.place(t.cursor.move())
}

// place asks for a move, unless it was typed before the opponent's could be seen. Nothing is shown of it until it is
// recorded, and there is one on its way at most: until the snapshot that has it, which may come before the word that
// the command was granted.
func (t *tableScreen) place(m rules.Move) tea.Cmd {
	ply := len(t.table.Moves) + 1
	switch {
	case t.pending == ply || t.table.IsGone():
		return nil
	case !t.table.IsMyTurn(): // also if the opponent has moved, but that is not shown yet
		return func() tea.Msg { return failed{t.table, match.ErrNotYourTurn} }
	case time.Since(t.turnShownAt) < t.env.inFlight():
		t.tellToLook()
		return nil
	}
	t.pending = ply
	return t.env.commands.act(t.table, func(ctx context.Context) error { return t.table.Play(ctx, m) })
}

func (t *tableScreen) click(click tea.MouseClickMsg) tea.Cmd {
	m, onCell := t.boards().Hit(click.X, click.Y)
	if !onCell || t.table.IsWatching() || t.table.Position.Dead(int(m.Board)) {
		return nil
	}
	if t.isUnseen(t.env.attention.from) {
		t.tellToLook()
		return nil
	}
	t.cursor, t.status = cursor{board: int(m.Board), cell: m.Cell}, nil
	return t.place(m)
}

// leaveTable asks before a player goes; a spectator just goes.
func (t *tableScreen) leaveTable(_ tea.KeyPressMsg) (navigation, tea.Cmd) {
	if t.table.IsWatching() {
		return toLobby{}, nil
	}
	return ask{newDialog(t.env, dialog{
		question: "Leave the table?", lines: []string{keptText(t.table, t.env) + " The first screen leads back here."},
		yes: toLobby{}, yesText: "leave", noText: "stay",
	})}, nil
}
