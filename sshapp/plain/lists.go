package plain

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/match/history"
	"notakto/sshapp/wording"
)

// noOpenMatch says that there is nothing to watch: a private match is not for others to see.
const noOpenMatch = "There is no match to watch just now."

// most is how many matches are listed.
const most = 20

// matchesCommand says who waits for an opponent, and lists the matches in progress. Their numbers are valid until the
// next list.
func (s *session) matchesCommand(_ []string) {
	if waiting := s.cfg.Manager.Lobby().Waiting(s.player.ID); !s.queue.IsWaiting() {
		for _, w := range waiting.First {
			s.out.printLine(wording.WaitsFor(w.Name, w.Accepts) + ": type " + playText(w) + " to join.")
		}
	}
	if ended := s.cfg.Manager.LastEnded(); ended != nil {
		s.out.printLine("The last match to end: " + wording.Result(ended, nameOf) + ".")
	}
	list := s.cfg.Manager.List()
	if s.reported.listed = nil; len(list) == 0 {
		s.out.printLine(noOpenMatch)
		return
	}
	s.out.printLine(wording.Count(len(list), "match", "matches") + " in progress.")
	for i, m := range list[:min(most, len(list))] {
		s.reported.listed = append(s.reported.listed, m.ID)
		s.out.printLine(strconv.Itoa(i+1) + ": " + summaryText(m, s.cfg.Manager.Now()) + ".")
	}
	s.out.printLine("Type watch and a number to watch one.")
}

func summaryText(m match.Summary, now time.Time) string {
	text := nameOf(m.Players[0]) + " against " + nameOf(m.Players[1]) + ", " + wording.Terms(m.Terms) + ", " +
		wording.Count(m.Plies, "move", "moves")
	switch {
	case m.Parked:
		text += ", the player is away"
	case !m.ForfeitAt.IsZero():
		text += ", " + nameOf(m.ToMove()) + " is away"
	}
	text += moveByText(m, now)
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

// moveByText is how long the player to move has for that, with a clock of days.
func moveByText(m match.Summary, now time.Time) string {
	if m.MoveBy.IsZero() {
		return ""
	}
	return ", " + wording.ClockLeft(m.MoveBy.Sub(now)) + " left for the move"
}

// watchCommand watches a match by its number in the last list, or by its ID.
func (s *session) watchCommand(words []string) {
	switch {
	case s.tables.busy() != "":
		s.out.printLine(s.tables.busy())
	case len(words) == 0:
		s.out.report(s.tables.watch(""))
	case len(words[0]) > 3:
		s.out.report(s.tables.watch(match.ID(words[0])))
	default:
		if i, ok := number(words[0], len(s.reported.listed)); ok {
			s.out.report(s.tables.watch(s.reported.listed[i]))
			return
		}
		s.out.printLine("There is no match with that number: type matches to hear the list.")
	}
}

// number reads a number from 1 to most, and returns it counted from 0.
func number(word string, most int) (int, bool) {
	n, err := strconv.Atoi(word)
	return n - 1, err == nil && n >= 1 && n <= most
}

// mostFinished is how many finished matches are listed.
const mostFinished = 10

// historyCommand says what the player's finished matches add up to, and lists the newest. Their numbers are valid until
// the next list.
func (s *session) historyCommand(words []string) {
	switch {
	case len(words) > 0:
		s.out.printLine("Type history and nothing else: it says your own matches.")
		return
	case s.player.Guest:
		s.out.printLine("You are a guest: your matches are not listed. With a key they are: ssh-keygen makes one.")
		return
	case s.cfg.History == nil:
		s.out.printLine("This server keeps no history.")
		return
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	totals, err := s.cfg.History.Totals(ctx, s.player.ID)
	if err != nil {
		s.out.report(err)
		return
	}
	matches, err := s.cfg.History.List(ctx, s.player.ID, 0, mostFinished, true)
	if err != nil {
		s.out.report(err)
		return
	}
	standing, err := s.cfg.History.Standing(ctx, match.PeoplePool, s.player.ID)
	if err != nil {
		s.out.report(err)
		return
	}
	s.out.printLine(wording.Totals(totals)...)
	if text := wording.Standing(standing); text != "" {
		s.out.printLine(text)
	}
	s.reported.listed = nil
	for i, e := range matches {
		s.reported.listed = append(s.reported.listed, e.Match)
		s.out.printLine(strconv.Itoa(i+1) + ": " + finishedText(e) + ".")
	}
	if len(matches) > 0 {
		s.out.printLine("Type watch and a number to hear one again.")
	}
}

// mostListed is how many players of the ladder are told.
const mostListed = 10

// ladderCommand says the players with the best ratings, and where the player stands.
func (s *session) ladderCommand(_ []string) {
	if s.cfg.History == nil {
		s.out.printLine("This server keeps no history.")
		return
	}
	best := s.cfg.History.Ladder(match.PeoplePool, 0, mostListed)
	if len(best) == 0 {
		s.out.printLine(wording.NoLadder)
	}
	for _, p := range best {
		s.out.printLine(wording.Ordinal(p.Rank) + ": " + nameOf(p.Player) + ", " + p.Rating.String() + ", " +
			wording.Count(p.Won+p.Split+p.Lost, "pair", "pairs") + ".")
	}
	ctx, cancel := s.player.callContext()
	defer cancel()
	standing, err := s.cfg.History.Standing(ctx, match.PeoplePool, s.player.ID)
	if err != nil {
		s.out.report(err)
		return
	}
	if text := wording.Standing(standing); text != "" {
		s.out.printLine("You: " + text)
	}
}

// finishedText is a finished match in a list.
func finishedText(e history.Entry) string {
	text := e.Result() + " against " + e.Opponent.Name + ", " + wording.Terms(e.Terms) + ", " + wording.Count(e.Plies,
		"move", "moves")
	if how := wording.HowEnded(e); how != "" {
		text += ", " + how
	}
	return text + ", " + e.Ended.UTC().Format(time.DateOnly)
}
