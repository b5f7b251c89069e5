package sshfix

import (
	"reflect"

	gossh "golang.org/x/crypto/ssh"
)

// PacketLimit is how many bytes a client takes in one packet of a channel that it wants to open. The SSH library
// (x/crypto 0.58) goes down to nine, and does not say so: each of a screen's bytes would cost as much as fifty. If it
// is found no more, TestPacketsOfAFewBytesAreRefused says so.
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
