package manager

import "notakto/match"

// getOrCreate is the table of a match; if there is none, lay makes it and it runs by the plan. [ErrDraining], and
// [ErrConflict] where only a new table would do.
func (r *index) getOrCreate(id match.ID, p plan, open func() *table) (*table, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	opening := len(p.events) > 0
	t := r.tables[id]
	switch {
	case r.closed || r.draining && opening && t == nil:
		return nil, match.ErrDraining
	case t != nil && opening && !p.shared:
		return nil, match.ErrConflict
	case t == nil:
		t = open()
		r.tables[id] = t
		r.running.Go(func() { t.run(p) })
	}
	return t, nil
}

// leave says that a table's goroutine is about to end.
func (r *index) leave(t *table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tables, t.id)
}

func (r *index) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
}

func (r *index) isDraining() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draining
}

// close refuses every table from now on.
func (r *index) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
