package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// actionState holds the values that determine the actions of a table and can change during a match.
type actionState struct {
	keys                             *keyMap
	isRoomy, isWatching, showsDeadly bool
	asked                            match.Kind // see [match.State.RequestTo]
	isWaitedFor                      bool       // another match waits for the player's move
	isOnly                           bool       // a demonstration, while there is no match to watch
}

func (t *tableScreen) actions() []action {
	e := t.env
	return t.cachedActions.get(actionState{
		e.keys, e.isRoomy(), t.table.IsWatching(), e.showsDeadly(t.table), t.table.RequestTo(t.table.Side),
		t.leadsOn() && len(e.matches.waiting()) > 0,
		t.table.IsDemonstration() && e.client.NextMatch(t.table.ID, e.player.ID) == "",
	}, t.newActions)
}

func (t *tableScreen) newActions(now actionState) []action {
	e, keys, v := t.env, t.env.keys, t.table.Variant
	leave := action{key: &keys.leave, short: "leave", long: e.either("leave the table", "leave"), run: t.leave}
	if now.isWatching {
		next := action{
			key: &keys.nextMatch, short: textIf(!now.isOnly, e.either("next match", "next")),
			long: textIf(!now.isOnly, "next match"),
			run:  func(r *Root) tea.Cmd { return r.watchNext(t.table) },
		}
		return []action{next, {key: &keys.theme, short: "colours"}, leave}
	}
	isRoomy, isDeadlyListed := now.isRoomy, !v.IsTicTacToe() && !t.table.Pool.IsRated()
	deadly := "deadly cells: off"
	if now.showsDeadly {
		deadly = "deadly cells: on"
	}
	isCasual, isAsked, takeback, hint := !t.table.Pool.IsRated(), now.asked != 0, "takeback", "hint"
	switch now.asked {
	case match.TakebackOffered:
		takeback = "agree"
	case match.HintsOffered:
		hint = "agree"
	}
	next, decline := action{key: &keys.decline}, action{
		key: &keys.decline, short: textIf(isAsked && isRoomy, "decline"), long: textIf(isAsked, "decline"),
		run: t.askFor(match.Declined),
	}
	if now.isWaitedFor && !isAsked {
		decline = action{key: &keys.nextMatch}
		next = action{key: &keys.nextMatch, short: "next match", long: "next match", run: goToNextWaiting}
	}
	return append(t.placing().actions(v), []action{
		next,
		{
			key: &keys.deadly, short: textIf(isRoomy && isDeadlyListed, "danger"),
			long: textIf(isDeadlyListed, deadly), setting: true, run: t.toggleDeadly,
		},
		{
			key: &keys.takeback, short: textIf(isCasual && isRoomy, takeback), long: textIf(isCasual, takeback),
			run: t.askFor(match.TakebackOffered),
		},
		{
			key: &keys.hint, short: textIf(isCasual && isRoomy, hint), long: textIf(isCasual, hint),
			run: t.askFor(match.HintsOffered),
		},
		decline,
		{
			key: &keys.resign, short: textIf(isRoomy, "resign"), long: e.either("resign the match", "resign"),
			run: t.askToResign,
		},
		t.placing().moveHint(),
		leave,
	}...)
}

func (t *tableScreen) placing() placing {
	return placing{
		env: t.env, cursor: &t.cursor, verb: "place", long: t.env.either("place your X", "place X"),
		shown: func() (rules.Position, draw.Arrangement) { return t.table.Position, t.boards() },
		say:   func(text string) { t.status = []string{text} },
		place: t.choose,
	}
}

// leadsOn reports whether the key for the next match leaves this one, because no opponent waits at the table.
func (t *tableScreen) leadsOn() bool {
	return t.table.Clock.IsCorrespondence() || t.table.IsAgainstComputer()
}

func (t *tableScreen) press(r *Root) tea.Cmd {
	t.status, t.hint = nil, nil
	return r.runAction(t.actions())
}

func (t *tableScreen) askToResign(r *Root) tea.Cmd {
	return r.ask(dialog{
		question: "Resign this match?", lines: []string{wording.Resigning(t.table.State, opponentName(t.table))},
		yes: t.env.giveUp(t.table), givesUp: true, yesText: "resign", noText: "play on",
	})
}

// toggleDeadly shows or hides the deadly cells. In a match between people it asks first, because from then on both
// players see the deadly cells until the end.
func (t *tableScreen) toggleDeadly(r *Root) tea.Cmd {
	e := t.env
	switch {
	case t.table.Variant.IsTicTacToe():
		t.status = []string{"No board dies in tic-tac-toe."}
	case t.table.Pool.IsRated():
		return r.say(wording.Explain(match.ErrRated).Short)
	case t.table.CanReveal():
		return r.ask(dialog{
			question: "Show the deadly cells?",
			lines:    []string{"You and " + opponentName(t.table) + " both see them, to the end of the match."},
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

// choose places an X, unless the player cannot have seen the cursor or the boards.
func (t *tableScreen) choose(m rules.Move, by placer) tea.Cmd {
	isMoved := t.cursor.movedByProgram
	switch {
	case by == byClick && t.isUnseen(t.env.attention.uncoveredAt), by != byClick && t.isStray(),
		by == byCursor && isMoved && t.isUnseen(t.turnShownAt), by == byDigit && isMoved && t.isUnseen(t.switchedAt):
		t.tellToLook()
		return nil
	}
	t.cursor = cursor{board: int(m.Board), cell: m.Cell}
	return t.place(m)
}

func (t *tableScreen) isUnseen(since time.Time) bool { return time.Since(since) < t.env.answerDelay() }

// isStray reports whether the last key cannot be meant as a move, because it was first pressed before the player
// could see the boards or the opponent's move.
func (t *tableScreen) isStray() bool {
	e, a := t.env, &t.env.attention
	return t.table.IsMyTurn() &&
		(a.beganBefore(a.uncoveredAt.Add(e.answerDelay())) || a.beganBefore(t.turnShownAt.Add(e.inFlight())))
}

func (t *tableScreen) tellToLook() {
	t.status = []string{"It is your turn now: look, then press the key again.", "It is your turn now: press again."}
}

// place sends a move, unless the key was pressed before the player could see the opponent's move. Another move for
// the pending ply is ignored.
func (t *tableScreen) place(m rules.Move) tea.Cmd {
	ply := len(t.table.Moves) + 1
	switch {
	case t.pending == ply || t.table.IsGone():
		return nil
	case !t.table.IsMyTurn(): // also if the opponent's move has not arrived yet
		return func() tea.Msg { return failedMsg{t.table, match.ErrNotYourTurn} }
	case time.Since(t.turnShownAt) < t.env.inFlight():
		t.tellToLook()
		return nil
	}
	t.pending = ply
	return t.env.act(t.table, func(ctx context.Context) error { return t.table.Play(ctx, m) })
}

func (t *tableScreen) leave(r *Root) tea.Cmd {
	if t.table.IsWatching() {
		return r.enterLobby("")
	}
	return r.ask(dialog{
		question: "Leave the table?", lines: []string{keptText(t.table, t.env) + " You find it on the first screen."},
		yes: toLobby, yesText: "leave", noText: "stay",
	})
}
