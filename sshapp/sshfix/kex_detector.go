package sshfix

import (
	"encoding/binary"
	"math"
)

// versionMark begins the line that a client begins with; lines before it mean nothing (RFC 4253, section 4.2).
const versionMark = "SSH-"

// KexDetector follows what a client sends before it costs anything: its first line, and the packet that proposes
// algorithms. What comes behind that has keys exchanged, and the SSH library begins with the costly part before it asks
// for anything that the server could notice.
type KexDetector struct {
	start   [len(versionMark)]byte // of the line, later of the packet, which is the length of the rest
	n       int64                  // bytes of that line, or of that packet
	greeted bool
	over    bool
}

// Took follows bytes that were read, and is true once: when the first of those behind the proposal are among them.
func (o *KexDetector) Took(p []byte) bool {
	if o.over {
		return false
	}
	for _, b := range p {
		if o.n == o.end() {
			o.over = true
			return true
		}
		if o.n < int64(len(o.start)) {
			o.start[o.n] = b
		}
		o.n++
		if !o.greeted && b == '\n' {
			*o = KexDetector{greeted: string(o.start[:]) == versionMark}
		}
	}
	return false
}

// end is the size of the proposal, as far as it is known.
func (o *KexDetector) end() int64 {
	if !o.greeted || o.n < int64(len(o.start)) {
		return math.MaxInt64
	}
	return int64(len(o.start)) + int64(binary.BigEndian.Uint32(o.start[:]))
}
