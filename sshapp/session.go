package sshapp

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"notakto/match/account"
	"notakto/match/limit"
	"notakto/sshapp/bot"
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/names"
	"notakto/sshapp/plain"
	"notakto/sshapp/screen"
	"notakto/sshapp/start"
	"notakto/sshapp/terminal"
	"notakto/sshapp/tui"
	"notakto/sshapp/tui/draw"
)

// serve runs the session of a client that has asked for a front end. A panic in it ends only this session. A banned
// player is refused, and so is a client for which the server has no room.
func (c *channel) serve() {
	s := c.conn.server
	defer func() {
		if fault := recover(); fault != nil {
			c.life.note(endPanic)
			c.logPanic("front end")(fault)
			c.exit(cli.ExitFailure)
		}
	}()
	if s.refuseBanned(c) {
		return
	}
	defer s.beginSession(c)()
	if s.waitForRoom(c) {
		s.serveFrontEnd(c)
	}
}

var errNotAllowed = errors.New("this is a private server: to play, send its operator your public key " +
	"(ssh-keygen -t ed25519 makes one), and connect again with it")

// refuseBanned reports whether the player is banned or may not play on a private server. If so, it tells the client why
// and ends the session. It looks again for bans, since one may be newer than the channel. It is a separate function to
// keep its variables off the stack of the session.
func (s *Server) refuseBanned(c *channel) bool {
	ban := c.who.ban
	if ban == nil {
		ban = longest(c.bans())
	}
	var why error
	switch {
	case ban != nil:
		c.reject(limit.Banned, "player", c.who.ID, "reference", ban.Reference)
		why = bannedError{*ban}
	case c.who.role == cli.Player && !s.admins.MayPlay(c.conn.key):
		c.reject(limit.NotAllowed, "player", c.who.ID)
		why = errNotAllowed
	default:
		return false
	}
	_, _ = fmt.Fprintf(s.newStallWriter(c, c.Stderr()), "notakto: %s\n", why)
	c.exit(cli.ExitFailure)
	return true
}

// route serves the full screen to a client with a terminal and no command. It serves every other client a command.
func (s *Server) route(c *channel) {
	if c.asked.showsScreens() && strings.TrimSpace(c.asked.command) == "" && !c.asked.isSubsystem {
		s.serveScreen(c, start.Start{})
	} else {
		s.serveCommand(c)
	}
}

// serveScreen serves the full screen. The game begins at from.
func (s *Server) serveScreen(sess *channel, from start.Start) {
	sess.conn.measureRoundTrip()
	config := s.screenConfig(sess, from)
	chosen := s.keepPreferences(sess, config)
	screen.Run(sess.life.ctx, sess.input, config)
	if *chosen != nil {
		s.remember(sess, **chosen)
	}
}

// keepPreferences copies the preferences of the player's account into config. The screens store changed preferences in
// *chosen, which is nil until the player changes something. Guests have no preferences. It is a separate function to
// keep its variables off the stack of the session.
func (s *Server) keepPreferences(sess *channel, config *screen.Config) **account.Preferences {
	chosen := new(*account.Preferences)
	if sess.who.key != "" {
		info := s.accounts.Info(sess.who.ID)
		config.Screens.Preferences, config.Screens.DeletedAt = info.Preferences, info.DeletedAt
		config.Screens.OnPreferences = func(p account.Preferences) { *chosen = &p }
	}
	return chosen
}

// rememberWithin limits how long the end of a session waits until preferences are stored.
const rememberWithin = 2 * time.Second

// remember stores the preferences that a player chose on the full screen. If that takes longer than rememberWithin,
// they are lost.
func (s *Server) remember(sess *channel, p account.Preferences) {
	ctx, cancel := context.WithTimeout(context.Background(), rememberWithin)
	defer cancel()
	if err := s.accounts.SetPreferences(ctx, sess.who.caller(), p); err != nil {
		s.log.Debug("preferences are not stored", "event", "preferences-lost", "player", sess.who.ID, "error", err)
	}
}

func (s *Server) screenConfig(sess *channel, from start.Start) *screen.Config {
	client := terminal.Describe(*sess.asked.terminal, sess.asked.env)
	return &screen.Config{
		Screens: tui.Config{
			Player:  sess.who.Player,
			Manager: s.manager,
			Client:  sess,
			History: s.history,
			Theme:   s.themes.For(draw.Auto, client.Profile, draw.CharsetOf(client.Name, client.UTF8)),
			Start:   from,
			Host:    s.hostFor(sess.conn),

			RoundTrip: sess.conn.roundTrip.least,
			Renamed:   s.isRenamed(sess),
			ByLogin:   s.isByLogin(sess),
		},
		Client:   client,
		Output:   s.newStallWriter(sess, sess.Channel),
		Windows:  sess.inbox.windows,
		OnResize: sess.inbox.onResize,
		Notices:  sess.inbox.notices,
		OnNotice: sess.inbox.onNotice,
		Pay:      func(ctx context.Context, n int) { sess.input.pay(ctx, n*keyPrice) },
		OnPaste:  sess.input.discards.Store,
		OnReject: func(why limit.Reason, err error) {
			sess.reject(why, "error", err)
		},
		Log:     s.log.With("session", sess.id()),
		Idle:    s.settings.Load().Idle,
		Turns:   s.turns,
		Network: limit.LargestNetworkOf(sess.conn.Source),
		Buffers: &s.buffers,
		Latency: s.Stats.KeyToFrame,
	}
}

// beginSession logs and counts the beginning of a session, and adds the session to s.sessions. end removes the session,
// and logs and counts its end. beginSession is a separate function to keep its variables off the stack of the session.
func (s *Server) beginSession(c *channel) (end func()) {
	c.began = time.Now()
	c.frontEnd.Started.Add(1)
	c.frontEnd.Active.Add(1)
	var window ssh.Window
	if c.asked.terminal != nil {
		window = c.asked.terminal.Window
	}
	s.log.Info("session began", "event", "session-begin",
		"player", c.who.ID, "name", c.who.Name, "address", c.conn.RemoteAddr(),
		"conn", c.conn.number, "session", c.id(), "front_end", c.frontEnd.Name,
		"command", c.asked.loggedCommand(c.who.role), "client", shortened(string(c.conn.client.ClientVersion())),
		"columns", window.Width, "rows", window.Height)
	leave := s.sessions.add(c)
	// kickBanned did not find this session if the ban was recorded between refuseBanned and add.
	if ban := longest(c.bans()); ban != nil {
		c.life.end(bannedError{*ban})
	}
	s.schedule.greet(c)
	return func() {
		leave()
		why, status := c.life.ended(c.conn.closeReason(), s.schedule.stopped.Err() != nil)
		took := time.Since(c.began)
		c.frontEnd.Active.Add(-1)
		c.frontEnd.Ends.Add(why, 1)
		c.frontEnd.Duration.Observe(took)
		s.log.Info("session ended", "event", "session-end",
			"player", c.who.ID, "name", c.who.Name, "address", c.conn.RemoteAddr(),
			"conn", c.conn.number, "session", c.id(), "front_end", c.frontEnd.Name,
			"reason", why, "status", int(status), "duration_ms", took.Milliseconds())
	}
}

// identify returns the player of a session. key is the public key that the client proved at the login, nil for a guest.
// The user name is only the name that the player wants.
func (s *Server) identify(key ssh.PublicKey, connectionID []byte, user string) identity {
	user = names.OfLogin(user)
	if key == nil {
		return identity{Player: names.Guest(hex.EncodeToString(connectionID), user)}
	}
	id := s.accounts.Key(gossh.FingerprintSHA256(key))
	return identity{s.accounts.Player(id, user), id, s.admins.RoleOf(key), nil}
}

// isRenamed reports whether a player without a claimed name is shown under another name than that of the login.
func (s *Server) isRenamed(sess *channel) bool {
	return s.accounts.NameOf(sess.who.ID) == "" && names.IsRenamed(sess.who.Player, names.OfLogin(sess.conn.client.User()))
}

// isByLogin reports whether a player without a claimed name is shown under the name of the login.
func (s *Server) isByLogin(sess *channel) bool {
	login := names.OfLogin(sess.conn.client.User())
	return s.accounts.NameOf(sess.who.ID) == "" && login != "" && !names.IsRenamed(sess.who.Player, login)
}

const maxLoggedCommand = 80

// shortened returns a client's text for the log: at most maxLoggedCommand bytes, without line breaks and control
// characters.
func shortened(text string) string {
	return cli.Printable(text[:min(len(text), maxLoggedCommand)])
}

// logPanic returns a function that logs a panic in part of the session. The deferred function that recovers calls it,
// so that the log has the stack of the panic.
func (c *channel) logPanic(part string) func(any) {
	return func(fault any) {
		c.conn.server.log.Error("session ended by a panic", "event", "panic", "in", part, "session", c.id(), "panic", fault,
			"stack", string(debug.Stack()))
	}
}

// dataPart is the size of one write to an administrator, in bytes. A backup is large.
const dataPart = 16 << 10

// serveCommand runs the session's command, or the plain game on a terminal that cannot show the full screen. Then it
// serves the front end to which the command leads.
func (s *Server) serveCommand(sess *channel) {
	sess.input.set(ahead)
	next, status := s.runCommand(sess)
	switch {
	case next == nil:
	case next.Kind == player.Screen:
		sess.input.set(direct)
		s.serveScreen(sess, next.Start)
	default:
		status = s.serveLines(sess, next)
	}
	sess.exit(status)
}

// runCommand runs the session's command. It returns the exit status, and the front end to which the command leads, nil
// for none. It is a separate function to keep the command off the stack of serveCommand, which lasts as long as the
// session.
func (s *Server) runCommand(sess *channel) (next *player.FrontEnd, status cli.ExitCode) {
	out, errs := s.commandOutput(sess)
	host := s.hostFor(sess.conn)
	env := cli.Env{
		Name: "ssh " + host, Version: s.version.String(), In: sess.input, Out: out, Err: errs, IsRemote: true,
		Role: sess.who.role, Record: adminServer{s, sess}.record,
	}
	argv, err := sess.asked.argv()
	if err != nil {
		status = cli.Report(errs, err, env.Name+" help")
	} else {
		root := player.Root(player.Env{
			Name: env.Name, Host: host, Version: s.version, Echo: sess.asked.terminal != nil,
			LeadTo: func(f player.FrontEnd) { next = &f }, EndInput: sess.input.fail,
			Server: &player.Server{
				Player: sess.who.Player, Accounts: s.accounts, History: s.history, Caller: sess.who.caller(), Manager: s.manager,
				Screens: sess.asked.showsScreens(), Renamed: s.isRenamed(sess), Idle: s.settings.Load().Idle,
				InTurn: s.inTurn(sess),
			},
		})
		if sess.who.role != cli.Player {
			root.Sub = append(root.Sub, adminServer{s, sess}.command())
		}
		status, err = cli.Run(sess.life.ctx, env, root, argv)
	}
	sess.rejectFor(err)
	return next, status
}

// serveLines serves a front end without screens until the session ends, and returns the exit status.
func (s *Server) serveLines(sess *channel, next *player.FrontEnd) cli.ExitCode {
	out, errs := s.commandOutput(sess)
	var err error
	if settings := s.settings.Load(); next.Kind == player.Bot {
		var typed io.Reader = sess.input
		if sess.asked.terminal != nil {
			typed = lineedit.NewReader(typed, out)
		}
		err = bot.Serve(sess.life.ctx, bot.Config{
			Player: next.Player, Manager: s.manager, History: s.history, In: typed, Out: out,
			Log: s.log.With("session", sess.id()), Limits: bot.Limits{Stall: settings.Stall, Idle: settings.Idle},
			OnLimit: func(why error) { sess.conn.reject(limit.GameLimit, "player", sess.who.ID, "error", why) },
			Notices: sess.inbox.notices,
		})
	} else {
		err = plain.Serve(sess.life.ctx, plain.Config{
			Player: next.Player, Accounts: s.accounts, Caller: sess.who.caller(), Manager: s.manager, History: s.history,
			In: sess.input, Out: out, Echo: sess.asked.terminal != nil, ASCII: !sess.asked.env.UTF8(),
			Renamed: s.isRenamed(sess), Idle: settings.Idle, Start: next.Start, Host: s.hostFor(sess.conn),
			InTurn: s.inTurn(sess), Notices: sess.inbox.notices,
		})
	}
	err = player.UserError(err, s.hostFor(sess.conn))
	sess.rejectFor(err)
	return cli.Report(errs, cli.Failure(err), "")
}

// rejectFor counts a rejection if err, the error of a front end, says that the server refused or cut off the client.
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

// commandOutput returns the standard output and the standard error of a session with a command.
func (s *Server) commandOutput(sess *channel) (out, errs io.Writer) {
	stalling := s.newStallWriter(sess, sess)
	if sess.who.role == cli.Administrator {
		stalling.Part = dataPart
	}
	return stalling, s.newStallWriter(sess, sess.Stderr())
}

// inTurn returns a function that calls do when it is the session's turn to compute.
func (s *Server) inTurn(sess *channel) func(do func()) {
	return func(do func()) { s.turns.Do(sess.life.ctx, limit.LargestNetworkOf(sess.conn.Source), do) }
}

// newStallWriter returns a writer to client, a stream of the session. If a write takes longer than the stall time, the
// writer closes the connection.
func (s *Server) newStallWriter(sess *channel, client io.Writer) *terminal.StallWriter {
	return &terminal.StallWriter{Client: client, Stall: s.settings.Load().Stall, OnStall: func() {
		sess.conn.closeFor(limit.TooSlow)
	}}
}
