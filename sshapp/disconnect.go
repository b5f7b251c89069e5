package sshapp

import (
	"encoding/binary"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// The reasons for a disconnection, as clients show them (RFC 4253, section 11.1).
const (
	hostNotAllowed     = 1  // SSH_DISCONNECT_HOST_NOT_ALLOWED_TO_CONNECT
	tooManyConnections = 12 // SSH_DISCONNECT_TOO_MANY_CONNECTIONS
)

// A word to a client that is let go may wait for this long, and as much of what it has sent is thrown away: a
// connection that is closed with unread input takes the word back.
const (
	disconnectWait = time.Second
	disconnectRead = 16 << 10
)

// disconnect is the packet that ends a connection before its first key exchange (RFC 4253, sections 6 and 11.1), in
// plain text.
func disconnect(reason uint32, text string) []byte {
	payload := gossh.Marshal(struct {
		Reason         uint32 `sshtype:"1"`
		Text, Language string
	}{reason, text, "en"})
	const header, block, leastPadding = 5, 8, 4
	padding := leastPadding + block - (header+len(payload)+leastPadding)%block
	packet := binary.BigEndian.AppendUint32(nil, uint32(1+len(payload)+padding))
	packet = append(packet, byte(padding))
	packet = append(packet, payload...)
	return append(packet, make([]byte, padding)...)
}

// sendDisconnect sends a last word, if no keys are being exchanged yet: afterwards the client expects it encrypted,
// which the SSH library alone could do, and cannot. It does not wait: what fits no buffer is not sent.
func (c *connection) sendDisconnect(refusal error) {
	if c.budgets.preauth.Begun() {
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(disconnectWait))
	reason := uint32(tooManyConnections)
	if isBan(refusal) {
		reason = hostNotAllowed
	}
	_, _ = c.Conn.Write(disconnect(reason, refusal.Error()))
}

// sendDisconnectAndDrain sends a last word to a client that has sent something already, and gives it time to read it.
func (c *connection) sendDisconnectAndDrain(refusal error) {
	c.sendDisconnect(refusal)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_ = c.SetReadDeadline(time.Now().Add(disconnectWait))
	rest := make([]byte, disconnectRead)
	for len(rest) > 0 {
		n, err := c.Conn.Read(rest)
		if err != nil {
			return
		}
		rest = rest[n:]
	}
}
