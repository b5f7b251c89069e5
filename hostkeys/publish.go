package hostkeys

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/netip"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Address names a server to clients as HOST or HOST:PORT, as the setting public-address does. HOST is a name or an IP
// address. An IPv6 address has brackets only before a port. The default port is 22.
type Address string

// split returns the host in lower case, because OpenSSH compares hosts in lower case, and the port.
func (a Address) split() (host, port string) {
	host, port, err := net.SplitHostPort(string(a))
	if err != nil {
		host, port = string(a), "22"
	}
	return strings.ToLower(host), port
}

// KnownHosts returns the line of a known_hosts file that makes OpenSSH trust key at a, without a line break.
func (a Address) KnownHosts(key ssh.PublicKey) string {
	host, port := a.split()
	if port != "22" {
		host = "[" + host + "]:" + port
	}
	return host + " " + PublicKey(key)
}

// PublicKey returns the type of key and the key in base64, with a space between.
func PublicKey(key ssh.PublicKey) string {
	return strings.TrimSuffix(string(ssh.MarshalAuthorizedKey(key)), "\n")
}

// SSHFP returns the DNS record with the SHA-256 hash of an ed25519 key (RFC 4255, 6594 and 7479), as a line of a zone
// file without a line break. The record holds for all ports of the name. For an IP address, which can have no record,
// the result is "".
func (a Address) SSHFP(key ssh.PublicKey) string {
	host, _ := a.split()
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	sum := sha256.Sum256(key.Marshal())
	// The final dot keeps a zone file from appending its own name.
	return strings.TrimSuffix(host, ".") + ". IN SSHFP 4 2 " + hex.EncodeToString(sum[:])
}
