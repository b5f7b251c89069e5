package tui

import (
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// ShortHelp is part of help.KeyMap.
func (t *tableScreen) ShortHelp() []key.Binding {
	k := t.session.keys
	switch {
	case t.table.IsWatching():
		return k.hints.watching
	case t.table.Variant.Boards() > 1 && t.session.roomy():
		return k.hints.playing
	case t.table.Variant.Boards() > 1:
		return k.hints.cramped
	case t.session.roomy():
		return k.hints.playingOne
	default:
		return k.hints.crampedOne
	}
}

// FullHelp is part of help.KeyMap.
func (t *tableScreen) FullHelp() [][]key.Binding {
	k := t.session.keys
	switch {
	case t.table.IsWatching():
		return [][]key.Binding{{k.leave}, k.settings()}
	case t.table.Variant.Boards() == 1:
		return [][]key.Binding{{k.move, k.byLetters, k.place, k.bySpace, k.digit, k.resign, k.leave}, t.settings()}
	default:
		return [][]key.Binding{{
			k.move, k.byLetters, k.place, k.bySpace, k.digit, k.board, renamed(k.nextBoard, "next board"), k.prevBoard, k.resign, k.leave,
		}, t.settings()}
	}
}

// settings are the keys that mean the same everywhere, and the one that shows the deadly cells.
func (t *tableScreen) settings() []key.Binding {
	if t.table.Variant.IsTicTacToe() {
		return t.session.keys.settings()
	}
	return append([]key.Binding{t.session.keys.deadly}, t.session.keys.settings()...)
}

func (t *tableScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys := t.session.keys
	t.status = ""
	switch {
	case key.Matches(press, keys.leave):
		return t.leave(), nil
	case t.table.IsWatching():
		return nil, nil
	case key.Matches(press, keys.resign):
		return ask{newDialog(t.session, dialog{
			question: "Resign this match?", lines: []string{opponent(t.table) + " wins then."},
			yes: giveUp{t.table}, yesText: "resign", noText: "play on",
		})}, nil
	case key.Matches(press, keys.deadly):
		return nil, t.toggleDeadly()
	case key.Matches(press, keys.place):
		return nil, t.place(t.cursor.move())
	case key.Matches(press, keys.digit):
		t.cursor.cell = t.session.choices.digits.Cell(t.table.Variant, press.String()[0])
		return nil, t.place(t.cursor.move())
	}
	moveCursor(t, press)
	return nil, nil
}

// toggleDeadly shows the cells that kill a board, or hides them again. Between people they are shown to both, for good.
func (t *tableScreen) toggleDeadly() tea.Cmd {
	s := t.session
	switch {
	case t.table.Variant.IsTicTacToe():
		t.status = "No board dies in tic-tac-toe."
	case !t.table.IsAgainstComputer() && t.table.RevealedBy() != rules.Nobody:
		t.status = "Both of you see the deadly cells."
	case !t.table.IsAgainstComputer():
		return s.commands.act(t.table, t.table.Reveal)
	default:
		isShown := s.showsDeadly(t.table)
		s.choices.deadly = deadlyShown
		if isShown {
			s.choices.deadly = deadlyHidden
		}
		t.status = onOff("Deadly cells", !isShown)
	}
	return nil
}

// moveCursor moves the cursor.
func moveCursor(t *tableScreen, press tea.KeyPressMsg) {
	keys, p := t.session.keys, t.table.Position
	switch {
	case key.Matches(press, keys.up):
		t.cursor = t.cursor.step(direction{0, -1}, t.boards(), p)
	case key.Matches(press, keys.down):
		t.cursor = t.cursor.step(direction{0, 1}, t.boards(), p)
	case key.Matches(press, keys.left):
		t.cursor = t.cursor.step(direction{-1, 0}, t.boards(), p)
	case key.Matches(press, keys.right):
		t.cursor = t.cursor.step(direction{1, 0}, t.boards(), p)
	case key.Matches(press, keys.nextBoard):
		t.cursor = t.cursor.cycle(1, p)
	case key.Matches(press, keys.prevBoard):
		t.cursor = t.cursor.cycle(-1, p)
	case key.Matches(press, keys.board):
		pickBoard(t, int(press.String()[0]-'A'))
	}
}

// pickBoard goes to a board by its name.
func pickBoard(t *tableScreen, board int) {
	switch p := t.table.Position; {
	case board >= p.Variant().Boards():
		t.status = "There is no board " + rules.BoardName(board) + "."
	case p.Dead(board):
		t.status = "Board " + rules.BoardName(board) + " is dead."
	default:
		t.cursor.board = board
	}
}

// place asks for a move, unless it was typed before the opponent's could be seen. Nothing is shown of it until it is
// recorded, and there is one on its way at most: until the snapshot that has it, which may come before the word that
// the command was granted.
func (t *tableScreen) place(m rules.Move) tea.Cmd {
	ply := len(t.table.Moves) + 1
	switch {
	case t.pending == ply || t.table.IsGone():
		return nil
	case t.table.IsMyTurn() && time.Since(t.turnShownAt) < t.session.inFlight():
		t.status = "It is your turn now: look, then press again."
		return nil
	}
	t.pending = ply
	return t.session.commands.act(t.table, func(ctx context.Context) error { return t.table.Play(ctx, m) })
}

func (t *tableScreen) click(click tea.MouseClickMsg) tea.Cmd {
	m, onCell := t.boards().Hit(click.X, click.Y)
	if !onCell || t.table.IsWatching() || t.table.Position.Dead(int(m.Board)) {
		return nil
	}
	t.cursor = pointer{int(m.Board), m.Cell}
	return t.place(m)
}

// leave asks before a player goes; a spectator just goes.
func (t *tableScreen) leave() navigation {
	if t.table.IsWatching() {
		return toLobby{}
	}
	return ask{newDialog(t.session, dialog{
		question: "Leave the table?", lines: []string{keptText(t.session, t.table) + " The lobby leads back here."},
		yes: toLobby{}, yesText: "leave", noText: "stay",
	})}
}

// keptText says what becomes of a match that is left.
func keptText(s *session, at *client.Table) string {
	if at.IsAgainstComputer() {
		return "The match is kept for a day."
	}
	return fmt.Sprintf("Your seat is kept; you have %d s when it is your turn.", wording.Seconds(s.grace()))
}

// quitDialog asks before the session ends.
func quitDialog(at *client.Table, s *session) *dialog {
	d := &dialog{question: "Quit Notakto?", yes: quit{}, yesText: "quit", noText: "stay"}
	if at != nil && !at.IsWatching() && at.Started() && !at.Over() {
		d.lines = []string{keptText(s, at)}
	}
	return d
}
