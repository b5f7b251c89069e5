package match

import "sync"

// subscribers are functions to be called for each value, with the publisher's lock held. The zero value has none.
type subscribers[T any] struct{ all map[*func(T)]struct{} }

// add registers fn until stop is called. The caller of add holds lock; stop acquires it.
func (l *subscribers[T]) add(lock sync.Locker, fn func(T)) (stop func()) {
	if l.all == nil {
		l.all = make(map[*func(T)]struct{})
	}
	l.all[&fn] = struct{}{}
	return func() {
		lock.Lock()
		defer lock.Unlock()
		delete(l.all, &fn)
	}
}

func (l *subscribers[T]) notify(news T) {
	for fn := range l.all {
		(*fn)(news)
	}
}
