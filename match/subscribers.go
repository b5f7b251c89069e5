package match

import "sync"

// subscribers are callbacks, which are called under the lock of their owner. The zero value has none.
type subscribers[T any] struct{ all map[*func(T)]struct{} }

// add has tell called from now on, until stop is. lock is held by the caller of add, and taken by stop.
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
