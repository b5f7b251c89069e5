package match

// Mailbox is a channel that holds the newest value only, so that a sender never waits for the receiver. Only one
// goroutine at a time may put and close.
type Mailbox[T any] chan T

// NewMailbox returns an empty mailbox.
func NewMailbox[T any]() Mailbox[T] { return make(Mailbox[T], 1) }

// Put stores a value; it replaces one that was not received.
func (m Mailbox[T]) Put(value T) {
	select {
	case <-m:
	default:
	}
	m <- value // never blocks: no other goroutine puts
}
