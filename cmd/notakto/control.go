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

// controlSocket is the name of the socket in the data directory that serves SSH to the operator without a login. Its
// file mode decides which users may connect.
const controlSocket = "control.sock"

// listenControl opens the control socket of a data directory. A socket that a killed server left is replaced.
func listenControl(data string) (net.Listener, error) {
	privateDir, err := os.MkdirTemp(data, "control") // other users cannot enter it before the socket has its mode
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(privateDir) }()
	path := filepath.Join(privateDir, "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if unix, ok := listener.(*net.UnixListener); ok { // always true for "unix"
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

// controlListener removes the socket file at Close.
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

const aboutAdmin = `Run an administrator's command at the server that runs on this machine.

It uses a socket in the data directory, which only the user of the server can open. The commands are those of
    ssh HOST admin COMMAND
for which a client needs a key in --admin-keys. Without a command it lists all of them. Only import reads standard
input.`

func adminCommand() cli.Command {
	data := ""
	return cli.Command{
		Use: "admin [--data DIRECTORY] [COMMAND...]", Short: "Administer the server that runs on this machine",
		Long: aboutAdmin, Example: "notakto admin status\nnotakto admin --data /var/lib/notakto who --json",
		Args: cli.AnyArguments,
		Flags: func(f *pflag.FlagSet) {
			f.SetInterspersed(false) // flags behind COMMAND belong to the server's command
			f.StringVar(&data, "data", "", "data `directory` of the server (default: that of the settings)")
		},
		Run: func(ctx context.Context, c *cli.Call, args []string) (a cli.Answer, err error) {
			if data == "" {
				settings, err := readSetting("data")
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

// errNoServer reports that no server listens on the control socket of a data directory.
var errNoServer = errors.New("no server runs")

// askControl runs a command of administrators on the server of a data directory, with its output to out. The error is
// [errNoServer], a [cli.ReportedError] if the server has printed the error, or an error of the connection.
func askControl(ctx context.Context, c *cli.Call, data string, out io.Writer, words ...string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", filepath.Join(data, controlSocket))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w on %s: start it, or name the data of another with --data", errNoServer, data)
	case err != nil:
		return fmt.Errorf("cannot reach the server of %s: %w", data, errors.Unwrap(err))
	}
	defer func() { _ = conn.Close() }()
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
	session.Stdout, session.Stderr = out, c.Err
	if len(words) > 0 && words[0] == "import" { // the others leave standard input to the script that runs them
		session.Stdin = c.In
	}
	line := "admin"
	// Quotes keep each of words one word for the server.
	for _, word := range words {
		line += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	err = session.Run(line)
	if exit := (*ssh.ExitError)(nil); errors.As(err, &exit) {
		return cli.ReportedError(exit.ExitStatus())
	}
	return err
}
