//go:build unix

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

// received reads the next message to systemd, "" if no message comes in time.
func received(t *testing.T, systemd *net.UnixConn, within time.Duration) string {
	t.Helper()
	testkit.OK(t, systemd.SetReadDeadline(time.Now().Add(within)))
	message := make([]byte, 4096)
	n, err := systemd.Read(message)
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	return string(message[:n])
}

func TestSystemdLearnsTheState(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	testkit.OK(t, err)
	defer func() { _ = systemd.Close() }()
	const watchdog = 500 * time.Millisecond
	began := time.Now()
	s := launch(t, []string{"NOTIFY_SOCKET=" + socket, "WATCHDOG_USEC=500000"}, "--listen=127.0.0.1:0", "--drain=1h")
	ready := s.line(t, "ready")
	s.address, s.fingerprint = ready["address"], ready["fingerprint"]
	const status = "\nSTATUS=sessions: 0, matches being played: 0"
	if got := received(t, systemd, 10*time.Second); got != "READY=1"+status {
		t.Fatalf("the first message is %q", got)
	}
	for range 4 {
		if got := received(t, systemd, 10*time.Second); got != "WATCHDOG=1"+status {
			t.Fatalf("the watchdog hears %q", got)
		}
	}
	if took := time.Since(began); took < watchdog {
		t.Errorf("four messages to the watchdog take %v, want at least half of %v each", took, watchdog)
	}
	p := join(t, s, "")
	for message := ""; !strings.Contains(message, "sessions: 1,"); {
		if message = received(t, systemd, 10*time.Second); message == "" {
			t.Fatal("the watchdog hears nothing")
		}
	}
	s.signal(t, syscall.SIGINT)
	p.screen(t, 'l')
	message := received(t, systemd, 10*time.Second)
	for strings.HasPrefix(message, "WATCHDOG=1") {
		message = received(t, systemd, 10*time.Second)
	}
	testkit.Equal(t, message, "STOPPING=1")
	s.stopped(t, 5*time.Second)
}

// passing makes cmd inherit the listeners as systemd passes them.
func passing(t *testing.T, cmd *exec.Cmd, listeners ...interface{ File() (*os.File, error) }) *exec.Cmd {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, l := range listeners {
		f, err := l.File()
		testkit.OK(t, err)
		t.Cleanup(func() { _ = f.Close() })
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	cmd.Path = shell
	cmd.Args = slices.Concat([]string{
		"sh", "-c", `LISTEN_FDS=$1 LISTEN_PID=$$; export LISTEN_FDS LISTEN_PID; shift; exec "$@"`,
		"sh", strconv.Itoa(len(listeners)),
	}, cmd.Args)
	return cmd
}

func TestASocketOfSystemdsIsUsed(t *testing.T) {
	t.Parallel()
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	testkit.OK(t, err)
	defer func() { _ = listener.Close() }()
	data := t.TempDir()
	for range 2 { // the second server serves the players that came while no server ran
		connection, err := net.Dial("tcp", listener.Addr().String())
		testkit.OK(t, err)
		s := begin(t, passing(t, program(t, nil, "--listen=:22", "--data", data, "--log-format=json"), listener))
		testkit.Equal(t, s.line(t, "ready")["address"], listener.Addr().String())
		banner := make([]byte, len("SSH-2.0-"))
		if _, err := io.ReadFull(connection, banner); err != nil || string(banner) != "SSH-2.0-" {
			t.Errorf("the player reads %q: %v", banner, err)
		}
		testkit.OK(t, connection.Close())
		s.signal(t, syscall.SIGTERM)
		s.stopped(t, 5*time.Second)
	}
}

func TestWrongSocketsAreRefused(t *testing.T) {
	t.Parallel()
	tcp, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	testkit.OK(t, err)
	defer func() { _ = tcp.Close() }()
	local, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "socket"), Net: "unix"})
	testkit.OK(t, err)
	defer func() { _ = local.Close() }()
	for want, listeners := range map[string][]interface{ File() (*os.File, error) }{
		"systemd passed 2 sockets": {tcp, tcp}, "of the kind unix": {local},
	} {
		cmd := passing(t, program(t, nil, "--data", t.TempDir()), listeners...)
		out, _ := cmd.CombinedOutput()
		testkit.Equal(t, cmd.ProcessState.ExitCode(), int(cli.ExitFailure), want)
		testkit.Contains(t, string(out), want)
	}
}
