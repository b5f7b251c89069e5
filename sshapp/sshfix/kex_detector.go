package sshfix

import (
	"encoding/binary"
	"math"
)

// versionMark begins a client's first line. Earlier lines have no meaning (RFC 4253, section 4.2).
const versionMark = "SSH-"

// KexDetector finds the first byte after the packet that proposes algorithms. From that byte on, the client makes
// the SSH library exchange keys at a cost. The library calls the server only after the costly part has begun.
type KexDetector struct {
	start      [len(versionMark)]byte // first bytes of the line, later the packet's length
	n          int64                  // bytes so far of the line or of the packet
	hasGreeted bool
	isFound    bool
}

// Scan looks at p, the next bytes read from the client. The result is true once, for the p with the first byte after
// the proposal.
func (k *KexDetector) Scan(p []byte) bool {
	if k.isFound {
		return false
	}
	for _, b := range p {
		if k.n == k.end() {
			k.isFound = true
			return true
		}
		if k.n < int64(len(k.start)) {
			k.start[k.n] = b
		}
		k.n++
		if !k.hasGreeted && b == '\n' {
			*k = KexDetector{hasGreeted: string(k.start[:]) == versionMark}
		}
	}
	return false
}

// end returns the size of the proposal, or math.MaxInt64 while it is unknown.
func (k *KexDetector) end() int64 {
	if !k.hasGreeted || k.n < int64(len(k.start)) {
		return math.MaxInt64
	}
	return int64(len(k.start)) + int64(binary.BigEndian.Uint32(k.start[:]))
}
