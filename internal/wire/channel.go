package wire

import (
	"encoding/binary"

	"golang.org/x/crypto/ssh"
)

// The messages about channels have these numbers (RFC 4254, section 9).
const (
	msgOpen        = 90
	MsgConfirm     = 91
	MsgOpenRefused = 92
	MsgAdjust      = 93
	MsgData        = 94
	MsgEOF         = 96
	MsgClose       = 97
	msgRequest     = 98
	MsgDone        = 99
	MsgFailed      = 100
)

// Open returns the packet that opens a channel. ours is the client's number of the channel, and window is the number
// of bytes that the server may send.
func Open(kind string, ours, window uint32) []byte {
	return ssh.Marshal(struct {
		Kind                 string `sshtype:"90"`
		Ours, Window, Packet uint32
	}{kind, ours, window, 32 << 10})
}

// Session opens a session channel and returns the server's number of the channel, or ErrRefused.
func (c *Conn) Session(ours, window uint32) (theirs uint32, err error) {
	if err := c.Send(Open("session", ours, window)); err != nil {
		return 0, err
	}
	packet, err := c.Await(MsgConfirm, MsgOpenRefused)
	switch {
	case err != nil:
		return 0, err
	case packet[0] == MsgOpenRefused || len(packet) < 9:
		return 0, ErrRefused
	}
	return binary.BigEndian.Uint32(packet[5:]), nil
}

// Request returns the packet of a request on a channel.
func Request(channel uint32, kind string, answer bool, payload []byte) []byte {
	return ssh.Marshal(struct {
		Channel uint32 `sshtype:"98"`
		Kind    string
		Answer  bool
		Payload []byte `ssh:"rest"`
	}{channel, kind, answer, payload})
}

// Data returns the packet with data for a channel.
func Data(channel uint32, data []byte) []byte {
	return ssh.Marshal(struct {
		Channel uint32 `sshtype:"94"`
		Data    []byte
	}{channel, data})
}

// About returns a packet of type kind about a channel, with rest as the end of the message.
func About(kind byte, channel uint32, rest ...byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, channel), rest...)
}

// Terminal returns the payload of a pty-req.
func Terminal(name string, columns, rows uint32) []byte {
	return ssh.Marshal(struct {
		Name                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{name, columns, rows, 0, 0, ""})
}

// Size returns the payload of a window-change.
func Size(columns, rows uint32) []byte {
	return ssh.Marshal(struct{ Columns, Rows, Width, Height uint32 }{columns, rows, 0, 0})
}

// Play opens a session with a terminal and starts a game with the computer. Play returns the server's number of the
// channel.
func (c *Conn) Play(ours, window uint32) (theirs uint32, err error) {
	if theirs, err = c.Session(ours, window); err != nil {
		return 0, err
	}
	if err := c.Send(Request(theirs, "pty-req", true, Terminal("xterm-256color", 80, 24))); err != nil {
		return 0, err
	}
	command := ssh.Marshal(struct{ Command string }{"play --boards 9 --computer random"})
	return theirs, c.Send(Request(theirs, "exec", true, command))
}
