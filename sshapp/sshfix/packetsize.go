package sshfix

import (
	"reflect"

	gossh "golang.org/x/crypto/ssh"
)

// MaxPacketSize returns the number of bytes that a client takes in one packet of a channel that it wants to open. The
// SSH library allows packets of nine bytes, and does not tell their size. With such packets, a byte of a screen
// would cost as much as fifty. If known is false, TestPacketsOfAFewBytesAreRefused fails.
func MaxPacketSize(offer gossh.NewChannel) (bytes uint64, known bool) {
	v := reflect.ValueOf(offer)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return 0, false
	}
	field := v.Elem().FieldByName("maxRemotePayload")
	if !field.CanUint() {
		return 0, false
	}
	return field.Uint(), true
}
