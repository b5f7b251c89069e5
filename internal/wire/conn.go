package wire

import (
	"bufio"
	"context"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
)

const (
	maxPacket = 256 << 10
	readAhead = 4 << 10
)

// ErrPacket reports an invalid packet from the server.
var ErrPacket = errors.New("the server sent what is no packet")

// Conn is a connection in any phase of the protocol. One goroutine may read while others send. A Conn does not
// enforce limits that a correct client would observe, such as windows.
type Conn struct {
	net.Conn
	in            *bufio.Reader
	clientVersion string // version line without its end
	serverVersion string
	session       []byte // session identifier, the hash of the first exchange
	offered       []byte // last KEXINIT sent

	writing sync.Mutex
	seal    *direction // sent packets, nil before encryption
	open    *direction // received packets, nil before encryption
}

// direction is one direction of an encrypted connection.
type direction struct {
	cipher.AEAD
	nonce []byte
}

// Dial connects from source, an address of this machine. receive is the size of the kernel's receive buffer in bytes,
// or 0 for the default.
func Dial(ctx context.Context, source net.IP, address string, receive int) (*Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: source}, Control: func(_, _ string, raw syscall.RawConn) error {
		if receive == 0 {
			return nil
		}
		return raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, receive)
		})
	}}
	plain, err := dialer.DialContext(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: plain, in: bufio.NewReaderSize(plain, readAhead)}, nil
}

// Greet exchanges the version lines.
func (c *Conn) Greet() error {
	c.clientVersion = "SSH-2.0-wire"
	if _, err := io.WriteString(c, c.clientVersion+"\r\n"); err != nil {
		return err
	}
	line, err := c.in.ReadString('\n')
	c.serverVersion = strings.TrimRight(line, "\r\n")
	return err
}

// Send sends a payload as one packet, encrypted after the key exchange. Send is safe for concurrent use.
func (c *Conn) Send(payload []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.Write(c.pack(payload))
	return err
}

func (c *Conn) pack(payload []byte) []byte {
	block, counted := 8, 5 // only the padding of an unencrypted packet counts the length field
	if c.seal != nil {
		block, counted = 16, 1
	}
	padding := block - (counted+len(payload))%block
	if padding < 4 {
		padding += block
	}
	packet := make([]byte, 5+len(payload)+padding, 5+len(payload)+padding+16) // capacity for the encryption tag
	binary.BigEndian.PutUint32(packet, uint32(1+len(payload)+padding))
	packet[4] = byte(padding)
	copy(packet[5:], payload)
	if c.seal == nil {
		return packet
	}
	return c.seal.sealed(packet)
}

// Next returns the payload of the next packet, or ErrPacket for an invalid one.
func (c *Conn) Next() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(head[:]))
	if length < 5 || length > maxPacket {
		return nil, fmt.Errorf("%w: length %d", ErrPacket, length)
	}
	if c.open != nil {
		length += c.open.Overhead()
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return nil, err
	}
	if c.open != nil {
		var err error
		if body, err = c.open.opened(head[:], body); err != nil {
			return nil, err
		}
	}
	if padding := int(body[0]); padding+1 < len(body) {
		return body[1 : len(body)-padding], nil
	}
	return nil, ErrPacket
}

func (d *direction) sealed(packet []byte) []byte {
	defer d.step()
	return d.Seal(packet[:4], d.nonce, packet[4:], packet[:4])
}

func (d *direction) opened(head, body []byte) ([]byte, error) {
	defer d.step()
	return d.Open(body[:0], d.nonce, body, head)
}

// step increments the counter in the nonce (RFC 5647, section 7.1).
func (d *direction) step() {
	count := d.nonce[4:]
	binary.BigEndian.PutUint64(count, binary.BigEndian.Uint64(count)+1)
}
