package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/wording"
)

// tableKeys holds the values on which the actions of a table depend and which can change during a match.
type tableKeys struct {
	keys                             *keyMap
	isRoomy, isWatching, showsDeadly bool
}

// actions rebuilds the list only if tableKeys has changed: the functions cost an allocation each, and every frame and
// key needs the list.
func (t *tableScreen) actions() []action {
	e := t.env
	now := tableKeys{e.keys, e.roomy(), t.table.IsWatching(), e.showsDeadly(t.table)}
	if t.listedFor != now {
		t.listedFor, t.listed = now, t.newActions(now)
	}
	return t.listed
}

func (t *tableScreen) newActions(now tableKeys) []action {
	e, k, v := t.env, t.env.keys, t.table.Variant
	leave := action{key: &k.leave, short: "leave", long: e.either("leave the table", "leave"), do: t.leave}
	if now.isWatching {
		return []action{{key: &k.theme, short: "colours"}, leave}
	}
	isRoomy, hasBoards, isDeadlyListed := now.isRoomy, v.Boards() > 1, !v.IsTicTacToe() && !t.table.Pool.IsRated()
	deadly := "deadly cells: off"
	if now.showsDeadly {
		deadly = "deadly cells: on"
	}
	cycle := navigation(t.cycleBoards)
	moves, places := e.either("move the cursor", "move"), e.either("place your X", "place X")
	return []action{
		{key: &k.move, short: when(isRoomy, "move"), long: moves, do: func(*Root) tea.Cmd {
			t.cursor = t.cursor.step(e.arrow(), t.boards(), t.table.Position)
			return nil
		}},
		{key: &k.byLetters, long: when(isRoomy, moves)},
		{key: &k.digit, short: "place", long: e.either("place your X there", "place X"), do: t.placeDigit},
		{key: &k.boards[v.Boards()-1], long: when(hasBoards, e.either("go to board", "to board")), do: t.pickBoard},
		{key: &k.nextBoard, short: when(hasBoards, "board"), long: when(hasBoards, "next board"), do: cycle},
		{key: &k.boardBefore, long: when(hasBoards && isRoomy, "previous board"), do: cycle},
		{key: &k.enter, long: places, do: t.placeAtCursor},
		{key: &k.bySpace, long: when(isRoomy, places)},
		{
			key: &k.deadly, short: when(isRoomy && isDeadlyListed, "deadly cells"),
			long: when(isDeadlyListed, deadly), setting: true, do: t.toggleDeadly,
		},
		{
			key: &k.resign, short: when(isRoomy, "resign"), long: e.either("resign the match", "resign"),
			do: t.askToResign,
		},
		leave,
	}
}

func (t *tableScreen) press(r *Root) tea.Cmd {
	isRefused := t.refused && t.env.pressed(&t.env.keys.digit) // the digit was meant for the board that was refused
	t.refused = false
	if isRefused {
		return nil
	}
	t.status = nil
	return r.do(t.actions())
}

func (t *tableScreen) askToResign(r *Root) tea.Cmd {
	return r.ask(dialog{
		question: "Resign this match?", lines: []string{wording.Resigning(t.table.State, opponent(t.table))},
		yes: t.env.giveUp(t.table), givesUp: true, yesText: "resign", noText: "play on",
	})
}

// toggleDeadly shows or hides the deadly cells. Between people it asks first, because both players then see them until
// the end.
func (t *tableScreen) toggleDeadly(r *Root) tea.Cmd {
	e := t.env
	switch {
	case t.table.Variant.IsTicTacToe():
		t.status = []string{"No board dies in tic-tac-toe."}
	case t.table.Pool.IsRated():
		return r.say(wording.ForError(match.ErrRated).Short)
	case t.table.CanReveal():
		return r.ask(dialog{
			question: "Show the deadly cells?",
			lines:    []string{"You and " + opponent(t.table) + " both see them, to the end of the match."},
			yes:      func(*Root) tea.Cmd { return e.act(t.table, t.table.Reveal) },
			yesText:  "show them", noText: "play on",
		})
	case !t.table.IsAgainstComputer():
		t.status = []string{"Both of you see the deadly cells."}
	default:
		isShown := e.showsDeadly(t.table)
		e.settings.deadly = deadlyShown
		if isShown {
			e.settings.deadly = deadlyHidden
		}
		t.status = []string{onOff("Deadly cells", !isShown) + "."}
	}
	return nil
}

func (t *tableScreen) cycleBoards(*Root) tea.Cmd {
	by := 1
	if t.env.pressed(&t.env.keys.boardBefore) {
		by = -1
	}
	t.cursor = t.cursor.cycle(by, t.table.Position)
	return nil
}

func (t *tableScreen) pickBoard(*Root) tea.Cmd {
	board := int(t.env.attention.key[0] - 'A')
	t.refused = true
	switch p := t.table.Position; {
	case board >= p.Variant().Boards():
		t.status = []string{"There is no board " + rules.BoardName(board) + "."}
	case p.Dead(board):
		t.status = []string{"Board " + rules.BoardName(board) + " is dead."}
	default:
		t.cursor.board, t.refused, t.switchedAt = board, false, time.Time{}
	}
	return nil
}

func (t *tableScreen) placeAtCursor(*Root) tea.Cmd {
	if t.cursor.byItself && t.isUnseen(t.turnShownAt) || t.isStray() {
		t.tellToLook()
		return nil
	}
	return t.place(t.cursor.move())
}

func (t *tableScreen) placeDigit(*Root) tea.Cmd {
	if t.isStray() || t.isUnseen(t.switchedAt) {
		t.tellToLook()
		return nil
	}
	t.cursor.cell = t.env.cellOf(t.table.Variant)
	return t.place(t.cursor.move())
}

func (t *tableScreen) isUnseen(since time.Time) bool { return time.Since(since) < t.env.answerDelay() }

// isStray reports whether the last key cannot be meant as a move. Such a key was first pressed before the player could
// see the boards or the opponent's move.
func (t *tableScreen) isStray() bool {
	e, a := t.env, &t.env.attention
	return t.table.IsMyTurn() &&
		(a.beganBefore(a.uncoveredAt.Add(e.answerDelay())) || a.beganBefore(t.turnShownAt.Add(e.inFlight())))
}

func (t *tableScreen) tellToLook() {
	t.status = []string{"It is your turn now: look, then press the key again.", "Your turn has come: press again."}
}

// place sends a move, unless the key was pressed before the player could see the opponent's move. At most one move is
// pending, until a snapshot contains it.
func (t *tableScreen) place(m rules.Move) tea.Cmd {
	ply := len(t.table.Moves) + 1
	switch {
	case t.pending == ply || t.table.IsGone():
		return nil
	case !t.table.IsMyTurn(): // also if the opponent's move has not arrived yet
		return func() tea.Msg { return failed{t.table, match.ErrNotYourTurn} }
	case time.Since(t.turnShownAt) < t.env.inFlight():
		t.tellToLook()
		return nil
	}
	t.pending = ply
	return t.env.act(t.table, func(ctx context.Context) error { return t.table.Play(ctx, m) })
}

func (t *tableScreen) click(click tea.MouseClickMsg) tea.Cmd {
	m, onCell := t.boards().Hit(click.X, click.Y)
	if !onCell || t.table.IsWatching() || t.table.Position.Dead(int(m.Board)) {
		return nil
	}
	if t.isUnseen(t.env.attention.uncoveredAt) {
		t.tellToLook()
		return nil
	}
	t.cursor, t.status = cursor{board: int(m.Board), cell: m.Cell}, nil
	return t.place(m)
}

func (t *tableScreen) leave(r *Root) tea.Cmd {
	if t.table.IsWatching() {
		return r.enterLobby("")
	}
	return r.ask(dialog{
		question: "Leave the table?", lines: []string{keptText(t.table, t.env) + " The first screen leads back here."},
		yes: toLobby, yesText: "leave", noText: "stay",
	})
}
