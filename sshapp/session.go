package sshapp

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
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

// serve serves the session of c from its begin to its end. A panic ends only this session.
func (c *channel) serve() {
	s := c.conn.server
	defer func() {
		if fault := recover(); fault != nil {
			c.life.setReason(endPanic)
			c.logPanic("front end")(fault)
			c.exit(cli.ExitFailure)
		}
	}()
	if s.refuseEntry(c) {
		return
	}
	defer s.beginSession(c)()
	if s.waitForRoom(c) {
		s.serveFrontEnd(c)
	}
}

var errNotAllowed = errors.New("this is a private server: to play, send its operator your public key " +
	"(ssh-keygen -t ed25519 makes one), and connect again with it")

// refuseEntry ends the session of a player that is banned or may not play on a private server, and reports whether
// it did. Bans are looked up again, since one may be newer than the channel. refuseEntry stands apart from serve to
// keep its variables off the stack of the session.
func (s *Server) refuseEntry(ch *channel) bool {
	ban := ch.identity.ban
	if ban == nil {
		ban = longest(ch.bans())
	}
	var why error
	switch {
	case ban != nil:
		ch.countRejection(limit.Banned, "player", ch.identity.ID, "reference", ban.Reference)
		why = bannedError{*ban}
	case ch.identity.role == cli.Player && !s.admins.MayPlay(ch.conn.key):
		ch.countRejection(limit.NotAllowed, "player", ch.identity.ID)
		why = errNotAllowed
	default:
		return false
	}
	_, _ = fmt.Fprintf(s.newStallWriter(ch, ch.Stderr()), "notakto: %s\n", why)
	ch.exit(cli.ExitFailure)
	return true
}

func (s *Server) route(ch *channel) {
	if ch.asked.showsScreens() && strings.TrimSpace(ch.asked.command) == "" && !ch.asked.isSubsystem {
		s.serveScreen(ch, start.Start{})
	} else {
		s.serveCommand(ch)
	}
}

func (s *Server) serveScreen(ch *channel, from start.Start) {
	ch.conn.measureRoundTrip()
	config := s.screenConfig(ch, from)
	changed := s.usePreferences(ch, config)
	config.Screens.FirstVisit = from.At == start.Lobby && s.isFirstVisit(ch)
	screen.Run(ch.life.ctx, ch.input, config)
	if p := changed(); p != nil {
		s.storePreferences(ch, *p)
	}
}

// usePreferences copies the preferences of the player's account into config. changed returns nil until the player
// changes a preference. Guests have no preferences. usePreferences stands apart from serveScreen to keep
// its variables off the stack of the session.
func (s *Server) usePreferences(ch *channel, config *screen.Config) (changed func() *account.Preferences) {
	var latest *account.Preferences
	if ch.identity.key != "" {
		info := s.accounts.Info(ch.identity.ID)
		config.Screens.Preferences, config.Screens.DeletedAt = info.Preferences, info.DeletedAt
		config.Screens.OnPreferences = func(p account.Preferences) { latest = &p }
	}
	return func() *account.Preferences { return latest }
}

// storePreferencesWithin is the time to store preferences at the end of a session. After that, they are lost.
const storePreferencesWithin = 2 * time.Second

func (s *Server) storePreferences(ch *channel, p account.Preferences) {
	ctx, cancel := context.WithTimeout(context.Background(), storePreferencesWithin)
	defer cancel()
	if err := s.accounts.SetPreferences(ctx, ch.identity.caller(), p); err != nil {
		s.log.Debug("preferences are not stored", "event", "preferences-lost", "player", ch.identity.ID, "error", err)
	}
}

func (s *Server) screenConfig(ch *channel, from start.Start) *screen.Config {
	client := terminal.Describe(*ch.asked.terminal, ch.asked.env)
	return &screen.Config{
		Screens: tui.Config{
			Player:   ch.identity.Player,
			Accounts: s.accounts,
			Caller:   ch.identity.caller(),
			Manager:  s.manager,
			Client:   ch,
			History:  s.history,
			Progress: s.progress,
			Theme:    s.themes.Get(draw.Auto, client.Profile, draw.DetectCharset(client.Name, client.UTF8)),
			Start:    from,
			Host:     s.sshHost(ch.conn),

			RoundTrip: ch.conn.roundTrip.shortest,
			Renamed:   s.isRenamed(ch),
			ByLogin:   s.isNamedByLogin(ch),
			InTurn:    s.inTurn(ch),
			Poller:    &s.poller,
		},
		Client:   client,
		Output:   s.newStallWriter(ch, ch.Channel),
		Windows:  ch.inbox.windows,
		OnResize: ch.inbox.onResize,
		Notices:  ch.inbox.notices,
		OnNotice: ch.inbox.onNotice,
		Pay:      func(ctx context.Context, n int) { ch.input.pay(ctx, n*keyPrice) },
		OnPaste:  ch.input.discards.Store,
		OnReject: func(why limit.Reason, err error) {
			ch.countRejection(why, "error", err)
		},
		Log:     s.log.With("session", ch.id()),
		Idle:    s.settings.Load().Idle,
		Turns:   s.turns,
		Network: limit.LargestNetwork(ch.conn.Source),
		Buffers: &s.buffers,
		Latency: s.Stats.KeyToFrame,
	}
}

// beginSession logs and counts a session, and adds it to s.sessions until end is called. Sessions beyond the limit of
// lines of their address are not logged, except those of administrators and moderators. beginSession stands apart from
// serve to keep its variables off the stack of the session.
func (s *Server) beginSession(ch *channel) (end func()) {
	ch.began = time.Now()
	ch.stats.Started.Add(1)
	ch.stats.Active.Add(1)
	var window ssh.Window
	if ch.asked.terminal != nil {
		window = ch.asked.terminal.Window
	}
	log, more := slog.New(slog.DiscardHandler), slog.Attr{} // no field
	if ch.conn.isLocal || ch.identity.role != cli.Player || s.addressLimits.ReserveLines(ch.conn.Source) {
		log = s.log
		if n := s.unlogged.Swap(0); n > 0 {
			more = slog.Uint64("more", n)
		}
	} else {
		s.unlogged.Add(1)
	}
	log.Info("session began", "event", "session-begin",
		"player", ch.identity.ID, "name", ch.identity.Name, "address", ch.conn.RemoteAddr(),
		"conn", ch.conn.number, "session", ch.id(), "front_end", ch.stats.Name,
		"command", ch.asked.loggedCommand(ch.identity.role), "client", shortened(string(ch.conn.client.ClientVersion())),
		"columns", window.Width, "rows", window.Height, more)
	leave := s.sessions.add(ch)
	// kickBanned did not find this session if the ban was recorded between refuseEntry and add.
	if ban := longest(ch.bans()); ban != nil {
		ch.life.end(bannedError{*ban})
	}
	s.schedule.greet(ch)
	return func() {
		leave()
		why, status := ch.life.result(ch.conn.closeReason(), s.schedule.stopped.Err() != nil)
		took := time.Since(ch.began)
		ch.stats.Active.Add(-1)
		ch.stats.Ends.Add(why, 1)
		ch.stats.Duration.Observe(took)
		log.Info("session ended", "event", "session-end",
			"player", ch.identity.ID, "name", ch.identity.Name, "address", ch.conn.RemoteAddr(),
			"conn", ch.conn.number, "session", ch.id(), "front_end", ch.stats.Name,
			"reason", why, "status", int(status), "duration_ms", took.Milliseconds())
	}
}

// identify returns the player of a session. key is the public key that the client proved at the login, or nil for a
// guest. The user name is only the name that the player wants.
func (s *Server) identify(key ssh.PublicKey, connectionID []byte, user string) identity {
	user = names.LoginName(user)
	if key == nil {
		return identity{Player: names.Guest(hex.EncodeToString(connectionID), user)}
	}
	id := s.accounts.Key(gossh.FingerprintSHA256(key))
	return identity{s.accounts.Player(id, user), id, s.admins.Role(key), nil}
}

// isRenamed reports whether a player without a claimed name is shown under a changed login name.
func (s *Server) isRenamed(ch *channel) bool {
	login := names.LoginName(ch.conn.client.User())
	return s.accounts.ClaimedName(ch.identity.ID) == "" && names.IsRenamed(ch.identity.Player, login)
}

// isNamedByLogin reports whether a player without a claimed name is shown under the login name.
func (s *Server) isNamedByLogin(ch *channel) bool {
	login := names.LoginName(ch.conn.client.User())
	return s.accounts.ClaimedName(ch.identity.ID) == "" && login != "" && !names.IsRenamed(ch.identity.Player, login)
}

const maxLoggedText = 80

func shortened(text string) string {
	return cli.Printable(text[:min(len(text), maxLoggedText)])
}

// logPanic returns a function that logs a panic in part of the session. Call the returned function directly in the
// deferred function that recovers, because [debug.Stack] then has the panic's stack.
func (c *channel) logPanic(part string) func(any) {
	return func(fault any) {
		c.conn.server.log.Error("session ended by a panic", "event", "panic", "in", part, "session", c.id(), "panic", fault,
			"stack", string(debug.Stack()))
	}
}

// adminWriteSize is the size of one write to an administrator, in bytes. A backup is large.
const adminWriteSize = 16 << 10

func (s *Server) serveCommand(ch *channel) {
	ch.input.setMode(ahead)
	next, status := s.runCommand(ch)
	switch {
	case next == nil:
	case next.Kind == player.Screen:
		ch.input.setMode(direct)
		s.serveScreen(ch, next.Start)
	default:
		status = s.serveLines(ch, next)
	}
	ch.exit(status)
}

// runCommand runs the session's command. next is the front end to serve after the command, or nil. The command
// stays off the stack of serveCommand, since that stack lasts until the session ends.
func (s *Server) runCommand(ch *channel) (next *player.FrontEnd, status cli.ExitCode) {
	out, errs := s.commandOutput(ch)
	host := s.sshHost(ch.conn)
	env := cli.Env{
		Name: "ssh " + host, Version: s.version.String(), In: ch.input, Out: out, Err: errs, IsRemote: true,
		Role: ch.identity.role, Record: adminServer{s, ch}.record,
	}
	argv, err := ch.asked.argv()
	if err != nil {
		status = cli.Report(errs, err, env.Name+" help")
	} else {
		root := player.Root(player.Env{
			Name: env.Name, Host: host, Version: s.version, Echo: ch.asked.terminal != nil,
			LeadTo: func(f player.FrontEnd) { next = &f }, EndInput: ch.input.fail,
			Server: &player.Server{
				Player: ch.identity.Player, Accounts: s.accounts, History: s.history, Progress: s.progress,
				Caller: ch.identity.caller(), Manager: s.manager, Screens: ch.asked.showsScreens(), Renamed: s.isRenamed(ch),
				Idle: s.settings.Load().Idle, InTurn: s.inTurn(ch), NotifyURL: s.notifyURL,
			},
		})
		switch admin := (adminServer{s, ch}).command(); {
		case ch.conn.isLocal && len(argv) > 0 && argv[0] == "admin": // from the command "notakto admin"
			env.Name, root, argv = "notakto admin", admin, argv[1:]
			root.ReplaceInExamples("ssh HOST admin", env.Name)
		case ch.identity.role != cli.Player:
			root.Sub = append(root.Sub, admin)
		}
		status, err = cli.Run(ch.life.ctx, env, root, argv)
	}
	ch.countRejectionFor(err)
	return next, status
}

func (s *Server) serveLines(ch *channel, next *player.FrontEnd) cli.ExitCode {
	out, errs := s.commandOutput(ch)
	var err error
	if settings := s.settings.Load(); next.Kind == player.Bot {
		var typed io.Reader = ch.input
		if ch.asked.terminal != nil {
			typed = lineedit.NewReader(typed, out)
		}
		err = bot.Serve(ch.life.ctx, bot.Config{
			Player: next.Player, Manager: s.manager, Accounts: s.accounts, History: s.history, In: typed, Out: out,
			Log: s.log.With("session", ch.id()), Limits: bot.Limits{Stall: settings.Stall, Idle: settings.Idle},
			OnLimit: func(why error) { ch.conn.countRejection(limit.GameLimit, "player", ch.identity.ID, "error", why) },
			Notices: ch.inbox.notices,
		})
	} else {
		err = plain.Serve(ch.life.ctx, plain.Config{
			Player: next.Player, Accounts: s.accounts, Caller: ch.identity.caller(), Manager: s.manager, History: s.history,
			Progress: s.progress, In: ch.input, Out: out, Echo: ch.asked.terminal != nil, ASCII: !ch.asked.env.UTF8(),
			Renamed: s.isRenamed(ch), Idle: settings.Idle, Start: next.Start, Host: s.sshHost(ch.conn),
			InTurn: s.inTurn(ch), Notices: ch.inbox.notices, NotifyURL: s.notifyURL,
		})
	}
	err = player.UserError(err, s.sshHost(ch.conn))
	ch.countRejectionFor(err)
	return cli.Report(errs, cli.Failure(err), "")
}

func (c *channel) countRejectionFor(err error) {
	for _, kind := range []struct {
		error
		reason limit.Reason
	}{
		{errNoFiles, limit.NoFiles}, {errLongCommand, limit.LongCommand}, {idle.ErrIdle, limit.Idled},
		{bot.ErrBadLines, limit.BadLines}, {bot.ErrSlow, limit.TooSlow},
	} {
		if errors.Is(err, kind.error) {
			c.countRejection(kind.reason)
		}
	}
}

func (s *Server) commandOutput(ch *channel) (out, errs io.Writer) {
	stalling := s.newStallWriter(ch, ch)
	if ch.identity.role == cli.Administrator {
		stalling.Part = adminWriteSize
	}
	return stalling, s.newStallWriter(ch, ch.Stderr())
}

func (s *Server) inTurn(ch *channel) func(do func()) {
	return func(do func()) { s.turns.Do(ch.life.ctx, limit.LargestNetwork(ch.conn.Source), do) }
}

func (s *Server) newStallWriter(ch *channel, client io.Writer) *terminal.StallWriter {
	return &terminal.StallWriter{Client: client, Stall: s.settings.Load().Stall, OnStall: func() {
		ch.conn.closeFor(limit.TooSlow)
	}}
}
