package journal

import "notakto/match"

// recentKept is how many archived matches a process remembers.
const recentKept = 4096

// recent remembers the last few IDs that were added. The zero value is empty.
type recent struct {
	ring [recentKept]match.ID
	next int
	set  map[match.ID]struct{}
}

func (r *recent) has(id match.ID) bool {
	_, ok := r.set[id]
	return ok
}

func (r *recent) add(id match.ID) {
	if r.has(id) {
		return
	}
	if r.set == nil {
		r.set = make(map[match.ID]struct{})
	}
	delete(r.set, r.ring[r.next])
	r.ring[r.next] = id
	r.next = (r.next + 1) % recentKept
	r.set[id] = struct{}{}
}
