//go:build attack

package main

import (
	"crypto/rand"
	"math/big"
	"time"

	"golang.org/x/crypto/ssh"
)

func keyAttacks() []attack {
	return []attack{
		{name: "keys", memory: 12, run: (*enemy).offerKeys,
			holds: "no key costs more than 20 ms of processor time before the login"},
		{name: "queries", memory: 5, run: (*enemy).queryKeys, holds: "who asks for 128 keys is cut"},
		{name: "algorithms", memory: 5, run: (*enemy).offerAlgorithms,
			holds: "old algorithms are refused, strict key exchange is kept"},
		{
			name: "rekey", memory: 16, visitors: elsewhere, run: (*enemy).rekey,
			holds: "who makes new keys without end is closed, and logins go on",
		},
	}
}

// offerKeys queries keys that are expensive to check.
func (e *enemy) offerKeys() error {
	type rsa struct {
		Name string
		E, N *big.Int
	}
	type dsa struct {
		Name       string
		P, Q, G, Y *big.Int
	}
	long := func(bits int) *big.Int {
		n := new(big.Int).SetBytes(random(bits / 8))
		return n.SetBit(n.SetBit(n, bits-1, 1), 0, 1)
	}
	keys := []struct {
		name, algorithm string
		blob            []byte
	}{
		{"RSA of 500,000 bits", "ssh-rsa", ssh.Marshal(rsa{"ssh-rsa", big.NewInt(65537), long(500_000)})},
		{"RSA of 500,000 bits", "rsa-sha2-256", ssh.Marshal(rsa{"ssh-rsa", long(500_000), long(500_000)})},
		{"DSA with Q of 800,000 bits", "ssh-dss",
			ssh.Marshal(dsa{"ssh-dss", long(1024), long(800_000), long(1023), long(1023)})},
		{"200 KB of garbage", "ssh-ed25519", random(200 << 10)},
		{"1 MB of garbage", "ssh-ed25519", random(1 << 20)},
		{"a curve without a point", "ecdsa-sha2-nistp256",
			ssh.Marshal(struct{ Name, Curve, Point string }{"ecdsa-sha2-nistp256", "nistp256", "x"})},
	}
	times := e.pick(6, 20)
	worst := time.Duration(0)
	for k, kind := range keys {
		spent := e.spent(func() {
			e.many(times, 4, func(i int) { e.query(20*k+i, kind.algorithm, kind.blob) })
		}) / time.Duration(times)
		if worst = max(worst, spent); spent > 20*time.Millisecond {
			e.fault("%s costs %v", kind.name, spent)
		}
	}
	e.figure("at most %.1f ms each, with the connection", worst.Seconds()*1000)
	return nil
}

func random(n int) []byte {
	text := make([]byte, n)
	_, _ = rand.Read(text)
	return text
}

// query connects and queries one key; a closed connection counts as a refusal.
func (e *enemy) query(n int, algorithm string, blob []byte) {
	conn, err := e.keyed(n)
	if err != nil {
		e.fault("connect: %v", err)
		return
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if err := conn.Service(); err != nil {
		e.fault("ask for a login: %v", err)
		return
	}
	_ = conn.Probe("mallory", algorithm, blob)
}

// queryKeys queries one valid key after another.
func (e *enemy) queryKeys() error {
	conn, err := e.keyed(0)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.Service(); err != nil {
		return err
	}
	asked := 0
	for asked < 10_000 && conn.Probe("mallory", "ssh-ed25519", key(asked).PublicKey().Marshal()) == nil {
		asked++
	}
	e.figure("cut after %d queries", asked)
	if asked > 128 {
		e.fault("%d queries were answered", asked)
	}
	return nil
}
