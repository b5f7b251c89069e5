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
	"notakto/sshapp/tui"
	"notakto/sshapp/tui/draw"
)

// Config holds the parts and settings of a [Server]. Accounts is nil for accounts in memory, and Registry is nil for
// a single server. Sources, History, Progress, Admins, Audit and Data may be nil.
type Config struct {
	Settings limit.Settings
	Sources  *limit.SourceTracker // shared with the manager's limits
	HostKey  gossh.Signer
	Manager  *manager.Manager
	Accounts *account.Accounts
	History  *store.History
	Progress *store.Progress
	Admins   *admin.Keys
	Audit    *store.Audit
	Process  admin.Process
	Node     string         // the server's name in a cluster, or empty
	Registry match.Registry // passes orders on to servers
	Data     *admin.Data
	Log      *slog.Logger
	Version  player.Version // printed by `ssh HOST version`

	// NextHostKey is a key that clients learn to trust before it takes the place of HostKey, or nil.
	NextHostKey gossh.Signer

	// PublicAddress is the address under which players reach the server, HOST or HOST:PORT, for commands that they
	// copy. If it is empty, the commands name the address that the client has dialled, if the server knows that.
	PublicAddress string

	NotifyURL string               // the endpoint of package notify, or ""
	OnTyped   func(match.PlayerID) // called when a player with a key has typed, may be nil
}

// Server is the SSH server. [New] makes one. Call [Server.Serve], then [Server.Stop] or [Server.Close].
type Server struct {
	Stats *Stats

	log           *slog.Logger
	settings      atomic.Pointer[limit.Settings]
	manager       *manager.Manager
	accounts      *account.Accounts
	history       *store.History
	progress      *store.Progress
	version       player.Version
	publicAddress string
	hostKeys      []gossh.Signer // announced to clients, the first one is used
	notifyURL     string
	onTyped       func(match.PlayerID)
	ssh           *ssh.Server
	endServing    context.CancelFunc
	closed        context.Context // its end closes every listener and cuts every connection

	// slots limits all connections. proxied and preauthConns limit connections without a session. accepting limits the
	// accepted connections that proxied and preauthConns do not count yet.
	slots        *limit.ConnSlots
	accepting    chan struct{}       // limitListener sends a value before each connection, Server.accept takes it back
	proxied      *limit.PreauthConns // of proxies that have not named the client yet
	preauthConns *limit.PreauthConns

	knownLogins *knownLogins

	admission     *limit.Admission
	addressLimits *limit.AddressLimits
	rejections    *limit.Rejections
	unlogged      atomic.Uint64 // sessions without lines in the log, since the last one with lines
	sessions      *sessions
	schedule      *schedule
	serveFrontEnd func(*channel) // route, except in tests of faults

	// Shared by all full screens.
	turns   *limit.Turns
	buffers screen.Buffers
	poller  tui.Poller
	themes  draw.Themes

	admins  *admin.Keys
	process admin.Process
	audit   *store.Audit
	node    string
	data    *admin.Data
	orders  *orders
	began   time.Time
}

// New builds a server that does not listen yet. If config.Settings is not valid, New returns [limit.ErrSetting].
func New(config Config) (*Server, error) {
	if err := config.Settings.Validate(); err != nil {
		return nil, err
	}
	sources := cmp.Or(config.Sources, new(limit.SourceTracker))
	settings, uncrowdedLimit := config.Settings.ClampToFDs(maxOpenFiles(), config.Log.Warn)
	s := &Server{
		Stats:         newStats(),
		log:           config.Log,
		manager:       config.Manager,
		accounts:      config.Accounts,
		history:       config.History,
		progress:      config.Progress,
		version:       config.Version,
		publicAddress: config.PublicAddress,
		hostKeys:      []gossh.Signer{config.HostKey},
		notifyURL:     config.NotifyURL,
		onTyped:       config.OnTyped,
		slots:         limit.NewConnSlots(maxConnections(settings, uncrowdedLimit)),
		accepting:     make(chan struct{}, limit.AcceptBurst),
		proxied:       limit.NewPreauthConns(settings.MaxLogins, settings.MaxLogins),
		preauthConns:  limit.NewPreauthConns(settings.MaxLogins, uncrowdedLimit),
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
	if config.NextHostKey != nil {
		s.hostKeys = append(s.hostKeys, config.NextHostKey)
	}
	s.settings.Store(&settings)
	s.serveFrontEnd = s.route
	s.closed, s.endServing = context.WithCancel(context.Background())
	s.admission = limit.NewAdmission(settings, sources, func(p match.PlayerID) limit.Engagement {
		switch {
		case sources.HoldsForAny(p, config.Manager.IsPlayingOthers):
			return limit.WithOthers
		case sources.HoldsForAny(p, config.Manager.IsPlaying):
			return limit.Alone
		}
		return limit.NotPlaying
	})
	if s.accounts == nil {
		s.accounts = temporaryAccounts(sources.Networks)
	}
	s.rejections = limit.NewRejections(s.log)
	sources.SetRejections(s.rejections)
	s.Stats.Rejected, s.Stats.Sessions = &s.rejections.Counts, &s.admission.Stats
	s.sessions = newSessions(s.accounts, s.manager)
	if s.onTyped == nil {
		s.onTyped = func(match.PlayerID) {}
	}
	s.accounts.OnKick(s.sessions.kickBanned)
	s.schedule = newSchedule(s.admission, s.manager, s.sessions, func(p match.PlayerID) bool {
		return sources.HoldsForAny(p, func(p match.PlayerID) bool { return s.manager.IsSeated(p) })
	}, s.log)
	var err error
	s.ssh, err = wish.NewServer(
		wish.WithVersion("Notakto"),
		func(server *ssh.Server) error {
			server.AddHostKey(config.HostKey)
			server.ConnCallback = s.onConnect
			server.Handler = func(ssh.Session) {} // never called; each Serve would set a missing one, and race with the other
			return nil
		},
	)
	if err != nil {
		return nil, fmt.Errorf("build the SSH server: %w", err)
	}
	s.orders = newOrders(config, s.carryOut)
	return s, nil
}

func maxConnections(s limit.Settings, uncrowdedLimit int) int {
	return uncrowdedLimit + s.MaxSessions + s.MaxWaiting + limit.AcceptBurst
}

// SetLimits changes the settings while the server runs, except Login. Sessions and connections that exist already
// are kept. If next is not valid, SetLimits changes no setting and returns [limit.ErrSetting]. Only one goroutine at
// a time may call SetLimits.
func (s *Server) SetLimits(next limit.Settings) error {
	if err := next.Validate(); err != nil {
		return err
	}
	next.Login = s.settings.Load().Login // the listener cannot change its timeout
	next, uncrowdedLimit := next.ClampToFDs(maxOpenFiles(), s.log.Warn)
	s.settings.Store(&next)
	s.preauthConns.SetLimits(next.MaxLogins, uncrowdedLimit)
	s.proxied.SetLimits(next.MaxLogins, next.MaxLogins)
	s.slots.SetLimit(maxConnections(next, uncrowdedLimit))
	s.addressLimits.SetLimits(next)
	s.admission.SetLimits(next)
	return nil
}

// NewAccounts returns the accounts of a directory and its log, with the rules of package names. networks returns a
// player's networks. The claimed name of a player without a finished match in h lapses. With a nil h, no name lapses.
func NewAccounts(
	d *account.Directory, log account.Log, networks func(match.PlayerID) []string, h *store.History,
) *account.Accounts {
	c := account.Config{Directory: d, Log: log, Clean: names.Clean, Looks: names.Looks, Networks: networks}
	if h != nil {
		c.HasPlayed = func(ctx context.Context, p match.PlayerID) (bool, error) {
			totals, err := h.Totals(ctx, p)
			return totals.Matches > 0, err
		}
	}
	return account.New(c)
}

func temporaryAccounts(networks func(match.PlayerID) []string) *account.Accounts {
	log := new(account.Memory)
	directory, _, err := account.Open(context.Background(), log, nil, time.Now)
	if err != nil {
		panic(err) // memory never fails
	}
	return NewAccounts(directory, log, networks, nil)
}

// Serve accepts players until the listener fails or the server is stopped. After a stop, even one before the call,
// the error is nil.
func (s *Server) Serve(listener net.Listener) error {
	defer s.rejections.StartReports()()
	return s.serve(behindProxies(s.newLimitListener(listener), s))
}

// ServeOperator serves connections of the server's operator, without a login, until the listener fails or the server
// is stopped. The listener must let no other user in.
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

// StartDrain tells all players that the server stops when the matches in progress end, or after the duration within.
// From then on no match begins. Only players in a match against a person, moderators and administrators may begin
// sessions. A session ends soon after its match. StartDrain returns an error if the server drains or stops already.
// Call [Server.Stop] after [Server.Drained].
func (s *Server) StartDrain(within time.Duration) error { return s.schedule.drain(within) }

// Drained returns a channel that is closed at the end of a drain. A drain ends after the last session, after the time
// of the drain, or by [Server.Stop] or [Server.Close]. A cancelled drain does not close the channel. An administrator
// can begin a drain too.
func (s *Server) Drained() <-chan struct{} { return s.schedule.drained }

// stopParts divides the time for a stop. If no session ends during one part, waitEmpty assumes that the remaining
// clients do not read, and gives up with errUnread.
const stopParts = 10

var errUnread = errors.New("their clients read nothing")

// Stop refuses new sessions, tells every player, restores every terminal, and closes every connection. When ctx
// ends, or if no session ends for a tenth of the time until then, Stop cuts the connections that are left and
// returns an error.
func (s *Server) Stop(ctx context.Context) error {
	emptied := s.admission.Close()
	s.schedule.stop()
	defer func() { _ = s.close() }()
	if err := s.waitEmpty(ctx, emptied); err != nil {
		return fmt.Errorf("players were cut off: %w", err)
	}
	return nil
}

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
	s.schedule.endNow()
	return s.close()
}

func (s *Server) close() error {
	s.orders.stop()
	s.endServing()
	return s.ssh.Close()
}
