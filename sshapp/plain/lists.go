package plain

import (
	"strconv"
	"time"

	"notakto/match"
	"notakto/sshapp/wording"
)

// noOpenMatch says that there is nothing to look on at: a private match is not for others to see.
const noOpenMatch = "No open match is being played just now."

// most is how many matches are told at once.
const most = 20

// matches tells the matches in progress. Their numbers are good until they are told again.
func (s *session) matches([]string) {
	list := s.manager.List()
	if s.listed = nil; len(list) == 0 {
		s.printLine(noOpenMatch)
		return
	}
	s.printLine(wording.Count(len(list), "match", "matches") + " in progress.")
	for i, m := range list[:min(most, len(list))] {
		s.listed = append(s.listed, m.ID)
		s.printLine(strconv.Itoa(i+1) + ": " + summaryText(m) + ".")
	}
	s.printLine("Type watch and a number to look on.")
}

func summaryText(m match.Summary) string {
	text := nameOf(m.Players[0]) + " against " + nameOf(m.Players[1]) + ", " + wording.Variant(m.Variant) + ", " + wording.Count(m.Plies, "move", "moves")
	if m.Spectators > 0 {
		text += ", " + strconv.Itoa(m.Spectators) + " looking on"
	}
	return text
}

// watchNumber looks on at a match by its number in the last list, or by its ID.
func (s *session) watchNumber(words []string) {
	switch {
	case s.busy() != "":
		s.printLine(s.busy())
	case len(words) == 0:
		s.report(s.watch(""))
	case len(words[0]) > 3:
		s.report(s.watch(match.ID(words[0])))
	default:
		if i, ok := number(words[0], len(s.listed)); ok {
			s.report(s.watch(s.listed[i]))
			return
		}
		s.printLine("No match of that number was told. Type matches to hear the matches in progress.")
	}
}

// number reads a number from 1 to most, and returns it counted from 0.
func number(word string, most int) (int, bool) {
	n, err := strconv.Atoi(word)
	return n - 1, err == nil && n >= 1 && n <= most
}

// myMatches tells the player's own matches.
func (s *session) myMatches([]string) {
	ids := s.manager.MatchesOf(s.player.ID)
	if len(ids) == 0 {
		s.printLine("You have no match on.")
		return
	}
	for i, id := range ids {
		text := strconv.Itoa(i+1) + ": " + s.about(id)
		for _, m := range s.manager.Summaries([]match.ID{id}) {
			if m.ToMove().ID == s.player.ID && !m.ForfeitAt.IsZero() {
				text += ", " + timeLeft(m, s.manager.Now()) + " left to go there"
			}
		}
		if !s.table.isNone() && s.table.ID == id {
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

// about is what a match of one's own is.
func (s *session) about(id match.ID) string {
	if on := s.manager.Summaries([]match.ID{id}); len(on) > 0 {
		return s.aboutOne(on[0])
	}
	return "a table that waits for a guest"
}

func (s *session) aboutOne(m match.Summary) string {
	text := wording.Variant(m.Variant) + " against " + nameOf(m.Opponent(s.player.ID))
	if m.Plies > 0 {
		text += ", " + wording.Count(m.Plies, "move", "moves")
	}
	if m.ToMove().ID == s.player.ID {
		text += ", your turn"
	}
	return text
}

// running tells a player who comes that matches are on; empty if none are.
func (s *session) running() string {
	ids := s.manager.MatchesOf(s.player.ID)
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return "You have a match on: " + s.about(ids[0]) + ". Type go to return to it."
	default:
		return "You have " + strconv.Itoa(len(ids)) + " matches on: type mine to hear them, and go to return to the first."
	}
}
