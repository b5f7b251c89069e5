package plain

import (
	"context"
	"strconv"
	"strings"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// playMove places a mark.
func (t *tables) playMove(word string) {
	at := t.current
	switch {
	case at.isNone() && t.queue.IsWaiting():
		t.out.printLine("No match has begun yet.", t.status())
	case at.isNone():
		t.out.printLine("You are at no table. Type play, computer, private or join first.")
	case !at.IsSeated():
		t.out.printLine("You are watching: only the players place marks.")
	default:
		m, err := at.Variant.ParseMove(word)
		if err != nil {
			t.out.printLine(at.badMoveText(err))
			return
		}
		t.act(func(ctx context.Context) error { return at.Play(ctx, m) })
	}
}

// act calls do, and prints the error if do fails. The effect of do is in the table's next snapshot.
func (t *tables) act(do func(ctx context.Context) error) {
	ctx, cancel := t.player.callContext()
	defer cancel()
	t.out.report(do(ctx))
}

// deadlyCommand says the cells that kill their board. Between two people it has both players hear the cells, once in a
// match.
func (t *tables) deadlyCommand(_ []string) {
	switch at := t.current; {
	case at.isNone() || !at.Started() || at.Over():
		t.out.printLine(noMatchHere)
	case at.CanReveal():
		t.act(at.Reveal)
	case at.IsAgainstComputer() || at.RevealedBy() != rules.Nobody || at.Variant.IsTicTacToe():
		t.out.printLine(at.deadlyText())
	default:
		t.out.printLine("The players have not shown the deadly cells.")
	}
}

const noMatchHere = "There is no match on here."

func (t *tables) resignCommand(_ []string) {
	switch at := t.current; {
	case !at.IsSeated():
		t.out.printLine("You are in no match to resign from.")
	case at.Over():
		t.out.printLine(errorText(match.ErrMatchOver))
	case at.IsInviting():
		t.leave()
	default:
		t.ask("Resign this match? "+wording.Resigning(at.State, at.subject(at.Opponent())), "You have not resigned.")
	}
}

// ask asks whether the player gives the current table up. onNo is printed unless the answer is yes.
func (t *tables) ask(words, onNo string) {
	t.onNo = onNo
	t.out.printLine(words, "Type yes or no.")
}

// answer takes a line as the answer to the question of ask, if one is open. Yes resigns, or closes a table without an
// opponent. Every other line means no. For a line that is neither yes nor no, answer returns false, so that the line
// runs as a command.
func (t *tables) answer(text string) (answered bool) {
	at, onNo := t.current, t.onNo
	if t.onNo = ""; onNo == "" {
		return false
	}
	if !isYes(text) {
		t.out.printLine(onNo)
		return isNo(text)
	}
	if at.IsSeated() {
		t.act(at.Resign)
	}
	return true
}

// rematchCommand asks for a rematch. A spectator goes on to watch the rematch.
func (t *tables) rematchCommand(_ []string) {
	at := t.current
	switch {
	case at.isNone():
		t.out.printLine("You are at no table. Type play or computer for a new match.")
	case !at.Over():
		t.out.printLine(errorText(match.ErrNotOver))
	case !at.IsSeated() && at.Next != "":
		t.out.report(t.watch(at.Next))
	case !at.IsSeated():
		t.out.printLine("They have not agreed on another match yet.")
	case at.IsGone():
		t.out.printLine("The table has been closed. Type play or computer for a new match.")
	case at.RematchOffered(at.Side):
		t.out.printLine("You want a rematch already. Waiting for " + at.who(at.Opponent()) + ".")
	case !at.IsHere(at.Opponent()):
		t.out.printLine(at.subject(at.Opponent()) + " has left the table. Type play or computer for a new match.")
	default:
		t.act(at.OfferRematch)
	}
}

func (t *tables) boardsCommand(words []string) {
	at := t.current
	if at.isNone() || at.IsInviting() {
		t.out.printLine(t.status())
		return
	}
	isShown := false
	for i := range at.Variant.Boards() {
		if len(words) == 0 || strings.EqualFold(words[0], rules.BoardName(i)) {
			t.out.printLine(boardText(at.Position, i))
			isShown = true
		}
	}
	switch {
	case len(words) == 0:
		t.out.printLine(at.turnText())
	case !isShown:
		t.out.printLine(at.noSuchBoard())
	}
}

// movesCommand lists the moves with who made them.
func (t *tables) movesCommand(_ []string) {
	at := t.current
	switch {
	case at.isNone():
		t.out.printLine(t.status())
		return
	case len(at.Moves) == 0:
		t.out.printLine("No move has been made.")
		return
	}
	shown := make([]string, len(at.Moves))
	for i, m := range client.Moves(at.State) {
		shown[i] = strconv.Itoa(m.Ply) + ", " + at.Variant.FormatMove(m.Move) + " by " + at.who(m.Side)
	}
	t.out.printLine(strings.Join(shown, "; ") + ".")
}

func (t *tables) whoCommand(_ []string) {
	at, you := t.current, "You are "+t.player.Name+"."
	if at.isNone() {
		t.out.printLine(you, t.status())
		return
	}
	shown := []string{you, at.sideText(rules.First, t.now()), at.sideText(rules.Second, t.now())}
	if at.Spectators > 0 {
		shown = append(shown, wording.Count(at.Spectators, "person is watching.", "people are watching."))
	}
	shown = append(shown, at.resumeHint())
	if at.Over() {
		shown = append(shown, "This match is called "+string(at.ID)+": watch "+string(at.ID)+" tells it again.")
	}
	t.out.printLine(shown...)
	t.out.printLine(wording.OpeningSeed(at.State))
}

func (t *tables) clockCommand(_ []string) {
	switch at := t.current; {
	case at.isNone() || !at.Started():
		t.out.printLine(noMatchHere)
	case at.Clock.IsNone():
		t.out.printLine("This match has no clock.")
	default:
		t.out.printLine(wording.Capital(wording.Clock(at.Clock))+".", at.clocks(t.now()))
	}
}
