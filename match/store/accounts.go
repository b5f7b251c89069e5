package store

import (
	"context"

	"notakto/match/account"
)

// Accounts implements [account.Log] on a [Store].
type Accounts struct{ store *Store }

// Accounts returns the log of events of accounts, such as linked keys, claimed names and bans.
func (s *Store) Accounts() Accounts { return Accounts{s} }

// Append implements [account.Log].
func (a Accounts) Append(ctx context.Context, e account.Event) (account.Event, error) {
	body, err := account.Encode(e)
	if err != nil {
		return account.Event{}, err
	}
	s := a.store
	err = s.do(ctx, &request{keys: []string{accountKey}, decide: func(g *group) error {
		if e.Seq != uint64(len(s.memory.accounts))+1 {
			return account.Conflict(e.Seq)
		}
		g.add(accountRow, string(e.Account), int64(e.Seq), body)
		return nil
	}})
	if err != nil {
		return account.Event{}, err
	}
	return a.Event(e.Seq), nil
}

// Event implements [account.Log].
func (a Accounts) Event(seq uint64) account.Event {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	return a.store.memory.accounts[seq-1]
}

// Subscribe implements [account.Log].
func (a Accounts) Subscribe(fn func(account.Event)) (stop func()) {
	s := a.store
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.memory.accounts {
		fn(e)
	}
	return s.memory.accountWatchers.Add(&s.mu, fn)
}
