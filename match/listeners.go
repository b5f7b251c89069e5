package match

import "sync"

// listeners are those who are told of something, under the lock of whoever tells it. The zero value has none.
type listeners[T any] struct{ all map[*func(T)]struct{} }

// add has tell called from now on, until stop is. lock is held by the caller of add, and taken by stop.
func (l *listeners[T]) add(lock sync.Locker, tell func(T)) (stop func()) {
	if l.all == nil {
		l.all = make(map[*func(T)]struct{})
	}
	l.all[&tell] = struct{}{}
	return func() {
		lock.Lock()
		defer lock.Unlock()
		delete(l.all, &tell)
	}
}

func (l *listeners[T]) tell(news T) {
	for tell := range l.all {
		(*tell)(news)
	}
}
