package sshapp

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/ssh"
	"github.com/spf13/cobra"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/tui"
)

// The exit statuses of a command.
const (
	exitDone  = 0
	exitUsage = 2
)

var (
	// errQuotes says that a command line cannot be split into words.
	errQuotes = errors.New("the quotes in the command do not match")
	// errNeedsTerminal says that the game cannot be shown.
	errNeedsTerminal = errors.New("the game needs a terminal: ssh -t HOST")
)

// serveCommand is the door of a session with a command or without a terminal.
func (s *Server) serveCommand(sess ssh.Session) {
	status := exitDone
	if err := execute(s.commands(sess), sess); err != nil {
		_, _ = fmt.Fprintf(sess.Stderr(), "notakto: %s\n", oneLine(err.Error()))
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
func (s *Server) commands(sess ssh.Session) *cobra.Command {
	root := &cobra.Command{
		Use:           "ssh HOST",
		Short:         "Play Notakto over SSH",
		Long:          "Play Notakto over SSH. With a terminal and no command, the game begins: ssh -t HOST",
		Args:          nearest,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), errNeedsTerminal)
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(sess)
	root.SetErr(sess.Stderr())
	root.AddCommand(s.playCommand(sess), s.joinCommand(sess), s.watchCommand(sess), s.versionCommand())
	return root
}

// nearest refuses a command that does not exist and proposes those that come near.
func nearest(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("there is no command %.40q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no command %.40q; `ssh HOST help` lists them", args[0])
}

func (s *Server) playCommand(sess ssh.Session) *cobra.Command {
	boards, level, private := rules.DefaultBoards, "", false
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Go straight to the queue, to the computer or to a private table",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			start, err := playStart(boards, level, private)
			if err != nil {
				return err
			}
			return s.startGame(sess, start)
		},
	}
	cmd.Flags().IntVar(&boards, "boards", boards, "number of boards, 1 to 9")
	cmd.Flags().StringVar(&level, "computer", level, "play the computer: "+levelNames())
	cmd.Flags().BoolVar(&private, "private", private, "make a private table and show its code")
	cmd.MarkFlagsMutuallyExclusive("computer", "private")
	return cmd
}

// playStart is where `play` begins.
func playStart(boards int, level string, private bool) (start tui.Start, err error) {
	start.Door = tui.AtQueue
	if private {
		start.Door = tui.AtPrivate
	}
	if level != "" {
		start.Door = tui.AtComputer
		if start.Level, err = strategy.ParseLevel(level); err != nil {
			return start, err
		}
	}
	start.Variant, err = rules.Notakto(boards)
	return start, err
}

func (s *Server) joinCommand(sess ssh.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "join CODE",
		Short: "Sit down at a private table, or come back to a guest's seat",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return s.startGame(sess, tui.Start{Door: tui.AtCode, Code: match.Code(args[0])})
		},
	}
}

func (s *Server) watchCommand(sess ssh.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "watch [MATCH]",
		Short: "Look on: at the match named, or at the busiest one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			start := tui.Start{Door: tui.AtMatch}
			if len(args) > 0 {
				start.Match = match.ID(args[0])
			}
			return s.startGame(sess, start)
		},
	}
}

func (s *Server) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this server runs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "notakto", s.version)
			return err
		},
	}
}

// startGame opens the game where a command says, on a terminal only.
func (s *Server) startGame(sess ssh.Session, start tui.Start) error {
	if _, _, terminal := sess.Pty(); !terminal {
		return errNeedsTerminal
	}
	s.serveGame(sess, start)
	return nil
}

func levelNames() string {
	var names []string
	for _, level := range strategy.Levels() {
		names = append(names, level.String())
	}
	return strings.Join(names, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
