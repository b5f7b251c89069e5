package wire

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"math/big"

	"golang.org/x/crypto/ssh"
)

// Offer holds the algorithms that a client offers, as comma-separated lists.
type Offer struct {
	Exchange, HostKey, Cipher, MAC string
}

// Usual returns the algorithms of this package, with strict key exchange (CVE-2023-48795).
func Usual() Offer {
	return Offer{
		"curve25519-sha256,kex-strict-c-v00@openssh.com", "ssh-ed25519", "aes128-gcm@openssh.com", "hmac-sha2-256",
	}
}

// Propose sends a KEXINIT message.
func (c *Conn) Propose(o Offer) error {
	cookie := make([]byte, 16)
	_, _ = rand.Read(cookie)
	c.offered = ssh.Marshal(struct {
		Cookie                                         [16]byte `sshtype:"20"`
		Exchange, HostKey, Cipher, Cipher2, MAC, MAC2  string
		Compression, Compression2, Language, Language2 string
		Guessed                                        bool
		Reserved                                       uint32
	}{[16]byte(cookie), o.Exchange, o.HostKey, o.Cipher, o.Cipher, o.MAC, o.MAC, "none", "none", "", "", false, 0})
	return c.Send(c.offered)
}

// Exchange exchanges keys at the beginning or again on a running connection, and drops packets in between.
func (c *Conn) Exchange() error {
	if err := c.Propose(Usual()); err != nil {
		return err
	}
	theirs, err := c.Await(msgKexInit)
	if err != nil {
		return err
	}
	return c.Agree(theirs)
}

// Agree completes an exchange after both proposals. theirs is the server's KEXINIT packet.
func (c *Conn) Agree(theirs []byte) error {
	private, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	public := private.PublicKey().Bytes()
	if err := c.Send(ssh.Marshal(struct {
		Public []byte `sshtype:"30"`
	}{public})); err != nil {
		return err
	}
	reply, err := c.Await(msgKexReply)
	if err != nil {
		return err
	}
	var answer struct {
		HostKey   []byte `sshtype:"31"`
		Public    []byte
		Signature []byte
	}
	if err := ssh.Unmarshal(reply, &answer); err != nil {
		return err
	}
	peer, err := ecdh.X25519().NewPublicKey(answer.Public)
	if err != nil {
		return err
	}
	shared, err := private.ECDH(peer)
	if err != nil {
		return err
	}
	secret := ssh.Marshal(struct{ K *big.Int }{new(big.Int).SetBytes(shared)})
	hash := sha256.Sum256(append(ssh.Marshal(struct {
		ClientVersion, ServerVersion                string
		Ours, Theirs, HostKey, Public, ServerPublic []byte
	}{c.clientVersion, c.serverVersion, c.offered, theirs, answer.HostKey, public, answer.Public}), secret...))
	return c.change(secret, hash[:])
}

func (c *Conn) change(secret, hash []byte) error {
	if c.session == nil {
		c.session = hash
	}
	if err := c.Send([]byte{msgNewKeys}); err != nil {
		return err
	}
	c.seal = derive(secret, hash, c.session, 'A', 'C')
	if _, err := c.Await(msgNewKeys); err != nil {
		return err
	}
	c.open = derive(secret, hash, c.session, 'B', 'D')
	return nil
}

// derive implements RFC 4253, section 7.2, for keys no longer than a hash.
func derive(secret, hash, session []byte, nonce, key byte) *direction {
	letter := func(which byte) []byte {
		h := sha256.New()
		for _, part := range [][]byte{secret, hash, {which}, session} {
			_, _ = h.Write(part)
		}
		return h.Sum(nil)
	}
	block, _ := aes.NewCipher(letter(key)[:16])
	aead, _ := cipher.NewGCM(block)
	return &direction{aead, letter(nonce)[:12]}
}
