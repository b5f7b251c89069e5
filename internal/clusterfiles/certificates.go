package clusterfiles

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// lifetime is how long the certificates are valid. No client sees them, and a cluster does not survive their end.
const lifetime = 10 * 365 * 24 * time.Hour

// signed is a certificate and its key.
type signed struct {
	certificate *x509.Certificate
	key         ed25519.PrivateKey
}

// newAuthority makes the certificate that signs those of the nodes.
func newAuthority(now time.Time) (signed, error) {
	return sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "notakto cluster"}, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}, signed{}, now)
}

// certify makes the certificate of a node, signed by s. Nodes connect to each other, so it is valid for both sides.
func (s signed) certify(n Node, now time.Time) (signed, error) {
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: n.Host}, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if len(n.Host) > 64 {
		template.Subject.CommonName = "" // X.509's limit
	}
	if ip := net.ParseIP(n.Host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{n.Host}
	}
	return sign(template, s, now)
}

// sign makes a key, and a certificate for it that by signs. A zero by is the certificate itself.
func sign(template *x509.Certificate, by signed, now time.Time) (signed, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return signed{}, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return signed{}, err
	}
	template.NotBefore, template.NotAfter = now.Add(-time.Hour), now.Add(lifetime) // other clocks may be behind
	if by.certificate == nil {
		by = signed{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.certificate, public, by.key)
	if err != nil {
		return signed{}, err
	}
	made, err := x509.ParseCertificate(der)
	return signed{made, key}, err
}

// certificatePEM returns the certificate as a file.
func (s signed) certificatePEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.certificate.Raw})
}

// keyPEM returns the key as a file.
func (s signed) keyPEM() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(s.key)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}
