package plain

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/wording"
)

// noOpenMatch says that there is no match to watch. Others cannot watch a private match.
const noOpenMatch = "There is no match to watch just now."

// lists prints what goes beyond one match: the matches in progress, the finished ones and the ladder.
type lists struct {
	player   *player
	out      *printer
	queue    *queue
	numbered []match.ID // the matches of the last list, by number
}

// number reads a number from 1 to most, and returns it counted from 0.
func number(word string, most int) (int, bool) {
	n, err := strconv.Atoi(word)
	return n - 1, err == nil && n >= 1 && n <= most
}

const (
	mostMatches  = 20 // in progress
	mostFinished = 10
	mostPlayers  = 10 // of the ladder
)

// matchesCommand says who waits for an opponent, and lists the matches in progress. Their numbers are valid until the
// next list.
func (l *lists) matchesCommand(_ []string) {
	if waiting := l.player.manager.Lobby().Waiting(l.player.ID); !l.queue.IsWaiting() {
		for _, w := range waiting.First {
			l.out.printLine(wording.WaitsFor(w.Name, w.Accepts) + ": type " + playText(w) + " to join.")
		}
	}
	if ended := l.player.manager.LastEnded(); ended != nil {
		l.out.printLine("The last match to end: " + wording.Result(ended, playerName) + ".")
	}
	list := l.player.manager.List()
	if l.numbered = nil; len(list) == 0 {
		l.out.printLine(noOpenMatch)
		return
	}
	l.out.printLine(wording.Count(len(list), "match", "matches") + " in progress.")
	for i, m := range list[:min(mostMatches, len(list))] {
		l.numbered = append(l.numbered, m.ID)
		text := strconv.Itoa(i+1) + ": " + playerName(m.Players[0]) + " against " + playerName(m.Players[1]) + ", " +
			wording.Terms(m.Terms) + ", " + wording.Count(m.Plies, "move", "moves")
		if !m.ForfeitAt.IsZero() {
			text += ", " + playerName(m.ToMove()) + " is away"
		}
		text += moveByText(m, l.player.manager.Now())
		if m.Spectators > 0 {
			text += ", " + strconv.Itoa(m.Spectators) + " watching"
		}
		l.out.printLine(text + ".")
	}
	l.out.printLine("Type watch and a number to watch one.")
}

// moveByText says how long the player to move has left, in a match with a clock of days. It returns "" for others.
func moveByText(m match.Summary, now time.Time) string {
	if m.MoveBy.IsZero() {
		return ""
	}
	return ", " + wording.ClockLeft(m.MoveBy.Sub(now)) + " left for the move"
}

// historyCommand says what the player's finished matches add up to, and lists the newest. Their numbers are valid until
// the next list.
func (l *lists) historyCommand(words []string) {
	h := l.player.history
	switch {
	case len(words) > 0:
		l.out.printLine("Type history and nothing else: it says your own matches.")
		return
	case l.player.Guest:
		l.out.printLine("You are a guest: your matches are not listed. With a key they are: ssh-keygen makes one.")
		return
	case h == nil:
		l.out.printLine(noHistory)
		return
	}
	ctx, cancel := l.player.callContext()
	defer cancel()
	totals, err := h.Totals(ctx, l.player.ID)
	if err != nil {
		l.out.report(err)
		return
	}
	matches, err := h.List(ctx, l.player.ID, 0, mostFinished, true)
	if err != nil {
		l.out.report(err)
		return
	}
	standing, err := h.Standing(ctx, match.PeoplePool, l.player.ID)
	if err != nil {
		l.out.report(err)
		return
	}
	l.out.printLine(wording.Totals(totals)...)
	l.out.printLine(wording.Standing(standing))
	l.numbered = nil
	for i, e := range matches {
		l.numbered = append(l.numbered, e.Match)
		l.out.printLine(strconv.Itoa(i+1) + ": " + finishedText(e) + ".")
	}
	if len(matches) > 0 {
		l.out.printLine("Type watch and a number to hear one again.")
	}
}

func finishedText(e history.Entry) string {
	text := e.Result() + " against " + e.Opponent.Name + ", " + wording.Terms(e.Terms) + ", " +
		wording.Count(e.Plies, "move", "moves")
	if how := wording.HowEnded(e); how != "" {
		text += ", " + how
	}
	return text + ", " + e.Ended.UTC().Format(time.DateOnly)
}

const noHistory = "This server keeps no history."

// ladderCommand says the players with the best ratings, and where the player stands.
func (l *lists) ladderCommand(_ []string) {
	h := l.player.history
	if h == nil {
		l.out.printLine(noHistory)
		return
	}
	best := h.Ladder(match.PeoplePool, 0, mostPlayers)
	if len(best) == 0 {
		l.out.printLine(wording.NoLadder)
	}
	for _, p := range best {
		l.out.printLine(wording.Ordinal(p.Rank) + ": " + playerName(p.Player) + ", " + p.Rating.String() + ", " +
			wording.Count(p.Won+p.Split+p.Lost, "pair", "pairs") + ".")
	}
	ctx, cancel := l.player.callContext()
	defer cancel()
	standing, err := h.Standing(ctx, match.PeoplePool, l.player.ID)
	if err != nil {
		l.out.report(err)
		return
	}
	if text := wording.Standing(standing); text != "" {
		l.out.printLine("You: " + text)
	}
}
