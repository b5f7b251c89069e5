package main

import (
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
	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
)

// controlSocket is the file in the data directory by which the operator reaches the running server. It serves SSH
// without a login: who may open it is decided by its mode.
const controlSocket = "control.sock"

// listenControl opens the control socket of a data directory. It takes the place of one that a killed server has left.
func listenControl(data string) (net.Listener, error) {
	private, err := os.MkdirTemp(data, "control") // so that no one can open the socket before its mode is set
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

func newAdmin() *cobra.Command {
	data := ""
	cmd := &cobra.Command{
		Use: "admin [--data DIRECTORY] [COMMAND...]", Short: "Look after the server that runs on this machine",
		Long: aboutAdmin, Example: "notakto admin status\nnotakto admin --data /var/lib/notakto who --json",
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&data, "data", "", "data `directory` of the server; that of the settings by default")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if data == "" {
			var err error
			if data, err = dataDirectory(); err != nil {
				return err
			}
		}
		if len(args) > 0 && args[0] == "backup" && isTerminal(cmd.OutOrStdout()) {
			return player.RuntimeError(admin.ErrTerminal)
		}
		return player.RuntimeError(askControl(cmd, data, cmd.OutOrStdout(), args...))
	}
	return cmd
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && colorprofile.Detect(f, []string{"TERM=xterm"}) > colorprofile.NoTTY
}

// errNoServer says that no server has the control socket of a data directory open.
var errNoServer = errors.New("no server runs")

// statusError is how a command has ended that has said so itself.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// askControl gives a command of administrators, whose output goes to out, to the server of a data directory.
// [errNoServer], [statusError].
func askControl(cmd *cobra.Command, data string, out io.Writer, words ...string) error {
	conn, err := new(net.Dialer).DialContext(cmd.Context(), "unix", filepath.Join(data, controlSocket))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w on %s: start it, or name the data of another with --data", errNoServer, data)
	case err != nil:
		return fmt.Errorf("cannot reach the server of %s: %w", data, errors.Unwrap(err))
	}
	defer func() { _ = conn.Close() }() // what was said is read
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
	session.Stdin, session.Stdout, session.Stderr = cmd.InOrStdin(), out, cmd.ErrOrStderr()
	err = session.Run(strings.Join(quoted(append([]string{"admin"}, words...)), " "))
	if exit := (*ssh.ExitError)(nil); errors.As(err, &exit) {
		return statusError(exit.ExitStatus())
	}
	return err
}

// quoted returns words as a shell takes each as one.
func quoted(words []string) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return all
}

// report says what went wrong, unless that was said already, and returns the exit status.
func report(root *cobra.Command, words []string, err error) player.ExitCode {
	if status := statusError(0); errors.As(err, &status) {
		return player.ExitCode(status)
	}
	return player.Report(root, words, err)
}
