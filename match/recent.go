package match

// recent remembers a value for each of the keys that were set last, at least rememberMost of them and twice as many at
// most, without a look through all of them when it is full. The zero value is empty.
type recent[K comparable, V any] struct {
	newer, older map[K]V
}

// get returns the value of a key, or the zero value.
func (r *recent[K, V]) get(key K) V {
	if value, found := r.newer[key]; found {
		return value
	}
	return r.older[key]
}

// set gives a key a value.
func (r *recent[K, V]) set(key K, value V) {
	if r.newer == nil || len(r.newer) >= rememberMost {
		r.older, r.newer = r.newer, make(map[K]V)
	}
	r.newer[key] = value
}

// remove forgets a key.
func (r *recent[K, V]) remove(key K) {
	delete(r.newer, key)
	delete(r.older, key)
}

// len returns how many keys are remembered, those twice that were set again.
func (r *recent[K, V]) len() int { return len(r.newer) + len(r.older) }
