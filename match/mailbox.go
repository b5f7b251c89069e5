package match

// Mailbox keeps the newest of what was put into it, so that who puts never waits for who reads. Only one goroutine at a
// time may put and close.
type Mailbox[T any] chan T

// NewMailbox is an empty one.
func NewMailbox[T any]() Mailbox[T] { return make(Mailbox[T], 1) }

// Put puts a value in, in the place of one that was not read.
func (m Mailbox[T]) Put(value T) {
	select {
	case <-m:
	default:
	}
	m <- value // finds room: no other puts
}
