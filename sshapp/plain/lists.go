package plain

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/client"
	"notakto/sshapp/wording"
)

// lists prints the matches in progress, the player's finished matches and the ladder. The numbers of a list are valid
// until the next one.
type lists struct {
	player   *player
	out      *printer
	queue    *queue
	lastList []match.ID // number 1 is at index 0
}

// parseIndex parses a number from 1 to most, and returns the index of that item, from 0.
func parseIndex(word string, most int) (int, bool) {
	n, err := strconv.Atoi(word)
	return n - 1, err == nil && n >= 1 && n <= most
}

const (
	mostMatches  = 20
	mostFinished = 10
	mostPlayers  = 10
)

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
	if l.lastList = nil; len(list) == 0 {
		l.out.printLine("There is no match to watch now.", "Type watch to follow a demonstration.")
		return
	}
	l.out.printLine(wording.Count(len(list), "match", "matches") + " in progress.")
	for i, m := range list[:min(mostMatches, len(list))] {
		l.lastList = append(l.lastList, m.ID)
		text := strconv.Itoa(i+1) + ": " + playerName(m.Players[0]) + " against " + playerName(m.Players[1]) + ", " +
			wording.Terms(m.Terms) + ", " + wording.Count(m.Plies, "move", "moves")
		if !m.ForfeitAt.IsZero() {
			text += ", " + playerName(m.ToMove()) + " is away"
		}
		text += l.player.moveByText(m)
		if m.Spectators > 0 {
			text += ", " + strconv.Itoa(m.Spectators) + " watching"
		}
		l.out.printLine(text + ".")
	}
	l.out.printLine("Type watch and a number to watch a match.")
}

func (l *lists) historyCommand(words []string) {
	h := l.player.history
	switch {
	case len(words) > 0:
		l.out.printLine("Type history alone to hear your own matches.")
		return
	case l.player.Guest:
		l.out.printLine("Guests keep no history. Run ssh-keygen once, then connect again.")
		return
	case h == nil:
		l.out.printLine(noHistory)
		return
	}
	ctx, cancel := l.player.callContext()
	defer cancel()
	totals, err := client.Totals(ctx, h, l.player.manager, l.player.ID)
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
	l.lastList = nil
	for i, e := range matches {
		l.lastList = append(l.lastList, e.Match)
		l.out.printLine(strconv.Itoa(i+1) + ": " + finishedText(e) + ".")
	}
	if len(matches) > 0 {
		l.out.printLine("Type watch and a number to hear a match again.")
	}
}

func finishedText(e history.Entry) string {
	text := wording.ResultVerb(e) + " " + e.Opponent.Name + ", " + wording.Terms(e.Terms) + ", " +
		wording.Count(e.Plies, "move", "moves")
	if how := wording.HowEnded(e); how != "" {
		text += ", " + how
	}
	return text + ", " + e.Ended.UTC().Format(time.DateOnly)
}

const noHistory = "This server keeps no history."

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
