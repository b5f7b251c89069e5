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

// act sends a request to the table and prints the error if it fails. Its effect arrives with the next snapshot.
func (t *tables) act(do func(ctx context.Context) error) {
	ctx, cancel := t.player.callContext()
	defer cancel()
	t.out.report(do(ctx))
}

// deadlyCommand names the deadly cells. Between two people it reveals the cells to both players, once a match.
func (t *tables) deadlyCommand(_ []string) {
	switch at := t.current; {
	case at.isNone() || !at.HasStarted() || at.IsOver():
		t.out.printLine(noMatchHere)
	case at.CanReveal():
		t.act(at.Reveal)
	case at.IsAgainstComputer() || at.RevealedBy() != rules.NoSide || at.Variant.IsTicTacToe():
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
	case at.IsOver():
		t.out.printLine(errorText(match.ErrMatchOver))
	case at.IsInviting():
		t.leave()
	default:
		t.askToGiveUp("Resign this match? "+wording.Resigning(at.State, at.subject(at.Opponent())),
			"You have not resigned.")
	}
}

// askToGiveUp asks whether to give up the current table. answerGiveUp prints refusal unless the player says yes.
func (t *tables) askToGiveUp(words, refusal string) {
	t.refusalText = refusal
	t.out.printLine(words, "Type yes or no.")
}

// answerGiveUp takes a line as the answer to an open question of askToGiveUp. Yes resigns, or closes a table without an
// opponent. For any other line answerGiveUp prints the refusal. The result is true for yes and no. The caller runs any
// other line as a command.
func (t *tables) answerGiveUp(text string) (answered bool) {
	at, refusal := t.current, t.refusalText
	if t.refusalText = ""; refusal == "" {
		return false
	}
	if !isYes(text) {
		t.out.printLine(refusal)
		return isNo(text)
	}
	if at.IsSeated() {
		t.act(at.Resign)
	}
	return true
}

// nextCommand goes from a watched match to the next one, and else to the next match that waits for the player.
func (t *tables) nextCommand(_ []string) {
	if !t.current.IsWatching() {
		t.goToNext()
		return
	}
	next := t.player.client.NextMatch(t.current.ID, t.player.ID)
	if next == "" && !t.current.IsDemonstration() {
		t.out.printLine("There is no other match now.")
		return
	}
	t.out.report(t.watch(next))
}

// rematchCommand offers or accepts a rematch. A spectator goes to watch the rematch.
func (t *tables) rematchCommand(_ []string) {
	at := t.current
	switch {
	case at.isNone():
		t.out.printLine("You are at no table. Type play or computer for a new match.")
	case !at.IsOver():
		t.out.printLine(errorText(match.ErrNotOver))
	case !at.IsSeated() && at.Next != "":
		t.out.report(t.watch(at.Next))
	case !at.IsSeated():
		t.out.printLine("They have not agreed on another match yet.")
	case at.IsGone():
		t.out.printLine("The table has been closed. Type play or computer for a new match.")
	case at.RematchOffered(at.Side):
		t.out.printLine("You have already asked for a rematch. Waiting for " + at.name(at.Opponent()) + ".")
	case !at.IsHere(at.Opponent()):
		t.out.printLine(at.subject(at.Opponent()) + " has left the table. Type play or computer for a new match.")
	default:
		t.act(at.OfferRematch)
	}
}

// takebackCommand asks for a takeback, or agrees to the opponent's request.
func (t *tables) takebackCommand(_ []string) { t.askOpponent(match.TakebackOffered) }

func (t *tables) askOpponent(kind match.Kind) {
	switch at := t.current; {
	case !at.IsPlaying():
		t.out.printLine(noMatchHere)
	case at.HasAsked(kind):
		t.out.printLine(at.requestText())
	default:
		t.act(func(ctx context.Context) error { return at.Ask(ctx, kind) })
	}
}

// hintCommand says the next part of a hint. In a match without hints it first asks the opponent for them, or agrees.
func (t *tables) hintCommand(_ []string) {
	if t.current.IsPlaying() && t.current.Hinted {
		t.sayHint()
		return
	}
	t.wantsHint = t.current.IsPlaying() && t.current.IsAgainstComputer()
	t.askOpponent(match.HintsOffered)
}

func (t *tables) sayHint() {
	t.wantsHint = false
	review, part, err := t.current.NextHint()
	if err != nil {
		t.out.report(err)
		return
	}
	parts := wording.Hints(review)
	t.out.printLine(parts[min(part, len(parts)-1)])
}

func (t *tables) declineCommand(_ []string) {
	if at := t.current; at.IsPlaying() && at.RequestTo(at.Side) == 0 {
		t.out.printLine("Your opponent asks for nothing.")
		return
	}
	t.askOpponent(match.Declined)
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
		t.out.printLine(noSuchBoard(at.Variant))
	}
}

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
		shown[i] = strconv.Itoa(m.Ply) + ", " + at.Variant.FormatMove(m.Move) + " by " + at.name(m.Side)
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
	if at.IsOver() && !at.IsDemonstration() {
		shown = append(shown, "The match's name is "+string(at.ID)+". Type watch "+string(at.ID)+" to hear it again.")
	}
	t.out.printLine(shown...)
	t.out.printLine(wording.OpeningSeed(at.State))
}

func (t *tables) clockCommand(_ []string) {
	switch at := t.current; {
	case at.isNone() || !at.HasStarted():
		t.out.printLine(noMatchHere)
	case at.Clock.IsNone():
		t.out.printLine("This match has no clock.")
	default:
		t.out.printLine(wording.Capital(wording.Clock(at.Clock))+".", at.clocks(t.now()))
	}
}
