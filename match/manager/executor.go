package manager

import "context"

// executor has one goroutine do what others ask for, one thing after the other. Its methods may be called from any
// goroutine.
type executor struct {
	calls chan func()
	wake  chan struct{} // has a value when the goroutine is to look again at what is due
	done  chan struct{} // closed when the goroutine has ended
	end   error         // why it has; to be read once done is closed
}

func newExecutor() executor {
	return executor{calls: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// do runs call in the goroutine and waits for its answer. If ctx ends first, call may still run.
func (x *executor) do(ctx context.Context, call func() error) error {
	reply := make(chan error, 1)
	select {
	case x.calls <- func() { reply <- call() }:
	case <-x.done:
		return x.end
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-x.done:
	}
	select {
	case err := <-reply:
		return err
	default:
		return x.end
	}
}

// wakeUp has the goroutine look again at what is due. It never waits.
func (x *executor) wakeUp() {
	select {
	case x.wake <- struct{}{}:
	default: // it is woken already and has not looked yet
	}
}

func (x *executor) isDone() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}
