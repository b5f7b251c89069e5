//go:build attack

package main

import (
	"bytes"
	"fmt"
	"time"

	"notakto/internal/wire"
)

// offerAlgorithms checks the server's offer, offers algorithms that no server should accept any more, and violates the
// strict key exchange.
func (e *enemy) offerAlgorithms() error {
	change := map[string]func(*wire.Offer){
		"dh14":    func(o *wire.Offer) { o.Exchange = "diffie-hellman-group14-sha1,diffie-hellman-group1-sha1" },
		"nist":    func(o *wire.Offer) { o.Exchange = "ecdh-sha2-nistp256,ecdh-sha2-nistp521" },
		"dss":     func(o *wire.Offer) { o.HostKey = "ssh-dss,ssh-rsa" },
		"cbc":     func(o *wire.Offer) { o.Cipher = "aes128-cbc,3des-cbc,arcfour" },
		"sha1":    func(o *wire.Offer) { o.Cipher, o.MAC = "aes128-ctr", "hmac-sha1,hmac-sha1-96" },
		"nothing": func(o *wire.Offer) { *o = wire.Offer{} },
	}
	for name, worsen := range change {
		offer := wire.Usual()
		worsen(&offer)
		if _, err := e.exchange(offer, nil); err == nil {
			e.fault("%s is accepted", name)
		}
	}
	offered, err := e.exchange(wire.Usual(), nil)
	if err != nil {
		return fmt.Errorf("the usual exchange: %w", err)
	}
	for _, old := range []string{
		"diffie-hellman", "nistp", "cbc", "3des", "arcfour", "aes128-ctr", "sha1", "md5", "ssh-rsa", "ssh-dss", "zlib",
	} {
		if bytes.Contains(offered, []byte(old)) {
			e.fault("the server offers %s: %q", old, offered)
		}
	}
	if !bytes.Contains(offered, []byte("kex-strict-s-v00@openssh.com")) {
		e.fault("the server offers no strict key exchange: %q", offered)
	}
	if _, err := e.exchange(wire.Usual(), []byte{2, 0, 0, 0, 0}); err == nil {
		e.fault("a packet in between is accepted in strict key exchange")
	}
	e.figure("%d offers refused", len(change))
	return nil
}

// exchange exchanges keys with an offer, with a packet in between if it is not nil. It returns the server's offer.
func (e *enemy) exchange(offer wire.Offer, between []byte) (theirs []byte, err error) {
	conn, err := e.raw(0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if err := conn.Greet(); err != nil {
		return nil, err
	}
	if err := conn.Propose(offer); err != nil {
		return nil, err
	}
	if theirs, err = conn.Await(20); err != nil {
		return nil, err
	}
	if between != nil {
		if err := conn.Send(between); err != nil {
			return nil, err
		}
	}
	if err := conn.Agree(theirs); err != nil {
		return nil, err
	}
	return theirs, conn.Service()
}
