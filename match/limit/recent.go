package limit

// Recent stores a value for each of the most recently set keys: MaxRemembered at least, twice as many at most. No
// operation scans all keys. The zero value is empty.
type Recent[K comparable, V any] struct {
	newer, older map[K]V
}

// Get returns the value of a key, or the zero value.
func (r *Recent[K, V]) Get(key K) V {
	if value, found := r.newer[key]; found {
		return value
	}
	return r.older[key]
}

// Set sets the value of a key.
func (r *Recent[K, V]) Set(key K, value V) {
	if r.newer == nil || len(r.newer) >= MaxRemembered {
		r.older, r.newer = r.newer, make(map[K]V)
	}
	r.newer[key] = value
}

// Remove removes a key.
func (r *Recent[K, V]) Remove(key K) {
	delete(r.newer, key)
	delete(r.older, key)
}

// Len returns how many keys are stored; a key that was set again may count twice.
func (r *Recent[K, V]) Len() int { return len(r.newer) + len(r.older) }
