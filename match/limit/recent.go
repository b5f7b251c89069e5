package limit

// Recent remembers a value for each of the keys that were set last, at least MaxRemembered of them and twice as many at
// most, without a look through all of them when it is full. The zero value is empty.
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

// Set gives a key a value.
func (r *Recent[K, V]) Set(key K, value V) {
	if r.newer == nil || len(r.newer) >= MaxRemembered {
		r.older, r.newer = r.newer, make(map[K]V)
	}
	r.newer[key] = value
}

// Remove forgets a key.
func (r *Recent[K, V]) Remove(key K) {
	delete(r.newer, key)
	delete(r.older, key)
}

// Len returns how many keys are remembered, those twice that were set again.
func (r *Recent[K, V]) Len() int { return len(r.newer) + len(r.older) }
