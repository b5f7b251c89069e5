package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// secret returns the settings for nodes on loopback: a random secret of this run.
func (s *stage) secret() ([]string, error) {
	file := filepath.Join(s.dir, "secret")
	return []string{"--cluster-secret-file", file}, os.WriteFile(file, []byte(rand.Text()), 0o600)
}

// credentials returns the settings for nodes in networks: a secret, and one self-signed certificate for all.
func (s *stage) credentials(hosts []string) ([]string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-maxLasting), NotAfter: time.Now().Add(2 * maxLasting),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, host := range hosts {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(host))
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	file := func(name string) string { return filepath.Join(s.dir, name) }
	trust, err := s.secret()
	return append(trust, "--cluster-cert", file("cert.pem"), "--cluster-key", file("key.pem"), "--cluster-ca",
			file("cert.pem")),
		errors.Join(err,
			os.WriteFile(file("cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600),
			os.WriteFile(file("key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
}
