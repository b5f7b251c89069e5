package match

import (
	"context"
	"errors"
	"sync"

	"notakto/rules"
)

// Lobby is where players wait for an opponent: one queue for each variant over all nodes of the house, the longest waiting first, and one
// place for each identity over all queues. The places are notes on the board, so every node sees the same queues. Its methods may be called
// from any goroutine.
type Lobby struct {
	manager *Manager
	work    sync.WaitGroup // goroutines that claim opponents, lay tables and give places up

	mu       sync.Mutex
	wall     map[string]place   // what the board shows
	seeks    map[PlayerID]*Seek // that were taken from this node
	draining bool
}

func newLobby(m *Manager) *Lobby {
	return &Lobby{manager: m, wall: make(map[string]place), seeks: make(map[PlayerID]*Seek)}
}

// Seek takes a place in the queue of a variant. [ErrAlreadySeeking], [ErrTooMany], [ErrDraining], [ErrUnavailable].
func (l *Lobby) Seek(ctx context.Context, p Player, v rules.Variant) (*Seek, error) {
	if !v.Valid() {
		return nil, rules.ErrBadVariant
	}
	if err := l.manager.register.welcome(p.ID); err != nil {
		return nil, err
	}
	s := &Seek{lobby: l, player: p, box: newMailbox[SeekStatus]()}
	if err := l.enter(s); err != nil {
		return nil, err
	}
	err := l.take(ctx, place{Player: p, Variant: v, Node: l.manager.nodes.self})
	if err == nil {
		return s, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, ErrUnavailable) && l.hasPlace(s, v) {
		return s, nil
	}
	l.end(s)
	return nil, err
}

// hasPlace reports whether the board shows a place, or has shown one that led to a match, whatever became of the answer to taking it.
func (l *Lobby) hasPlace(s *Seek, v rules.Variant) bool {
	p, stands := l.wall[keyOf(s.player.ID)]
	return s.laying || s.over || stands && p.Node == l.manager.nodes.self && p.Variant == v && l.isGood(p)
}

func (l *Lobby) enter(s *Seek) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.draining:
		return ErrDraining
	case l.seeks[s.player.ID] != nil:
		return ErrAlreadySeeking
	}
	l.seeks[s.player.ID] = s
	return nil
}

// take pins a place, where there is none or one that means nothing any more.
func (l *Lobby) take(ctx context.Context, p place) error {
	err := l.pin(ctx, p)
	if !errors.Is(err, ErrConflict) {
		return err
	}
	l.mu.Lock()
	old, stands := l.wall[keyOf(p.Player.ID)]
	stands = stands && l.isGood(old) && old.Match == ""
	l.mu.Unlock()
	if p.note = old.note; stands {
		return ErrAlreadySeeking
	}
	if err = l.pin(ctx, p); errors.Is(err, ErrConflict) {
		return ErrAlreadySeeking
	}
	return err
}

// pin puts a place up instead of its note.
func (l *Lobby) pin(ctx context.Context, p place) error {
	ctx, cancel := context.WithTimeout(ctx, l.manager.cfg.Patience)
	defer cancel()
	_, err := l.manager.cfg.Board.Pin(ctx, Note{Key: keyOf(p.Player.ID), Text: p.text(), Revision: p.note.Revision})
	return err
}

// unpin takes a place down.
func (l *Lobby) unpin(p place) error {
	ctx, cancel := context.WithTimeout(l.manager.ctx, l.manager.cfg.Patience)
	defer cancel()
	return l.manager.cfg.Board.Unpin(ctx, p.note)
}

// isGood reports whether whoever took a place still renews it.
func (l *Lobby) isGood(p place) bool {
	return l.manager.cfg.Journal.Now().Sub(p.note.At) <= NoteLife
}

// end closes a seek.
func (l *Lobby) end(s *Seek) {
	if s.over {
		return
	}
	s.over = true
	if l.seeks[s.player.ID] == s {
		delete(l.seeks, s.player.ID)
	}
	close(s.box)
}

// drain gives up the places of this node and refuses new ones.
func (l *Lobby) drain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draining = true
	for _, s := range l.seeks {
		l.work.Go(func() { l.giveUp(s) })
	}
}
