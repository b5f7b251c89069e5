package sshfix

import (
	"reflect"
	"unsafe"
)

// DrainReadAhead takes what the SSH library has read ahead from a connection that is closed, until it has noticed. A
// protocol error makes x/crypto (0.58) wait for its reader, which waits for ever to hand on what it has read: three
// goroutines a connection that a client could leave behind for ever by sending an unknown message and seventeen more.
// There is no way to that queue but this one; if it moves, found is false, and TestTheReadAheadIsFound says so.
func DrainReadAhead(conn any) (found bool) {
	packets, found := readAhead(conn)
	if !found {
		return false
	}
	go func() {
		for range packets { // its reader closes it
		}
	}()
	return true
}

// readAhead is the queue between the reader of an SSH connection and the handler of its packets.
func readAhead(conn any) (<-chan []byte, bool) {
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
