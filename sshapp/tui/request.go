package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/wording"
)

// followRequests takes a takeback, a request and its answer from the last snapshot. After a takeback, followRequests
// clears pending, because the next move may have its number. followRequests also makes a running timer of the turn
// banner ineffective.
func (t *tableScreen) followRequests() {
	v := t.table.Variant
	if n := len(t.table.Takebacks); n != t.takebacks {
		last, moves := t.table.Takebacks[n-1], len(t.table.Moves)
		t.takebacks, t.pending, t.bannerTimerMoves, t.bannerShownMoves = n, 0, moves, moves
		t.status = []string{
			wording.TookBack(v, last, nameOrYou(t.table, last.Side)), v.FormatMove(last.Moves[0]) + " was taken back.",
		}
	}
	now, was := t.table.Request, t.request
	if now == was {
		return
	}
	switch isOwn := was.Side == t.table.Side; {
	case !t.table.IsWatching() && was.Kind == match.HintsOffered && t.table.Hinted:
		t.status = []string{t.hintKey() + " shows a hint in your turn, from now on.", t.hintKey() + " shows a hint now."}
	case isOwn && now.Kind == 0 && t.requestedIn == t.table.TurnNumber():
		t.status = []string{opponentName(t.table) + " declined.", "Declined."}
	}
	t.request, t.requestedAt, t.requestedIn = now, time.Now(), t.table.TurnNumber()
}

func (t *tableScreen) hintKey() string { return t.env.keys.hint.Help().Key }

// requestText says what waits for an answer, "" without a request.
func (t *tableScreen) requestText() string {
	request, keys, who := t.table.Request, t.env.keys, opponentName(t.table)
	yes, no := keys.takeback.Help().Key, keys.decline.Help().Key
	if request.Kind == match.HintsOffered {
		yes = t.hintKey()
	}
	switch {
	case request.Kind == 0:
		return ""
	case t.table.IsWatching():
		asked := t.table.Seat(request.Side).Player.Name + " asks " + wording.Asked(t.table.State)
		return t.env.fit(asked+".", "A request waits for an answer.")
	case request.Side == t.table.Side:
		return t.env.fit("You ask "+wording.Asked(t.table.State)+". Waiting for "+who+".", "Waiting for "+who+"'s answer.")
	default:
		asked, answers := wording.Asked(t.table.State), yes+" agrees, "+no+" declines."
		short := wording.Capital(strings.TrimPrefix(asked, "to ")) + "? "
		if request.Kind == match.HintsOffered {
			short = "Hints for both? "
		}
		return t.env.fit(who+" asks "+asked+": "+answers, short+answers, who+" asks: "+answers)
	}
}

// askFor returns the run function of a key that asks for kind, agrees or declines. A key that was pressed before the
// player could read the opponent's request may have been meant otherwise, and has no effect.
func (t *tableScreen) askFor(kind match.Kind) navigation {
	return func(r *Root) tea.Cmd {
		isHint := kind == match.HintsOffered
		if isHint && t.table.Hinted {
			return t.showHint(r)
		}
		if t.table.RequestTo(t.table.Side) != 0 && t.isUnseen(t.requestedAt) {
			return nil
		}
		t.wantsHint = isHint && t.table.IsAgainstComputer()
		return t.env.act(t.table, func(ctx context.Context) error { return t.table.Ask(ctx, kind) })
	}
}

// showHint shows the next part of a hint, and moves the cursor to its board or cell.
func (t *tableScreen) showHint(r *Root) tea.Cmd {
	costs := t.wantsHint // the first hint against the computer
	t.wantsHint = false
	review, part, err := t.table.NextHint()
	if err != nil {
		return r.say(wording.Explain(err).Short)
	}
	parts := wording.Hints(review)
	part = min(part, len(parts)-1)
	if part < len(parts)-1 {
		if t.cursor.board = int(review.Move.Board); part == len(parts)-2 {
			t.cursor.cell = review.Move.Cell
		}
		t.hint = []string{parts[part]}
		if costs {
			t.hint = []string{parts[part] + " " + wording.HintsCost, parts[part] + " A win earns no level.", parts[part]}
		}
		return nil
	}
	question := "Why is it lost?"
	if len(parts) > 1 {
		question = "Why " + t.table.Variant.FormatMove(review.Move) + "?"
	}
	lines := []string{wording.HintReason(review)}
	if costs {
		lines = append(lines, wording.HintsCost)
	}
	return r.ask(dialog{question: question, lines: lines, yes: closeDialog, yesText: "play on"})
}

func closeDialog(*Root) tea.Cmd { return nil }
