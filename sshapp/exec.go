package sshapp

import (
	"errors"
	"io"

	"charm.land/ssh"

	"notakto/sshapp/admin"
	"notakto/sshapp/bot"
	"notakto/sshapp/command"
	"notakto/sshapp/idle"
	"notakto/sshapp/limit"
	"notakto/sshapp/start"
	"notakto/sshapp/terminal"
)

var (
	// errQuotes says that a command line cannot be split into words.
	errQuotes      = errors.New("the quotes in the command do not match")
	errLongCommand = errors.New("the command line is too long: at most 4096 bytes are read")
	errNoShell     = errors.New("shell completion is not available over SSH")
	// errNoFiles is for scp, sftp and whatever else is a subsystem.
	errNoFiles = errors.New("there are no files here to send or to fetch; to play, log in without a command")
)

// dataPart is how many bytes are written at once to an administrator, who may fetch a backup.
const dataPart = 16 << 10

// serveCommand is the front end of a session with a command, or without a terminal that can show the game.
func (s *Server) serveCommand(sess *channel) {
	typed := newInputBuffer(s.newRecoverReader(sess), sess.conn.budgets.bytes)
	defer typed.close()
	out := s.newStallWriter(sess, sess)
	if sess.who.role == admin.Administrator {
		out.Part = dataPart
	}
	root := command.New(command.Env{
		Name:    "ssh " + s.host,
		Host:    s.host,
		Version: s.version,
		In:      typed,
		Out:     out,
		Err:     s.newStallWriter(sess, sess.Stderr()),
		Echo:    sess.asked.terminal != nil,
		Server:  s.commandEnv(sess, typed),
		More:    s.people.admin.commands(s, sess),
	})
	argv, err := sess.argvOf()
	if err == nil {
		err = command.Run(sess.life.ctx, root, argv)
	}
	sess.rejectFor(err)
	_ = sess.Exit(int(command.Report(root, argv, err)))
}

// rejectFor counts a session that was refused, or did not end of its own accord.
func (c *channel) rejectFor(err error) {
	for _, kind := range []struct {
		error
		reason limit.Reason
	}{
		{errNoFiles, limit.NoFiles}, {errLongCommand, limit.LongCommand}, {idle.ErrIdle, limit.Idled},
		{bot.ErrBadLines, limit.BadLines}, {bot.ErrSlow, limit.TooSlow},
	} {
		if errors.Is(err, kind.error) {
			c.reject(kind.reason)
		}
	}
}

// commandEnv is the server as the player of a session may use it, whose input is typed.
func (s *Server) commandEnv(sess *channel, typed io.Reader) *command.Server {
	server := &command.Server{
		Player: playerOf(sess), Accounts: s.people.accounts, History: s.people.history, Caller: sess.who.caller(),
		Manager: s.manager, Idle: s.settings.Load().Idle, Stall: s.settings.Load().Stall, ASCII: !sess.asked.env.UTF8(),
		OnLimit: func(why error) { sess.conn.reject(limit.GameLimit, "player", playerOf(sess).ID, "error", why) },
		Renamed: s.isRenamed(sess), Notices: sess.inbox.notices,
		Log:    s.log.With("session", sessionID(sess)),
		InTurn: func(do func()) { s.turns.Do(sess.life.ctx, limit.LargestNetworkOf(sess.conn.Source), do) },
	}
	if showsScreens(sess) {
		server.Game = func(from start.Start) { s.serveScreen(sess, typed, from) }
	}
	return server
}

// showsScreens reports whether the client has a terminal, and not one that can do nothing.
func showsScreens(sess ssh.Session) bool {
	pty, _, terminal := sess.Pty()
	return terminal && pty.Term != "dumb"
}

// argvOf is what the client said, split as a shell would. A terminal that cannot show the game is played on line by
// line.
func (c *channel) argvOf() ([]string, error) {
	argv := c.Command()
	switch {
	case c.asked.isTooLong:
		return nil, errLongCommand
	case argv == nil && c.asked.command != "":
		return nil, errQuotes
	case command.IsCompletionRequest(argv):
		return nil, errNoShell
	case c.asked.isSubsystem || len(argv) > 0 && argv[0] == "scp":
		return nil, command.RuntimeError(errNoFiles)
	case len(argv) == 0 && c.asked.terminal != nil:
		return []string{"plain"}, nil
	}
	return argv, nil
}

// newStallWriter is a writer to a session's client, who is hung up on when nothing is read.
func (s *Server) newStallWriter(sess ssh.Session, client io.Writer) *terminal.StallWriter {
	return &terminal.StallWriter{Client: client, Stall: s.settings.Load().Stall, OnStall: func() {
		connectionOf(sess.Context()).closeFor(limit.TooSlow)
	}}
}
