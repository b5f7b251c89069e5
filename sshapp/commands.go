package sshapp

import (
	"context"
	"errors"
	"io"

	"charm.land/ssh"

	"notakto/sshapp/bot"
	"notakto/sshapp/command"
	"notakto/sshapp/idle"
	"notakto/sshapp/names"
	"notakto/sshapp/start"
)

var (
	// errQuotes says that a command line cannot be split into words.
	errQuotes      = errors.New("the quotes in the command do not match")
	errLongCommand = errors.New("the command is longer than any is")
	errNoShell     = errors.New("there is no shell here for which anything could be completed")
	// errNoFiles is for scp, sftp and whatever else is a subsystem.
	errNoFiles = errors.New("there are no files here to send or to fetch; to play, log in without a command")
)

// serveCommand is the door of a session with a command, or without a terminal that can show the game.
func (s *Server) serveCommand(sess *channel) {
	ctx, end := context.WithCancelCause(sess.life)
	defer end(nil)
	defer context.AfterFunc(s.stopping, func() { end(errServerStopped) })()
	typed := newBacklog(s.recovering(sess), sess.link.input)
	defer typed.close()
	root := command.New(command.Door{
		Name:    "ssh " + s.host,
		Host:    s.host,
		Version: s.version,
		In:      typed,
		Out:     s.patiently(sess, sess),
		Err:     s.patiently(sess, sess.Stderr()),
		Echo:    sess.terminal != nil,
		House:   s.houseFor(sess, typed),
	})
	words, err := sess.words()
	if err == nil {
		err = command.Run(ctx, root, words)
	}
	s.noteEnd(sess, err)
	_ = sess.Exit(int(command.Report(root, words, err)))
}

// noteEnd counts a session that was refused, or did not end of its own accord.
func (s *Server) noteEnd(sess *channel, err error) {
	for _, kind := range []struct {
		error
		reason
	}{{errNoFiles, noFiles}, {errLongCommand, longCommand}, {idle.ErrIdle, idled}, {bot.ErrBadLines, badLines}, {bot.ErrSlow, tooSlow}} {
		if errors.Is(err, kind.error) {
			sess.link.note(kind.reason, "session", sessionID(sess))
		}
	}
}

// houseFor is the server as the player of a session may use it, whose input is typed.
func (s *Server) houseFor(sess *channel, typed io.Reader) *command.House {
	house := &command.House{
		Player: playerOf(sess), Manager: s.manager, Idle: s.settings.Idle, Stall: s.settings.Stall, ASCII: !sess.env.utf8(),
		Refused: func(why error) { sess.link.note(gameLimit, "player", playerOf(sess).ID, "because", why) },
		Renamed: names.IsRenamed(playerOf(sess), sess.User()),
		Log:     s.log.With("session", sessionID(sess)),
	}
	if showsScreens(sess) {
		house.Game = func(from start.Place) { s.serveGame(sess, typed, from) }
	}
	return house
}

// showsScreens reports whether the client has a terminal, and not one that can do nothing.
func showsScreens(sess ssh.Session) bool {
	pty, _, terminal := sess.Pty()
	return terminal && pty.Term != "dumb"
}

// words is what the client said, split as a shell would. A terminal that cannot show the game is played on line by line.
func (c *channel) words() ([]string, error) {
	words := c.Command()
	switch {
	case c.endless:
		return nil, errLongCommand
	case words == nil && c.command != "":
		return nil, errQuotes
	case command.ForShells(words):
		return nil, errNoShell
	case c.files || len(words) > 0 && words[0] == "scp":
		return nil, command.Failed(errNoFiles)
	case len(words) == 0 && c.terminal != nil:
		return []string{"plain"}, nil
	}
	return words, nil
}

// patiently is a writer to a session's client, who is hung up on when nothing is read.
func (s *Server) patiently(sess ssh.Session, client io.Writer) *patient {
	return &patient{client: client, stall: s.settings.Stall, hangUp: connectionOf(sess.Context()).stalled}
}
