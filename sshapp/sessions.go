package sshapp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"notakto/match"
	"notakto/sshapp/admin"
)

// sessionSet is the sessions that go on.
type sessionSet struct {
	mu  sync.Mutex
	all map[*channel]struct{}
}

// add puts a session in until remove is called.
func (s *sessionSet) add(c *channel) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*channel]struct{}{}
	}
	s.all[c] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, c)
	}
}

// list returns the sessions, the oldest first.
func (s *sessionSet) list() []*channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*channel, 0, len(s.all))
	for c := range s.all {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(a.conn.id.number, b.conn.id.number), cmp.Compare(a.number, b.number))
	})
	return all
}

// errNoneHere says that an order is for no session of this server.
var errNoneHere = errors.New("there is no such session")

// isNamed reports whether a text names a session: by an account, by @ and a name, or by the session's own name, which
// is known to its server alone. A name that no account has claimed is the one under which the player is shown.
func (s *Server) isNamed(c *channel, text string, bySession bool) bool {
	name, isName := strings.CutPrefix(text, "@")
	if !isName {
		return c.who.ID == match.PlayerID(text) || bySession && sessionID(c) == text
	}
	if account := s.people.accounts.Owner(name); account != "" {
		return c.who.ID == account
	}
	return c.who.Name == name
}

// addressed returns the sessions that an order is for: not the one in which it is given.
func (s *Server) addressed(one order) ([]*channel, error) {
	var all []*channel
	for _, c := range s.people.admin.sessions.list() {
		isMeant := s.isNamed(c, one.To, one.giver != nil)
		switch {
		case one.Kind == orderSay:
			isMeant = isMeant || one.To == "" || slices.Contains(s.manager.MatchesOf(c.who.ID), match.ID(one.To))
		case one.Moderator && c.who.role == admin.Administrator:
			isMeant = false // a moderator cannot
		}
		if isMeant && c != one.giver {
			all = append(all, c)
		}
	}
	isOther := func(c *channel) bool { return c.who.ID != all[0].who.ID }
	switch {
	case len(all) == 0 && one.To != "":
		return nil, fmt.Errorf("%w: %.60q", errNoneHere, one.To)
	case one.Kind == orderKick && slices.ContainsFunc(all, isOther):
		return nil, fmt.Errorf("several players are called %s: name one of their accounts, as of who", one.To)
	}
	return all, nil
}

// kickedError is why a session ends that an administrator has ended.
type kickedError struct{ reason string }

func (k kickedError) Error() string {
	if k.reason == "" {
		return "an administrator has disconnected you"
	}
	return "an administrator has disconnected you: " + k.reason
}

func isKicked(cause error) bool { return errors.As(cause, new(kickedError)) }

// notifyAll shows a sentence in all sessions, and returns how many there are.
func (s *sessionSet) notifyAll(text string) int {
	all := s.list()
	for _, c := range all {
		c.notify(text)
	}
	return len(all)
}
