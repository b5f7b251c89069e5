package rig

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo serves connections until the test ends. It sends each client the client's address and then echoes the input.
func echo(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
				_, _ = io.WriteString(conn, host)
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

func TestARelayDelaysAndKeepsTheAddress(t *testing.T) {
	const roundTrip = 60 * time.Millisecond
	address, err := StartRelay(t.Context(), echo(t), roundTrip)
	if err != nil {
		t.Fatal(err)
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 4, 1)}}
	begun := time.Now()
	conn, err := dialer.Dial("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, want := range []string{"127.0.4.1", "hello"} {
		got := make([]byte, len(want))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
			t.Fatalf("%q, %v", got, err)
		}
		if took := time.Since(begun); took < roundTrip {
			t.Errorf("%q came after %v", want, took)
		}
		begun = time.Now()
		_, _ = io.WriteString(conn, "hello")
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	if rest, err := io.ReadAll(conn); err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}
