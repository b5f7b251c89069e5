package match

// mailbox keeps the newest of what was put into it, so that whoever puts never waits for whoever reads. Only one goroutine at a time may
// put and close.
type mailbox[T any] chan T

func newMailbox[T any]() mailbox[T] { return make(mailbox[T], 1) }

func (m mailbox[T]) put(value T) {
	select {
	case <-m:
	default:
	}
	m <- value // finds room: nobody else puts
}
