package sshfix

import (
	"reflect"
	"unsafe"
)

// DrainReadAhead empties the queue of packets that the SSH library has read ahead from a closed connection, until
// the library's reader closes the queue. After a protocol error, the reader waits for ever to add to a full queue. A
// client could leave three goroutines behind by sending an unknown message and seventeen more. If the library has
// moved the queue, found is false, and TestTheLibraryLeavesItsReaderBehind fails.
func DrainReadAhead(conn any) (found bool) {
	packets, found := readAheadQueue(conn)
	if !found {
		return false
	}
	go func() {
		for range packets { // the library's reader closes packets
		}
	}()
	return true
}

// readAheadQueue returns the queue between the reader of an SSH connection and the handler of its packets.
func readAheadQueue(conn any) (<-chan []byte, bool) {
	v := reflect.ValueOf(conn)
	for _, name := range []string{"transport", "incoming"} {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return nil, false
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return nil, false
		}
	}
	if !v.CanAddr() || v.Type() != reflect.TypeFor[chan []byte]() {
		return nil, false
	}
	return *(*chan []byte)(unsafe.Pointer(v.UnsafeAddr())), true //nolint:gosec // it is what its type says
}
