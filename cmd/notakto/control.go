package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
)

// controlSocket is the socket in the data directory through which the operator reaches the running server. It serves
// SSH without a login. Its mode decides who may open it.
const controlSocket = "control.sock"

// listenControl opens the control socket of a data directory. It replaces the socket of a killed server.
func listenControl(data string) (net.Listener, error) {
	private, err := os.MkdirTemp(data, "control") // keeps other users from the socket until its mode is set
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(private) }() // it is empty
	path := filepath.Join(private, "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if unix, ok := listener.(*net.UnixListener); ok { // it is one
		unix.SetUnlinkOnClose(false)
	}
	err = os.Chmod(path, 0o600)
	if err == nil {
		err = os.Rename(path, filepath.Join(data, controlSocket))
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return controlListener{listener, filepath.Join(data, controlSocket)}, nil
}

// controlListener removes the socket when it is closed.
type controlListener struct {
	net.Listener
	path string
}

// Close implements [net.Listener].
func (c controlListener) Close() error {
	err := c.Listener.Close()
	if err == nil {
		err = os.Remove(c.path)
	}
	return err
}

const aboutAdmin = `Give a command of administrators to the server that runs on this machine.

It goes by a socket in the data directory, which only the user of the server may open. What is typed is what
    ssh HOST admin COMMAND
takes from those with a key in --admin-keys. Without a command it lists all.`

func adminCommand() cli.Command {
	data := ""
	return cli.Command{
		Use: "admin [--data DIRECTORY] [COMMAND...]", Short: "Look after the server that runs on this machine",
		Long: aboutAdmin, Example: "notakto admin status\nnotakto admin --data /var/lib/notakto who --json",
		Args: cli.AnyArguments,
		Flags: func(f *pflag.FlagSet) {
			f.SetInterspersed(false) // the flags behind COMMAND are the server's
			f.StringVar(&data, "data", "", "data `directory` of the server; that of the settings by default")
		},
		Run: func(ctx context.Context, c *cli.Call, args []string) (a cli.Answer, err error) {
			if data == "" {
				settings, err := configuredOnly("data")
				if err == nil {
					data, err = settings.data, settings.validate()
				}
				if err != nil {
					return a, cli.Usage(err)
				}
			}
			if len(args) > 0 && args[0] == "backup" && isTerminal(c.Out) {
				return a, admin.ErrTerminal
			}
			return a, askControl(ctx, c, data, c.Out, args...)
		},
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && colorprofile.Detect(f, []string{"TERM=xterm"}) > colorprofile.NoTTY
}

// errNoServer says that no server has the control socket of a data directory open.
var errNoServer = errors.New("no server runs")

// askControl gives a command of administrators to the server of a data directory, and writes the output to out. It
// returns [errNoServer], or a [cli.ReportedError] if the server has reported the error.
func askControl(ctx context.Context, c *cli.Call, data string, out io.Writer, words ...string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", filepath.Join(data, controlSocket))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w on %s: start it, or name the data of another with --data", errNoServer, data)
	case err != nil:
		return fmt.Errorf("cannot reach the server of %s: %w", data, errors.Unwrap(err))
	}
	defer func() { _ = conn.Close() }() // the whole answer was read
	logged, channels, requests, err := ssh.NewClientConn(conn, "", &ssh.ClientConfig{
		User:            "operator",
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), //nolint:gosec // the directory says which server it is
	})
	if err != nil {
		return fmt.Errorf("the server of %s: %w", data, err)
	}
	session, err := ssh.NewClient(logged, channels, requests).NewSession()
	if err != nil {
		return fmt.Errorf("the server of %s: %w", data, err)
	}
	session.Stdin, session.Stdout, session.Stderr = c.In, out, c.Err
	line := "admin"
	for _, word := range words { // quoted, so that the server takes each as one word
		line += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	err = session.Run(line)
	if exit := (*ssh.ExitError)(nil); errors.As(err, &exit) {
		return cli.ReportedError(exit.ExitStatus())
	}
	return err
}
