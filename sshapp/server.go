package sshapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
	"notakto/sshapp/limit"
	"notakto/sshapp/names"
	"notakto/sshapp/screen"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// Config is what a server is built from.
type Config struct {
	Settings limit.Settings
	Sources  *limit.SourceTracker // that the manager's limits ask; may be nil
	HostKey  gossh.Signer
	Manager  *manager.Manager
	Accounts *account.Accounts // by default they last as long as the server
	History  *history.Store    // may be nil
	Admins   *admin.Keys       // may be nil
	Audit    admin.Audit       // may be nil
	Process  admin.Process     // in which the server runs; may be nil
	Node     string            // the name of the server in its cluster; may be empty
	Registry match.Registry    // by which administrators reach all servers of a cluster; nil for a single server
	Data     admin.Data        // as administrators use it; may be nil
	Cluster  admin.Cluster     // as administrators use it; nil without one
	Log      *slog.Logger
	Version  command.Version // as `ssh HOST version` says it

	// PublicAddress is where players reach the server, as HOST or HOST:PORT, for commands that they are to copy; may
	// be empty.
	PublicAddress string
}

// host is what stands for the server in a command that begins with ssh.
func (c Config) host() string {
	host, port, err := net.SplitHostPort(c.PublicAddress)
	switch {
	case c.PublicAddress == "":
		return wording.NoHost
	case err != nil || port == "22":
		return cmp.Or(host, c.PublicAddress)
	default:
		return "-p " + port + " " + host
	}
}

// people are what is known of players besides their matches in progress.
type people struct {
	accounts *account.Accounts
	history  *history.Store // may be nil
	admin    *administration
}

// Server is the SSH server. Make one with [New]; call [Server.Serve], then [Server.Drain] or [Server.Close].
type Server struct {
	Stats *Stats // for monitors

	settings      atomic.Pointer[limit.Settings] // replaced as a whole
	manager       *manager.Manager
	people        people
	log           *slog.Logger
	version       command.Version
	host          string // as of [Config.PublicAddress]
	ssh           *ssh.Server
	admission     *limit.Admission
	addressLimits *limit.AddressLimits
	gate          gate
	rejections    *limit.Rejections
	turns         *limit.Turns
	drawing       drawing
	stopping      stopping
}

// drawing is what all full screens share.
type drawing struct {
	buffers screen.Buffers
	themes  draw.Themes
}

// gate is what a connection passes before it has a session.
type gate struct {
	preauth   *limit.PreauthConns
	proxied   *limit.PreauthConns // whose proxy has not named its client yet
	slots     *limit.ConnSlots    // one for each connection
	accepting chan struct{}       // has a value for each that was only just accepted
}

// stopping is how a server ends: it drains, and then accepts no connection any more.
type stopping struct {
	draining context.Context
	drain    context.CancelFunc
	closed   context.Context
	close    context.CancelFunc
}

// New builds a server that does not listen yet. The error is [ErrSetting].
func New(config Config) (*Server, error) {
	if err := config.Settings.Validate(); err != nil {
		return nil, err
	}
	addresses := cmp.Or(config.Sources, new(limit.SourceTracker))
	settings, returning := config.Settings.ClampToFDs(descriptors(), config.Log.Warn)
	s := &Server{
		Stats:         newStats(),
		manager:       config.Manager,
		people:        people{config.Accounts, config.History, newAdministration(config)},
		log:           config.Log,
		version:       config.Version,
		host:          config.host(),
		addressLimits: limit.NewAddressLimits(settings),
		gate: gate{
			preauth:   limit.NewPreauthConns(settings.MaxLogins, returning),
			proxied:   limit.NewPreauthConns(settings.MaxLogins, settings.MaxLogins),
			slots:     limit.NewConnSlots(connections(settings, returning)),
			accepting: make(chan struct{}, limit.AcceptBurst),
		},
		turns: limit.NewTurns(max(1, runtime.GOMAXPROCS(0)-1)),
	}
	s.settings.Store(&settings)
	s.admission = limit.NewAdmission(settings, addresses, func(p match.PlayerID) bool {
		return addresses.AnyOf(p, config.Manager.IsPlaying)
	})
	if s.people.accounts == nil {
		s.people.accounts = temporaryAccounts(addresses.Networks)
	}
	s.people.accounts.OnKick(func(b account.Ban) { s.kickBanned(b) })
	s.rejections = limit.NewRejections(s.log, s.addressLimits)
	addresses.Count(s.rejections)
	s.Stats.Rejected, s.Stats.Sessions = &s.rejections.Counts, &s.admission.Stats
	s.stopping.draining, s.stopping.drain = context.WithCancel(context.Background())
	s.stopping.closed, s.stopping.close = context.WithCancel(context.Background())
	var err error
	s.ssh, err = wish.NewServer(
		withHostKey(config.HostKey),
		wish.WithVersion("Notakto"),
		wish.WithPublicKeyAuth(acceptKey),
		wish.WithKeyboardInteractiveAuth(acceptGuest),
		wish.WithMiddleware(s.chain()...),
		s.withHandlers(),
	)
	if err != nil {
		return nil, fmt.Errorf("build the SSH server: %w", err)
	}
	s.people.admin.pauses = &pauses{manager: config.Manager, reasons: map[pauseReason]bool{}}
	s.people.admin.duck = &LameDuck{
		admission: s.admission, pauses: s.people.admin.pauses, sessions: &s.people.admin.sessions, log: s.log,
		over: make(chan struct{}), leave: leaveAfter, isSeated: func(p match.PlayerID) bool {
			return addresses.AnyOf(p, config.Manager.IsSeated)
		},
	}
	s.people.admin.maintenance = &maintenance{
		pauses: s.people.admin.pauses, sessions: &s.people.admin.sessions, log: s.log,
	}
	s.people.admin.orders = newOrders(config, func(o order) (int, error) { return s.carryOut(o) })
	return s, nil
}

// connections is how many connections there may be at once.
func connections(s limit.Settings, returning int) int {
	return returning + s.MaxSessions + s.MaxWaiting + limit.AcceptBurst
}

// SetLimits changes the settings while the server runs, but for Login, which stays. It ends no session and closes no
// connection: the new limits hold for the next ones. The error is [ErrSetting]; then nothing changes. It must not be
// called from several goroutines at once.
func (s *Server) SetLimits(next limit.Settings) error {
	if err := next.Validate(); err != nil {
		return err
	}
	next.Login = s.settings.Load().Login // the SSH library has its own timer
	next, returning := next.ClampToFDs(descriptors(), s.log.Warn)
	s.settings.Store(&next)
	s.gate.preauth.SetLimits(next.MaxLogins, returning)
	s.gate.proxied.SetLimits(next.MaxLogins, next.MaxLogins)
	s.gate.slots.SetLimit(connections(next, returning))
	s.addressLimits.SetLimits(next)
	s.admission.SetLimits(next)
	return nil
}

// NewAccounts returns the accounts of a directory and the log that it follows, with the rules for names. networks are
// those of a player.
func NewAccounts(d *account.Directory, log account.Log, networks func(match.PlayerID) []string) *account.Accounts {
	return account.New(account.Config{Directory: d, Log: log, Clean: names.Clean, Looks: names.Looks, Networks: networks})
}

// temporaryAccounts are those of a server without a journal.
func temporaryAccounts(networks func(match.PlayerID) []string) *account.Accounts {
	log := new(account.Memory)
	directory, _, err := account.Open(context.Background(), log, nil, time.Now)
	if err != nil {
		panic(err) // memory never fails
	}
	return NewAccounts(directory, log, networks)
}

func withHostKey(key gossh.Signer) ssh.Option {
	return func(server *ssh.Server) error {
		server.AddHostKey(key)
		return nil
	}
}

// withHandlers puts our own parts in the place of the library's.
func (s *Server) withHandlers() ssh.Option {
	return func(server *ssh.Server) error {
		// the connection's own timer comes first, and has a word to say
		server.HandshakeTimeout = s.settings.Load().Login + disconnectWait
		server.ConnCallback = s.onConnect
		server.ServerConfigCallback = loginConfig
		server.RequestHandlers = map[string]ssh.RequestHandler{"default": refuseRequest}
		server.ChannelHandlers = map[string]ssh.ChannelHandler{
			"session": func(server *ssh.Server, conn *gossh.ServerConn, offer gossh.NewChannel, ctx ssh.Context) {
				s.serveChannel(server, conn, offer, ctx)
			},
			"default": refuseChannel,
		}
		server.ConnectionFailedCallback = func(conn net.Conn, err error) {
			s.log.Debug("login failed",
				"event", "login-failed", "address", conn.RemoteAddr(), "error", fmt.Sprintf("%.200s", err.Error()))
		}
		return nil
	}
}

// Serve accepts players until the listener fails or the server is stopped; stopping is no error, and may come first,
// which the library would not notice.
func (s *Server) Serve(listener net.Listener) error {
	defer s.rejections.Report()
	defer s.rejections.ReportEvery(limit.ReportEvery)()
	return s.serve(behindProxies(s.newLimitListener(listener), s))
}

// ServeOperator serves connections of the operator of the server, without a login, until the listener fails or the
// server is stopped. The listener must let no one else in.
func (s *Server) ServeOperator(listener net.Listener) error {
	return s.serve(localListener{listener})
}

func (s *Server) serve(listener net.Listener) error {
	defer context.AfterFunc(s.stopping.closed, func() { _ = listener.Close() })()
	if err := s.ssh.Serve(listener); err != nil && s.stopping.closed.Err() == nil && !errors.Is(err, ssh.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// LameDuck lets the matches end before the server stops. Call [Server.Drain] when it is over.
func (s *Server) LameDuck() *LameDuck { return s.people.admin.duck }

// drainParts is how many parts the time for a drain has. The sessions left when none has ended for one of them read
// nothing.
const drainParts = 10

// errUnread is why a drain ends before its time.
var errUnread = errors.New("they read nothing")

// Drain stops in good order: new sessions are refused, every player is notified, every terminal is restored, every
// connection is closed. When ctx ends first, or no session has ended for a tenth of the time until then, what is left
// is cut.
func (s *Server) Drain(ctx context.Context) error {
	emptied := s.admission.Close()
	s.people.admin.pauses.stop()
	s.stopping.drain()
	defer func() { _ = s.close() }()
	if err := waitDrained(ctx, s, emptied); err != nil {
		return fmt.Errorf("players were cut off: %w", err)
	}
	return nil
}

// waitDrained waits until everybody has gone who is going.
func waitDrained(ctx context.Context, s *Server, emptied <-chan struct{}) error {
	var look <-chan time.Time // never, without an end of the time
	if end, ok := ctx.Deadline(); ok {
		ticker := time.NewTicker(max(time.Millisecond, time.Until(end)/drainParts))
		defer ticker.Stop()
		look = ticker.C
	}
	for left := s.admission.Sessions(); ; {
		select {
		case <-emptied:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-look:
			now := s.admission.Sessions()
			if now == left {
				return errUnread
			}
			left = now
		}
	}
}

// Close cuts every connection at once.
func (s *Server) Close() error {
	s.stopping.drain()
	return s.close()
}

func (s *Server) close() error {
	s.people.admin.orders.stop()
	s.stopping.close()
	return s.ssh.Close()
}
