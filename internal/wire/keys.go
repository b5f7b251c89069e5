package wire

import (
	"math/big"

	"golang.org/x/crypto/ssh"
)

// CostlyKeys returns texts, by algorithm, that claim to be public keys and would cost much to check.
func CostlyKeys() map[string][]byte {
	long := func(bits uint) *big.Int {
		return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), bits-1), big.NewInt(1))
	}
	type rsa struct {
		Name string
		E, N *big.Int
	}
	type dsa struct {
		Name       string
		P, Q, G, Y *big.Int
	}
	return map[string][]byte{
		ssh.KeyAlgoRSA:       ssh.Marshal(rsa{ssh.KeyAlgoRSA, big.NewInt(65537), long(500_000)}),
		ssh.KeyAlgoRSASHA256: ssh.Marshal(rsa{ssh.KeyAlgoRSA, long(500_000), long(500_000)}),
		"ssh-dss":            ssh.Marshal(dsa{"ssh-dss", long(1024), long(800_000), long(1023), long(1023)}),
		ssh.KeyAlgoED25519:   make([]byte, 1<<20),
	}
}
