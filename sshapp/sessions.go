package sshapp

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

// sessions holds the sessions of this server. It finds those that an administrator names, and ends those that a ban
// excludes. Its methods may be called from any goroutine.
type sessions struct {
	accounts *account.Accounts
	manager  *manager.Manager

	mu  sync.Mutex
	all map[*channel]struct{}
}

// errNoneHere says that an order is for no session of this server.
var errNoneHere = errors.New("there is no such session")

func newSessions(accounts *account.Accounts, m *manager.Manager) *sessions {
	return &sessions{accounts: accounts, manager: m, all: map[*channel]struct{}{}}
}

// add adds a session until remove is called.
func (s *sessions) add(c *channel) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[c] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, c)
	}
}

// list returns the sessions, the oldest first.
func (s *sessions) list() []*channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*channel, 0, len(s.all))
	for c := range s.all {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(a.conn.number, b.conn.number), cmp.Compare(a.number, b.number))
	})
	return all
}

// describe returns the sessions as administrators see them, the oldest first.
func (s *sessions) describe() []admin.Session {
	var all []admin.Session
	for _, c := range s.list() {
		host, _, _ := net.SplitHostPort(c.conn.RemoteAddr().String())
		typed := c.slot.TypedAt()
		if typed.IsZero() {
			typed = c.began
		}
		all = append(all, admin.Session{
			ID: c.id(), Account: c.who.ID, Name: c.who.Name, Address: host, FrontEnd: c.frontEnd.Name,
			Since: c.began.UTC().Truncate(time.Second), Idle: int64(time.Since(typed) / time.Second),
			Matches: s.manager.MatchesOf(c.who.ID),
		})
	}
	return all
}

// tellAll shows a sentence in all sessions, and returns their number.
func (s *sessions) tellAll(text string) int {
	all := s.list()
	for _, c := range all {
		c.inbox.notify(text)
	}
	return len(all)
}

// kickBanned ends the sessions that the ban b excludes.
func (s *sessions) kickBanned(b account.Ban) {
	for _, c := range s.list() {
		for _, ban := range c.bans() {
			if ban.Subject == b.Subject {
				c.life.end(bannedError{ban})
			}
		}
	}
}

// addressed returns the sessions that an order is for, except the one that gives it.
func (s *sessions) addressed(one order) ([]*channel, error) {
	var all []*channel
	for _, c := range s.list() {
		isMeant := s.isNamed(c, one.To, one.giver != nil)
		switch {
		case one.Kind == orderSay:
			isMeant = isMeant || one.To == "" || slices.Contains(s.manager.MatchesOf(c.who.ID), match.ID(one.To))
		case one.Moderator && c.who.role == cli.Administrator:
			isMeant = false // a moderator cannot kick an administrator
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

// isNamed reports whether text names the player of c, as an account or as @ and a name. With bySession, text may also
// be the ID of session c. Orders of other servers cannot name a session, since only this server knows the IDs of its
// sessions. A name that no account has claimed is compared with the name under which the player is shown.
func (s *sessions) isNamed(c *channel, text string, bySession bool) bool {
	name, isName := strings.CutPrefix(text, "@")
	if !isName {
		return c.who.ID == match.PlayerID(text) || bySession && c.id() == text
	}
	if account := s.accounts.Owner(name); account != "" {
		return c.who.ID == account
	}
	return c.who.Name == name
}
