package manager

import "context"

// executor runs calls in one goroutine, one after the other. Its methods are safe for concurrent use.
type executor struct {
	calls chan func()
	wake  chan struct{} // holds a value when the goroutine is to check what is due
	done  chan struct{} // closed when the goroutine has ended
	end   error         // the reason of the end; may be read once done is closed
}

func newExecutor() executor {
	return executor{calls: make(chan func()), wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// do runs call in the goroutine and returns its result. If ctx ends first, call may still run.
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

// wakeUp makes the goroutine check what is due. It never blocks.
func (x *executor) wakeUp() {
	select {
	case x.wake <- struct{}{}:
	default: // a wake-up is already pending
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
