package main

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// echo echoes every connection.
func echo(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return l
}

// expects reads the expected text, or nothing for a moment.
func expects(t *testing.T, conn net.Conn, want string) {
	t.Helper()
	limit := 20 * time.Second
	if want == "" {
		limit = 50 * time.Millisecond
	}
	if err := conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, max(1, len(want)))
	n, err := io.ReadFull(conn, got)
	if string(got[:n]) != want || want == "" && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("heard %q (%v), want %q", got[:n], err, want)
	}
}

func TestAStalledRelayKeepsEverythingBack(t *testing.T) {
	far := echo(t)
	near, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := newRelay(near, func() (net.Conn, error) { return net.Dial("tcp", far.Addr().String()) })
	conn, err := net.Dial("tcp", near.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	say := func(text string) {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	say("one")
	expects(t, conn, "one")
	for _, ways := range [][]way{{forth, back}, {forth}, {back}} {
		r.stall(ways...)
		say("two")
		expects(t, conn, "")
		r.resume()
		expects(t, conn, "two")
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection lasts: %v", err)
	}
}
