package plain

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

func (s *session) playCommand(words []string) {
	accepts, ok := acceptsOf(words)
	switch {
	case !ok:
		s.out.printLine("There is no such game: type play, play and 1 to 9 boards, play tictactoe, or play rated.")
	case s.busy() != "":
		s.out.printLine(s.busy())
	default:
		s.out.report(s.seekOpponent(accepts))
	}
}

func (s *session) ticTacToeCommand(_ []string) { s.playCommand([]string{"tictactoe"}) }

// computerCommand reads a level, the game and who moves first, in any order.
func (s *session) computerCommand(words []string) {
	chosen := s.nextRung()
	side, rest := rules.Nobody, make([]string, 0, len(words))
	for _, word := range words {
		level, err := strategy.ParseLevel(word)
		switch {
		case err == nil:
			chosen = level
		case word == "first":
			side = rules.First
		case word == "second":
			side = rules.Second
		default:
			rest = append(rest, word)
		}
	}
	terms, ok := termsOf(rest)
	switch {
	case !ok:
		meant := ""
		for _, word := range rest {
			meant = cmp.Or(meant, wording.Suggest("", word, append(wording.LevelNames(strategy.Levels()),
				"first", "second", "boards", "tictactoe")))
			if n, err := strconv.Atoi(word); err == nil && (n < 1 || n > rules.MaxBoards) {
				meant = ": it has 1 to " + strconv.Itoa(rules.MaxBoards) + " boards."
				break
			}
		}
		s.out.printLine("That is no match against the computer" + cmp.Or(meant, ".") + " Type computer, one of " +
			listText(wording.LevelNames(strategy.Ladder())) +
			", a number of boards, and first or second, such as computer steady 3 first.")
	case s.busy() != "":
		s.out.printLine(s.busy())
	default:
		s.level = chosen
		s.out.report(s.playComputer(terms, side))
	}
}

// nextRung returns the level that is offered, by the history too if it can be read.
func (s *session) nextRung() strategy.Level {
	ctx, cancel := s.player.callContext()
	defer cancel()
	_ = s.player.client.Recall(ctx, s.cfg.History, s.player.Player)
	return s.player.client.NextRung(s.level)
}

// playComputer plays a match that may begin with moves of another.
func (s *session) playComputer(terms match.Terms, side rules.Side, moves ...rules.Move) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, err := s.cfg.Manager.Play(ctx, s.player.Player, terms, cmp.Or(s.level, s.player.client.NextRung(0)), side, moves...)
	if err != nil {
		return err
	}
	return s.goTo(id)
}

func (s *session) privateCommand(words []string) {
	terms, ok := termsOf(words)
	switch {
	case !ok:
		s.out.printLine("There is no such game: type private, private and 1 to 9 boards, or private tictactoe.")
	case s.busy() != "":
		s.out.printLine(s.busy())
	default:
		s.out.report(s.openPrivate(terms))
	}
}

func (s *session) openPrivate(terms match.Terms) error {
	ctx, cancel := s.player.callContext()
	defer cancel()
	id, _, err := s.cfg.Manager.OpenPrivate(ctx, s.player.Player, terms)
	if err != nil {
		return err
	}
	return s.goTo(id)
}

// queueing is a place in a queue, and what was said of it. Nil is none.
type queueing struct {
	*client.Queue
	begun   time.Time // by this process's clock
	shown   string    // who wait, as printed last
	offered bool
}

// status is where news of the queue comes.
func (q *queueing) status() <-chan lobby.SeekStatus {
	if q == nil {
		return nil
	}
	return q.Status()
}

// leave gives the place up, if there is one.
func (q *queueing) leave() {
	if q.isWaiting() {
		q.Leave()()
	}
}

// isWaiting reports whether the player holds a place.
func (q *queueing) isWaiting() bool { return q != nil && q.IsWaiting() }

// offerAt is when the computer is to be offered; zero for never.
func (q *queueing) offerAt() time.Time {
	if !q.isWaiting() || q.offered {
		return time.Time{}
	}
	return q.begun.Add(client.OfferComputerAfter)
}

// seekOpponent takes a place in the queue, once the one that was given up is gone. If the opponent has come first,
// there is nothing to wait for.
func (s *session) seekOpponent(accepts []match.Terms) error {
	if s.queue.isWaiting() {
		s.out.printLine("You are waiting already, for "+wording.Accepts(s.queue.Accepts)+".",
			"Type leave to give that place up first.")
		return nil
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	if err := leaveQueue(ctx, s); err != nil || s.busy() != "" {
		return err
	}
	place, err := s.player.client.Seek(ctx, s.player.Player, accepts...)
	if err != nil {
		return err
	}
	s.queue = &queueing{Queue: place, begun: time.Now()}
	if !isAboutToPlay(place.SeekStatus) {
		s.queue.shown = waitingText(place.SeekStatus)
	}
	s.out.printLine("Waiting for an opponent, for "+wording.Accepts(accepts)+".", s.queue.shown)
	return nil
}

// leaveQueue waits until a place that was given up is gone, and takes in how that went.
func leaveQueue(ctx context.Context, s *session) error {
	for s.queue != nil {
		select {
		case status, open := <-s.queue.status():
			s.onSeekStatus(status, open)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// onSeekStatus prints how the ticket in the queue stands. An opponent may be found even after it was given up, if that
// came too late.
func (s *session) onSeekStatus(status lobby.SeekStatus, open bool) {
	q := s.queue
	state := q.Take(status, open)
	if q.IsOver() {
		s.queue = nil
	}
	switch state {
	case client.QueueStopping:
		s.out.printLine("No new matches begin at this server now.", queueClosed)
	case client.QueueMoved:
		s.out.printLine("You are waiting in another window now.")
	case client.QueueFound:
		s.opponentFound(status.Match)
	case client.QueueWaiting, client.QueueLeaving:
		s.out.tellCutOff(status.CutOff)
		if text := waitingText(status); text != q.shown && !isAboutToPlay(status) && q.isWaiting() {
			q.shown = text
			s.out.printLine(text)
		}
	case client.QueueLeft:
	}
}

// isAboutToPlay reports whether each of two who wait is the other's opponent.
func isAboutToPlay(status lobby.SeekStatus) bool {
	return status.Waiting == 2 && len(status.Others) == 0
}

// queueClosed is printed for a player who waits when the server stops: a place in the queue does not outlast the
// session.
const queueClosed = "You were removed from the queue: type play again when you have come back."

// opponentFound goes to the match, or says that it waits if the player is in another.
func (s *session) opponentFound(id match.ID) {
	if s.tables.current.IsPlaying() || s.tables.current.IsInviting() {
		s.tables.found = id
		s.watchBackground()
		s.out.printLine("An opponent has come: "+s.player.aboutMatch(id)+".", "Type go to sit down there; this table is kept.")
		return
	}
	s.out.printLine("An opponent has come.")
	s.out.report(s.goTo(id))
}

// offerComputer helps those who wait for long.
func (s *session) offerComputer() {
	at := s.queue.offerAt()
	if at.IsZero() || time.Now().Before(at) {
		return
	}
	s.queue.offered = true
	if s.busy() == "" {
		why := ""
		if s.queue.Waiting > 1 && len(s.queue.Others) == 0 {
			why = wording.NotPaired(lobby.ApartFor)
		}
		s.out.printLine("No opponent yet.", why,
			"Type computer to play the computer while you wait: you keep your place and are told when someone joins.")
	}
}

// playText is what is typed to play with one who waits.
func playText(w lobby.Waiter) string {
	terms := w.Accepts[0]
	if i := slices.IndexFunc(w.Accepts, func(t match.Terms) bool { return t.Clock.IsNone() }); i >= 0 {
		terms = w.Accepts[i]
	}
	text := "play tictactoe"
	if terms.Pool.IsRated() {
		return "play rated"
	}
	if !terms.Variant.IsTicTacToe() {
		text = "play " + strconv.Itoa(terms.Variant.Boards())
	}
	if !terms.Clock.IsNone() {
		text += " " + terms.Clock.String()
	}
	return text
}

// waitingText is who else waits, and for what.
func waitingText(status lobby.SeekStatus) string {
	switch {
	case len(status.Others) > 0:
		other := status.Others[0]
		return wording.WaitsFor(other.Name, other.Accepts) + ": type leave, then " + playText(other) + ", to play that."
	case status.Waiting > 1:
		return wording.Count(status.Waiting, "", "are waiting, including you.")
	default:
		return "You are the only one waiting."
	}
}
