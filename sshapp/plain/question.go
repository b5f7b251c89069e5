package plain

import "strings"

// question is what the player is to answer with yes or no.
type question struct {
	yes func(*session)
	no  string // what is said when nothing is done
}

// answer takes a line for the answer to a question, if one was asked. A line that is neither yes nor no means no, and
// is obeyed then.
func (s *session) answer(text string) (answered bool) {
	asked := s.asked
	if s.asked = nil; asked == nil {
		return false
	}
	switch strings.ToLower(text) {
	case "yes", "y":
		asked.yes(s)
		return true
	case "no", "n":
		s.printLine(asked.no)
		return true
	default:
		s.printLine(asked.no)
		return false
	}
}

func (s *session) ask(words string, q question) {
	s.asked = &q
	s.printLine(words, "Type yes or no.")
}
