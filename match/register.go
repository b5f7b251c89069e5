package match

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// register is what a manager knows of all matches at once: which tables are alive, who sits where, and where the codes lead. It may be used
// from any goroutine and calls nothing that waits.
type register struct {
	most int // matches a player

	mu       sync.Mutex
	draining bool
	closed   bool
	tables   map[ID]*table
	entries  map[ID]entry                 // of matches that are not over
	seats    map[PlayerID]map[ID]struct{} // at matches that are not over, or that are being entered
	codes    codebook
	running  sync.WaitGroup // the tables' goroutines
}

// entry is a match that is not over.
type entry struct {
	opened  time.Time
	players [2]PlayerID
}

func (e entry) has(p PlayerID) bool { return e.players[0] == p || e.players[1] == p }

func newRegister(most int) *register {
	return &register{
		most: most, tables: make(map[ID]*table), entries: make(map[ID]entry), seats: make(map[PlayerID]map[ID]struct{}),
		codes: newCodebook(),
	}
}

// welcome refuses a player who may not have another match: [ErrDraining], [ErrTooMany].
func (r *register) welcome(p PlayerID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.allow(p)
}

func (r *register) allow(p PlayerID) error {
	switch {
	case r.draining:
		return ErrDraining
	case len(r.seats[p]) >= r.most:
		return ErrTooMany
	}
	return nil
}

// claim is welcome, and counts a match that p is about to enter until it is noted or released.
func (r *register) claim(p PlayerID, id ID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.allow(p); err != nil {
		return err
	}
	r.enter(p, id)
	return nil
}

// release gives a claim back unless p did enter.
func (r *register) release(p PlayerID, id ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.entries[id].has(p) {
		r.exit(p, id)
	}
}

// note takes down how a match stands.
func (r *register) note(s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Over() {
		r.strike(s.ID)
		return
	}
	e := entry{opened: s.OpenedAt}
	r.codes.learn(s.key, spot{id: s.ID})
	for i, chair := range s.chairs {
		r.codes.learn(chair.Code, spot{id: s.ID, side: sides[i]})
		if e.players[i] = chair.Player.ID; chair.Taken && !chair.Player.IsComputer() {
			r.enter(chair.Player.ID, s.ID)
		}
	}
	r.entries[s.ID] = e
}

func (r *register) enter(p PlayerID, id ID) {
	if r.seats[p] == nil {
		r.seats[p] = make(map[ID]struct{}, 1)
	}
	r.seats[p][id] = struct{}{}
}

// forget drops a match that is over, or that cannot be played.
func (r *register) forget(id ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.strike(id)
}

func (r *register) strike(id ID) {
	r.codes.forget(id)
	for _, p := range r.entries[id].players {
		r.exit(p, id)
	}
	delete(r.entries, id)
}

func (r *register) exit(p PlayerID, id ID) {
	if delete(r.seats[p], id); len(r.seats[p]) == 0 {
		delete(r.seats, p)
	}
}

// of is the matches of p that are not over, oldest first.
func (r *register) of(p PlayerID) []ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]ID, 0, len(r.seats[p]))
	for id := range r.seats[p] {
		if r.entries[id].has(p) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b ID) int {
		return cmp.Or(r.entries[a].opened.Compare(r.entries[b].opened), cmp.Compare(a, b))
	})
	return ids
}

// list is the matches in progress, busiest first.
func (r *register) list() []Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Summary, 0, len(r.tables))
	for _, t := range r.tables {
		if face := t.face.Load(); face != nil {
			list = append(list, *face)
		}
	}
	slices.SortFunc(list, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.Spectators, a.Spectators), cmp.Compare(b.Plies, a.Plies), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// knows reports whether a match is alive here, or is known not to be over.
func (r *register) knows(id ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.entries[id]
	return known || r.tables[id] != nil
}

// draw takes a code for a spot.
func (r *register) draw(d *dice, to spot) (Code, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.codes.draw(d, to)
}

// find is where a code leads.
func (r *register) find(c Code) (spot, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to, ok := r.codes.spots[c]
	return to, ok
}
