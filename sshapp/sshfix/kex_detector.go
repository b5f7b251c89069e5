package sshfix

import (
	"encoding/binary"
	"math"
)

// versionMark begins a client's first line; lines before it mean nothing (RFC 4253, section 4.2).
const versionMark = "SSH-"

// KexDetector finds the point at which a client begins to cost something. It follows the client's first line and the
// packet that proposes algorithms. What comes after that has keys exchanged, and the SSH library begins with the costly
// part before it asks for anything that the server could notice.
type KexDetector struct {
	start   [len(versionMark)]byte // of the line, later of the packet, which is the length of the rest
	n       int64                  // bytes of that line, or of that packet
	greeted bool
	over    bool
}

// Took follows bytes that were read. It is true once, when the first byte after the proposal is among them.
func (k *KexDetector) Took(p []byte) bool {
	if k.over {
		return false
	}
	for _, b := range p {
		if k.n == k.end() {
			k.over = true
			return true
		}
		if k.n < int64(len(k.start)) {
			k.start[k.n] = b
		}
		k.n++
		if !k.greeted && b == '\n' {
			*k = KexDetector{greeted: string(k.start[:]) == versionMark}
		}
	}
	return false
}

// end returns the size of the proposal, as far as it is known.
func (k *KexDetector) end() int64 {
	if !k.greeted || k.n < int64(len(k.start)) {
		return math.MaxInt64
	}
	return int64(len(k.start)) + int64(binary.BigEndian.Uint32(k.start[:]))
}
