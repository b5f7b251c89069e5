package main

import (
	"crypto/x509"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/crypto/x509roots/fallback/bundle"

	"notakto/internal/testkit"
)

// The container image has no file of certificates. HTTPS to --notify-url and TLS to PostgreSQL must work there.
func TestPublicAuthoritiesAreKnownWithoutFiles(t *testing.T) {
	const variable = "SSL_CERT_FILE"
	if os.Getenv(variable) != "none" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$") // a process reads the system's certificates once
		cmd.Env = append(os.Environ(), variable+"=none", "SSL_CERT_DIR=none")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // trusted for some certificates only
		}
		certificate, err := x509.ParseCertificate(root.Certificate)
		testkit.OK(t, err)
		_, err = certificate.Verify(x509.VerifyOptions{CurrentTime: certificate.NotBefore})
		testkit.OK(t, err)
	}
}
