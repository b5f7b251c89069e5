package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// A new player gets the command, trusts the server by the line of known_hosts, and is then counted. The page ends with
// the server.
func TestServeHasAPageOnTheWeb(t *testing.T) {
	t.Parallel()
	const public = "localhost:2222"
	cert, key := writeCertificate(t, t.TempDir())
	s := start(t, nil, "--listen=127.0.0.1:0", "--data", t.TempDir(), "--web-listen=127.0.0.1:0",
		"--public-address="+public, "--web-cert="+cert, "--web-key="+key)
	text, err := os.ReadFile(cert)
	testkit.OK(t, err)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(text)
	web := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: "localhost"},
	}}
	defer web.CloseIdleConnections()
	get := func(path string) string {
		t.Helper()
		answer, err := web.Get("https://" + s.web + path)
		testkit.OK(t, err)
		page, err := io.ReadAll(answer.Body)
		testkit.OK(t, errors.Join(err, answer.Body.Close()))
		testkit.Equal(t, answer.StatusCode, http.StatusOK, path)
		return string(page)
	}
	testkit.Contains(t, get("/"), "ssh -p 2222 localhost", "No player is here just now")

	file := filepath.Join(t.TempDir(), "known_hosts")
	testkit.OK(t, os.WriteFile(file, []byte(get("/known_hosts")), 0o600))
	check, err := knownhosts.New(file)
	testkit.OK(t, err)
	conn, err := net.Dial("tcp", s.address)
	testkit.OK(t, err)
	defer conn.Close()
	player, channels, requests, err := ssh.NewClientConn(conn, public, &ssh.ClientConfig{
		User: "ann", HostKeyCallback: check, Auth: []ssh.AuthMethod{ssh.PublicKeys(newSigner(t, 1))},
	})
	testkit.OK(t, err)
	(&visitor{Client: ssh.NewClient(player, channels, requests)}).playComputer(t)
	counted := `"players":1,"matches":1`
	for begun := time.Now(); !strings.Contains(get("/live.json"), counted); <-time.After(10 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the player is not counted")
		}
	}
	testkit.Contains(t, get("/"), "Here now: 1 player, 1 match.")
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	if conn, err := net.Dial("tcp", s.web); err == nil {
		_ = conn.Close()
		t.Error("the page is served after the end")
	}
}

// withStranger is a listener to which all connections after the first ones come from another address.
type withStranger struct {
	net.Listener
	first int
}

type strangerConn struct{ net.Conn }

func (strangerConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

func (w *withStranger) Accept() (net.Conn, error) {
	conn, err := w.Listener.Accept()
	if w.first--; w.first < 0 && err == nil {
		return strangerConn{conn}, nil
	}
	return conn, err
}

// A flood from one address evicts itself, and a visitor from another one does not wait behind it.
func TestAFloodOfConnectionsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const flood = 100
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	s := serveHTTP(&withStranger{inner, flood}, nil, answer,
		httpLimits{conns: 8, headerRead: time.Minute, serveRate: 4}, slog.New(slog.DiscardHandler))
	defer s.close()
	for range flood {
		conn, err := net.Dial("tcp", inner.Addr().String())
		testkit.OK(t, err)
		defer conn.Close()
	}
	begun := time.Now()
	_, text := asks(t, http.MethodGet, "http://"+inner.Addr().String())
	testkit.Equal(t, text, "here")
	if took := time.Since(begun); took > 10*time.Second { // 8 connections take 2 s, and the flood would take 21 s
		t.Errorf("the visitor waited %v", took)
	}
}

// writeCertificate writes a new certificate for localhost and its key.
func writeCertificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testkit.OK(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	testkit.OK(t, err)
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	testkit.OK(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	testkit.OK(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}), 0o600))
	testkit.OK(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: bytes}), 0o600))
	return cert, key
}

// A certificate lasts some weeks, and a program renews it. A half-written one must not end the page.
func TestARenewedCertificateIsUsed(t *testing.T) {
	dir := t.TempDir()
	cert, key := writeCertificate(t, dir)
	c := &certificate{cert: cert, key: key, log: slog.New(slog.DiscardHandler)}
	testkit.OK(t, c.load())
	after := func(change func()) *tls.Certificate {
		t.Helper()
		change()
		c.tried = time.Time{} // as after certificateAge
		got, err := c.current(nil)
		testkit.OK(t, err)
		return got
	}
	first := after(func() {})
	testkit.Equal(t, after(func() { testkit.OK(t, os.WriteFile(cert, []byte("half"), 0o600)) }), first)
	second := after(func() { writeCertificate(t, dir) })
	testkit.Equal(t, slices.Equal(second.Certificate[0], first.Certificate[0]), false, "a new certificate")
	testkit.Equal(t, after(func() { testkit.OK(t, os.Remove(cert)) }), second)
}

// A server that cannot start says which setting to change.
func TestAServerThatCannotStartIsRefused(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer taken.Close()
	port := taken.Addr().String()
	const away = "127.0.0.1:1/n" // where nothing listens
	cert, key := writeCertificate(t, t.TempDir())
	_, other := writeCertificate(t, t.TempDir())
	exposed := filepath.Join(t.TempDir(), "key")
	testkit.OK(t, errors.Join(os.WriteFile(exposed, nil, 0o600), os.Chmod(exposed, 0o644)))
	page := "--web-listen=127.0.0.1:0 --public-address=localhost "
	for flags, want := range map[string][]string{
		"--listen=" + port: {"1" + port, "another program has that port", "--listen :2223", "NOTAKTO_LISTEN"},
		"--database=postgres://ann:secret@" + away: {
			"1cannot use the database postgres://ann:xxxxx@" + away + ": ", "another database with --database",
		},
		"--public-address=localhost --web-listen=" + port: {"1--web-listen", "another program"},
		"--web-listen=:0":                                     {"2--web-listen needs --public-address"},
		page + "--web-cert=" + cert:                           {"2--web-cert needs --web-key"},
		page + "--web-key=" + key:                             {"2--web-key needs --web-cert"},
		page + "--web-cert=" + cert + " --web-key=" + other:   {"2--web-cert " + cert, "does not match"},
		page + "--web-cert=" + key + " --web-key=" + key:      {"2--web-cert " + key, "certificate"},
		page + "--web-cert=" + cert + " --web-key=" + exposed: {"2--web-key cannot be", "chmod 600"},
		"--host-key=" + exposed:                               {"2--host-key cannot be", "mode 0644", "chmod 600 "},
	} {
		status := cli.ExitCode(want[0][0] - '0')
		args := append([]string{"--listen=127.0.0.1:0", "--data", t.TempDir()}, strings.Fields(flags)...)
		refused(t, status, nil, args, append(want[1:], want[0][1:])...)
	}
}
