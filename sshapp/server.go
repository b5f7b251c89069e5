package sshapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/names"
	"notakto/sshapp/screen"
	"notakto/sshapp/tui/draw"
)

// Config holds the parts and settings of a [Server].
type Config struct {
	Settings limit.Settings
	Sources  *limit.SourceTracker // shared with the manager's limits; may be nil
	HostKey  gossh.Signer
	Manager  *manager.Manager
	Accounts *account.Accounts // nil for accounts in memory
	History  *store.History    // may be nil
	Admins   *admin.Keys       // may be nil
	Audit    *store.Audit      // may be nil
	Process  admin.Process     // the process of the server
	Node     string            // the server's name among those that share its database; may be empty
	Registry match.Registry    // passes orders to these servers; nil for a single server
	Data     *admin.Data       // for administrators; may be nil
	Log      *slog.Logger
	Version  player.Version // that `ssh HOST version` prints

	// PublicAddress is the address under which players reach the server, HOST or HOST:PORT, for commands that they
	// copy. If PublicAddress is empty, the commands name the address that the client has connected to, if the server
	// knows that address.
	PublicAddress string
}

// Server is the SSH server. [New] makes one. Call [Server.Serve], then [Server.Stop] or [Server.Close].
type Server struct {
	Stats *Stats // for monitors

	log           *slog.Logger
	settings      atomic.Pointer[limit.Settings] // replaced as a whole
	manager       *manager.Manager
	accounts      *account.Accounts
	history       *store.History // may be nil
	version       player.Version
	publicAddress string // as of [Config.PublicAddress]
	ssh           *ssh.Server
	stopListening context.CancelFunc
	closed        context.Context // done when no listener accepts any more

	// These limit connections without a session. slots counts connections with a session too.
	slots     *limit.ConnSlots    // of all connections
	accepting chan struct{}       // a value for each connection that has not passed onConnect
	proxied   *limit.PreauthConns // of proxies that have not named the client yet
	preauth   *limit.PreauthConns

	knownLogins *knownLogins

	admission     *limit.Admission
	addressLimits *limit.AddressLimits
	rejections    *limit.Rejections
	sessions      *sessions
	schedule      *schedule
	serveFrontEnd func(*channel) // route, except in tests of faults

	// Shared by all full screens.
	turns   *limit.Turns
	buffers screen.Buffers
	themes  draw.Themes

	// For administrators, as in Config.
	admins  *admin.Keys
	process admin.Process
	audit   *store.Audit
	node    string
	data    *admin.Data
	orders  *orders
	began   time.Time
}

// New builds a server that does not listen yet. The error is [limit.ErrSetting].
func New(config Config) (*Server, error) {
	if err := config.Settings.Validate(); err != nil {
		return nil, err
	}
	addresses := cmp.Or(config.Sources, new(limit.SourceTracker))
	settings, returning := config.Settings.ClampToFDs(descriptors(), config.Log.Warn)
	s := &Server{
		Stats:         newStats(),
		log:           config.Log,
		manager:       config.Manager,
		accounts:      config.Accounts,
		history:       config.History,
		version:       config.Version,
		publicAddress: config.PublicAddress,
		slots:         limit.NewConnSlots(connections(settings, returning)),
		accepting:     make(chan struct{}, limit.AcceptBurst),
		proxied:       limit.NewPreauthConns(settings.MaxLogins, settings.MaxLogins),
		preauth:       limit.NewPreauthConns(settings.MaxLogins, returning),
		knownLogins:   &knownLogins{seed: maphash.MakeSeed()},
		addressLimits: limit.NewAddressLimits(settings),
		turns:         limit.NewTurns(max(1, runtime.GOMAXPROCS(0)-1)),
		admins:        config.Admins,
		process:       config.Process,
		audit:         config.Audit,
		node:          config.Node,
		data:          config.Data,
		began:         time.Now(),
	}
	s.settings.Store(&settings)
	s.serveFrontEnd = s.route
	s.closed, s.stopListening = context.WithCancel(context.Background())
	s.admission = limit.NewAdmission(settings, addresses, func(p match.PlayerID) bool {
		return addresses.AnyOf(p, config.Manager.IsPlaying)
	})
	if s.accounts == nil {
		s.accounts = temporaryAccounts(addresses.Networks)
	}
	s.rejections = limit.NewRejections(s.log)
	addresses.Count(s.rejections)
	s.Stats.Rejected, s.Stats.Sessions = &s.rejections.Counts, &s.admission.Stats
	s.sessions = newSessions(s.accounts, s.manager)
	s.accounts.OnKick(s.sessions.kickBanned)
	s.schedule = newSchedule(s.admission, s.manager, s.sessions, func(p match.PlayerID) bool {
		return addresses.AnyOf(p, func(p match.PlayerID) bool { return s.manager.IsSeated(p) })
	}, s.log)
	var err error
	s.ssh, err = wish.NewServer(
		wish.WithVersion("Notakto"),
		func(server *ssh.Server) error {
			server.AddHostKey(config.HostKey)
			server.ConnCallback = s.onConnect
			return nil
		},
	)
	if err != nil {
		return nil, fmt.Errorf("build the SSH server: %w", err)
	}
	s.orders = newOrders(config, s.carryOut)
	return s, nil
}

// connections returns the limit of connections, with and without a session.
func connections(s limit.Settings, returning int) int {
	return returning + s.MaxSessions + s.MaxWaiting + limit.AcceptBurst
}

// SetLimits changes the settings while the server runs, except Login. Sessions and connections that exist already are
// kept. If next is not valid, SetLimits changes nothing and returns [limit.ErrSetting]. Only one goroutine at a time
// may call SetLimits.
func (s *Server) SetLimits(next limit.Settings) error {
	if err := next.Validate(); err != nil {
		return err
	}
	next.Login = s.settings.Load().Login // the listener cannot change its timeout
	next, returning := next.ClampToFDs(descriptors(), s.log.Warn)
	s.settings.Store(&next)
	s.preauth.SetLimits(next.MaxLogins, returning)
	s.proxied.SetLimits(next.MaxLogins, next.MaxLogins)
	s.slots.SetLimit(connections(next, returning))
	s.addressLimits.SetLimits(next)
	s.admission.SetLimits(next)
	return nil
}

// NewAccounts returns the accounts of a directory and its log, with the rules for names. networks returns a player's
// networks.
func NewAccounts(d *account.Directory, log account.Log, networks func(match.PlayerID) []string) *account.Accounts {
	return account.New(account.Config{Directory: d, Log: log, Clean: names.Clean, Looks: names.Looks, Networks: networks})
}

// temporaryAccounts returns accounts in memory.
func temporaryAccounts(networks func(match.PlayerID) []string) *account.Accounts {
	log := new(account.Memory)
	directory, _, err := account.Open(context.Background(), log, nil, time.Now)
	if err != nil {
		panic(err) // memory never fails
	}
	return NewAccounts(directory, log, networks)
}

// Serve accepts players until the listener fails or the server is stopped. It returns nil after a stop, even if the
// stop came before Serve.
func (s *Server) Serve(listener net.Listener) error {
	defer s.rejections.StartReports()()
	return s.serve(behindProxies(s.newLimitListener(listener), s))
}

// ServeOperator serves connections of the operator of the server, without a login, until the listener fails or the
// server is stopped. The listener must let no one else in.
func (s *Server) ServeOperator(listener net.Listener) error {
	return s.serve(localListener{listener})
}

func (s *Server) serve(listener net.Listener) error {
	defer context.AfterFunc(s.closed, func() { _ = listener.Close() })()
	if err := s.ssh.Serve(listener); err != nil && s.closed.Err() == nil && !errors.Is(err, ssh.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// BeginDrain tells all players that the server stops after the time within, at the latest. From then on no match
// begins, and only players in a match and administrators may begin sessions. A session ends soon after its match. Call
// [Server.Stop] after [Server.Drained]. The error says that the server drains or stops already.
func (s *Server) BeginDrain(within time.Duration) error { return s.schedule.drain(within) }

// Drained returns a channel that is closed when a drain is over: all sessions have ended, or its time has passed.
// [Server.BeginDrain] or an administrator begins a drain.
func (s *Server) Drained() <-chan struct{} { return s.schedule.drained }

// stopParts divides the time for a stop. If no session ends during one part, waitEmpty assumes that the clients left do
// not read, and gives up.
const stopParts = 10

// errUnread ends a stop early: the clients left do not read.
var errUnread = errors.New("they read nothing")

// Stop refuses new sessions, tells every player, restores every terminal, and closes every connection. It cuts the
// connections that are left when ctx ends. It does so earlier if no session ends for a tenth of the time.
func (s *Server) Stop(ctx context.Context) error {
	emptied := s.admission.Close()
	s.schedule.stop()
	defer func() { _ = s.close() }()
	if err := s.waitEmpty(ctx, emptied); err != nil {
		return fmt.Errorf("players were cut off: %w", err)
	}
	return nil
}

// waitEmpty waits until emptied is closed. The last session that ends closes it.
func (s *Server) waitEmpty(ctx context.Context, emptied <-chan struct{}) error {
	var look <-chan time.Time // nil if ctx has no deadline
	if end, ok := ctx.Deadline(); ok {
		ticker := time.NewTicker(max(time.Millisecond, time.Until(end)/stopParts))
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
	s.schedule.cut()
	return s.close()
}

func (s *Server) close() error {
	s.orders.stop()
	s.stopListening()
	return s.ssh.Close()
}
