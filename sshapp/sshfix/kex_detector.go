package sshfix

import (
	"encoding/binary"
	"math"
)

// versionMark begins a client's first line; lines before it mean nothing (RFC 4253, section 4.2).
const versionMark = "SSH-"

// KexDetector finds the point at which a client begins to cost something: the first byte after the packet that proposes
// algorithms. What the client sends from there on makes the SSH library exchange keys. The library calls the server
// only after the costly part of the exchange has begun.
type KexDetector struct {
	start   [len(versionMark)]byte // the beginning of the line; later that of the packet, the length of its rest
	n       int64                  // bytes so far of the line or of the packet
	greeted bool
	over    bool
}

// Took takes p, the bytes that were read next from the client. It returns true once, when p has the first byte after
// the proposal.
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

// end returns the size of the proposal, or math.MaxInt64 while it is unknown.
func (k *KexDetector) end() int64 {
	if !k.greeted || k.n < int64(len(k.start)) {
		return math.MaxInt64
	}
	return int64(len(k.start)) + int64(binary.BigEndian.Uint32(k.start[:]))
}
