package sshfix

import (
	"reflect"

	gossh "golang.org/x/crypto/ssh"
)

// PacketLimit returns how many bytes a client takes in one packet of a channel that it wants to open. The SSH library
// allows packets of nine bytes, and has no method that tells their size. With such packets, each byte of a screen would
// cost as much as fifty. If known is false, TestPacketsOfAFewBytesAreRefused fails.
func PacketLimit(offer gossh.NewChannel) (bytes uint64, known bool) {
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
