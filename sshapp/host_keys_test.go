package sshapp

import (
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

// hostKeyMessage returns the message of a host key request about keys.
func hostKeyMessage(keys ...gossh.PublicKey) (message []byte) {
	for _, key := range keys {
		message = append(message, gossh.Marshal(struct{ Blob []byte }{key.Marshal()})...)
	}
	return message
}

// announced logs a client in and returns its connection with the first request of the server.
func (s *testServer) announced() (gossh.Conn, *gossh.Request) {
	s.t.Helper()
	conn, channels, requests, err := gossh.NewClientConn(s.connect(), s.address, login("ann", newKey(s.t, 1)))
	testkit.OK(s.t, err)
	first := <-requests
	client := gossh.NewClient(conn, channels, requests)
	s.t.Cleanup(func() { _ = client.Close() })
	return conn, first
}

// A client that is to trust the next key later needs a signature by that key over its own session.
func TestAClientLearnsTheNextHostKey(t *testing.T) {
	besideOthers(t)
	own, next := newKey(t, 0).PublicKey(), newKey(t, 9).PublicKey()
	h := startServer(t, func(o *options) { o.nextHostKey = newKey(t, 9) })
	conn, first := h.announced()
	testkit.Equal(t, first.Type, hostKeysRequest)
	testkit.Equal(t, first.WantReply, false)
	testkit.Equal(t, string(first.Payload), string(hostKeyMessage(own, next)))
	ok, answer, err := conn.SendRequest(hostKeysProveRequest, true, hostKeyMessage(next, own))
	testkit.OK(t, err)
	testkit.Equal(t, ok, true)
	for _, key := range []gossh.PublicKey{next, own} {
		var proof struct {
			Signature []byte
			Rest      []byte `ssh:"rest"`
		}
		var signature gossh.Signature
		testkit.OK(t, gossh.Unmarshal(answer, &proof))
		testkit.OK(t, gossh.Unmarshal(proof.Signature, &signature))
		testkit.OK(t, key.Verify(gossh.Marshal(struct {
			Request       string
			Session, Blob []byte
		}{"hostkeys-prove-00@openssh.com", conn.SessionID(), key.Marshal()}), &signature))
		answer = proof.Rest
	}
	testkit.Equal(t, len(answer), 0)
	ok, _, err = conn.SendRequest(hostKeysProveRequest, true, hostKeyMessage(next))
	testkit.OK(t, err)
	testkit.Equal(t, ok, false) // one proof a connection

	// A client that names the key of another server gets no signature, nor does one that asks for more than all keys.
	other := newKey(t, 8).PublicKey()
	for label, message := range map[string][]byte{
		"another key": hostKeyMessage(other), "its key and another": hostKeyMessage(own, other),
		"one key three times": hostKeyMessage(own, own, own), "a part of its key": hostKeyMessage(own)[:20],
		"garbage": []byte("\xff\xff\xff\xff"),
	} {
		conn, _ := h.announced()
		ok, answer, err := conn.SendRequest(hostKeysProveRequest, true, message)
		testkit.OK(t, err)
		testkit.Equal(t, ok, false, label)
		testkit.Equal(t, len(answer), 0, label)
	}
	_, first = startServer(t).announced() // without a next key
	testkit.Equal(t, string(first.Payload), string(hostKeyMessage(own)))
}
