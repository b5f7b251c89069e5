package sshapp

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/ssh"
	"github.com/spf13/cobra"
)

// The exit statuses of a command.
const (
	exitDone  = 0
	exitUsage = 2
)

// errQuotes says that a command line cannot be split into words.
var errQuotes = errors.New("the quotes in the command do not match")

// errNeedsTerminal says that the game cannot be shown.
var errNeedsTerminal = errors.New("the game needs a terminal: ssh -t HOST")

// serveCommand is the door of a session with a command or without a terminal.
func (s *Server) serveCommand(sess ssh.Session) {
	tree := s.commands()
	tree.SetOut(sess)
	tree.SetErr(sess.Stderr())
	status := exitDone
	if err := execute(tree, sess); err != nil {
		fmt.Fprintf(sess.Stderr(), "notakto: %s\n", oneLine(err.Error()))
		status = exitUsage
	}
	_ = sess.Exit(status)
}

func execute(tree *cobra.Command, sess ssh.Session) error {
	words := sess.Command()
	if words == nil && sess.RawCommand() != "" {
		return errQuotes
	}
	tree.SetArgs(append([]string{}, words...)) // never nil: cobra would take the server's own
	return tree.Execute()
}

// commands is the command tree as a client reaches it.
func (s *Server) commands() *cobra.Command {
	root := &cobra.Command{
		Use:           "ssh HOST",
		Short:         "Play Notakto over SSH",
		Long:          "Play Notakto over SSH. With a terminal and no command, the game begins: ssh -t HOST",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), errNeedsTerminal)
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(&cobra.Command{
		Use:   "version",
		Short: "Say which version this server runs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", s.version)
			return err
		},
	})
	return root
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
