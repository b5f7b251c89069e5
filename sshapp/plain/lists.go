package plain

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/sshapp/wording"
)

// noOpenMatch says that there is nothing to watch: a private match is not for others to see.
const noOpenMatch = "No open match is being played just now."

// most is how many matches are listed.
const most = 20

// matchesCommand lists the matches in progress. Their numbers are valid until the next list.
func matchesCommand(s *session, _ []string) {
	list := s.cfg.Manager.List()
	if s.reported.listed = nil; len(list) == 0 {
		s.printLine(noOpenMatch)
		return
	}
	s.printLine(wording.Count(len(list), "match", "matches") + " in progress.")
	for i, m := range list[:min(most, len(list))] {
		s.reported.listed = append(s.reported.listed, m.ID)
		s.printLine(strconv.Itoa(i+1) + ": " + summaryText(m) + ".")
	}
	s.printLine("Type watch and a number to watch one.")
}

func summaryText(m match.Summary) string {
	text := nameOf(m.Players[0]) + " against " + nameOf(m.Players[1]) + ", " + wording.Variant(m.Variant) + ", " + wording.Count(m.Plies, "move", "moves")
	switch {
	case m.Parked:
		text += ", the player is away"
	case !m.ForfeitAt.IsZero():
		text += ", " + nameOf(m.ToMove()) + " is away"
	}
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " watching"
	}
	return text
}

// watchCommand watches a match by its number in the last list, or by its ID.
func watchCommand(s *session, words []string) {
	switch {
	case s.busy() != "":
		s.printLine(s.busy())
	case len(words) == 0:
		s.report(s.watch(""))
	case len(words[0]) > 3:
		s.report(s.watch(match.ID(words[0])))
	default:
		if i, ok := number(words[0], len(s.reported.listed)); ok {
			s.report(s.watch(s.reported.listed[i]))
			return
		}
		s.printLine("There is no match with that number: type matches to hear the list.")
	}
}

// number reads a number from 1 to most, and returns it counted from 0.
func number(word string, most int) (int, bool) {
	n, err := strconv.Atoi(word)
	return n - 1, err == nil && n >= 1 && n <= most
}

// mineCommand lists the player's own matches.
func mineCommand(s *session, _ []string) {
	ids := s.cfg.Manager.MatchesOf(s.player.ID)
	if len(ids) == 0 {
		s.printLine("You have no match in progress.")
		return
	}
	for i, id := range ids {
		text := strconv.Itoa(i+1) + ": " + aboutMatch(s, id)
		for _, m := range s.cfg.Manager.Summaries([]match.ID{id}) {
			if m.ToMove().ID == s.player.ID && !m.ForfeitAt.IsZero() {
				text += ", " + timeLeft(m, s.cfg.Manager.Now()) + " left to go there"
			}
		}
		if !s.tables.current.isNone() && s.tables.current.ID == id {
			text += ", where you are"
		}
		s.printLine(text + ".")
	}
	s.printLine("Type go and a number to go there.")
}

// timeLeft is how long the player who is to move at a match may stay away.
func timeLeft(m match.Summary, now time.Time) string {
	return wording.Count(wording.Seconds(m.ForfeitAt.Sub(now)), "second", "seconds")
}

// aboutMatch is what a match of one's own is.
func aboutMatch(s *session, id match.ID) string {
	if on := s.cfg.Manager.Summaries([]match.ID{id}); len(on) > 0 {
		return aboutSummary(s, on[0])
	}
	return "a table that waits for a guest"
}

func aboutSummary(s *session, m match.Summary) string {
	text := wording.Variant(m.Variant) + " against " + nameOf(m.Opponent(s.player.ID))
	if m.Plies > 0 {
		text += ", " + wording.Count(m.Plies, "move", "moves")
	}
	if m.ToMove().ID == s.player.ID {
		text += ", your turn"
	}
	return text
}

// runningText reminds a player who logs in of the matches in progress; empty without any.
func runningText(s *session) string {
	ids := s.cfg.Manager.MatchesOf(s.player.ID)
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return "You have a match in progress: " + aboutMatch(s, ids[0]) + ". Type go to return to it."
	default:
		return "You have " + strconv.Itoa(len(ids)) + " matches in progress: type mine to hear them, and go to return to the first."
	}
}
