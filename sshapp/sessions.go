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

// sessions holds the sessions of this server. Any goroutine may call its methods.
type sessions struct {
	accounts *account.Accounts
	manager  *manager.Manager

	mu  sync.Mutex
	all map[*channel]struct{}
}

var errNoneHere = errors.New("there is no such session")

func newSessions(accounts *account.Accounts, m *manager.Manager) *sessions {
	return &sessions{accounts: accounts, manager: m, all: map[*channel]struct{}{}}
}

func (s *sessions) add(ch *channel) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[ch] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, ch)
	}
}

// list returns the sessions, the oldest first.
func (s *sessions) list() []*channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*channel, 0, len(s.all))
	for ch := range s.all {
		all = append(all, ch)
	}
	slices.SortFunc(all, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(a.conn.number, b.conn.number), cmp.Compare(a.number, b.number))
	})
	return all
}

func (s *sessions) describe() []admin.Session {
	var all []admin.Session
	for _, ch := range s.list() {
		host, _, _ := net.SplitHostPort(ch.conn.RemoteAddr().String())
		typed := ch.slot.TypedAt()
		if typed.IsZero() {
			typed = ch.began
		}
		all = append(all, admin.Session{
			ID: ch.id(), Account: ch.identity.ID, Name: ch.identity.Name, Address: host, FrontEnd: ch.stats.Name,
			Since: ch.began.UTC().Truncate(time.Second), Idle: int64(time.Since(typed) / time.Second),
			Matches: s.manager.PlayerMatches(ch.identity.ID),
		})
	}
	return all
}

func (s *sessions) tellAll(text string) int {
	all := s.list()
	for _, ch := range all {
		ch.inbox.notify(text)
	}
	return len(all)
}

func (s *sessions) kickBanned(b account.Ban) {
	for _, ch := range s.list() {
		if ban := ch.banOn(b.Subject); ban != nil {
			ch.life.end(bannedError{*ban})
		}
	}
}

func (s *sessions) recipients(o order) ([]*channel, error) {
	var all []*channel
	for _, ch := range s.list() {
		isMeant := s.isNamed(ch, o.To, o.issuer != nil)
		switch {
		case o.Kind == orderSay:
			isMeant = isMeant || o.To == "" || slices.Contains(s.manager.PlayerMatches(ch.identity.ID), match.ID(o.To))
		case o.Moderator && ch.identity.role == cli.Administrator:
			isMeant = false // a moderator cannot kick an administrator
		}
		if isMeant && ch != o.issuer {
			all = append(all, ch)
		}
	}
	isOther := func(ch *channel) bool { return ch.identity.ID != all[0].identity.ID }
	switch {
	case len(all) == 0 && o.To != "":
		return nil, fmt.Errorf("%w: %.60q", errNoneHere, o.To)
	case o.Kind == orderKick && slices.ContainsFunc(all, isOther):
		return nil, fmt.Errorf("several players are called %s: give the account of one, which admin who shows", o.To)
	}
	return all, nil
}

// isNamed reports whether text names the player of ch, as an account or as @ and a name. With bySession, text may
// also be the ID of session ch. Only orders of this server may name a session, since other servers do not know its
// ID. A name that no account has claimed is compared with the displayed name.
func (s *sessions) isNamed(ch *channel, text string, bySession bool) bool {
	name, isName := strings.CutPrefix(text, "@")
	if !isName {
		return ch.identity.ID == match.PlayerID(text) || bySession && ch.id() == text
	}
	if account := s.accounts.Owner(name); account != "" {
		return ch.identity.ID == account
	}
	return ch.identity.Name == name
}
