package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"notakto/hostkeys"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/metrics"
	"notakto/sshapp/names"
)

// app is the running program: its parts in the order of their creation.
type app struct {
	log          *slog.Logger
	reloader     *reloader
	reloadAsked  chan chan<- reloadAnswer // requests of administrators; run answers them
	reloadFailed atomic.Bool              // the last reload failed
	reloadedAt   atomic.Int64             // when the settings were last read, in Unix seconds
	stopping     stopSettings
	fingerprint  string
	node         string // the name among servers that share a database; empty for a single server
	status       *status
	store        *store.Store
	manager      *manager.Manager
	leave        func() // stops following the accounts
	server       *sshapp.Server
	admins       *admin.Keys
	listener     net.Listener
	service      *service
	control      net.Listener // of the control socket; nil without one
}

// open creates the parts of the program. Each part needs those before it: the status, the host key, the store, the
// accounts, the manager of the matches, the server, the listener. After an error all parts are stopped. ctx limits only
// the opening.
func open(ctx context.Context, s *settings, logger *slog.Logger, level *slog.LevelVar) (*app, error) {
	status, err := openStatus(s.statusListen, s.statusProfiles, logger)
	if err != nil {
		return nil, err
	}
	a, err := openParts(ctx, s, logger, level)
	if err != nil {
		status.close()
		return nil, err
	}
	a.status = status
	status.opened(a.facts())
	return a, nil
}

// openTimeout is the time to open and migrate a database.
const openTimeout = 10 * time.Minute

// openParts creates every part but the status.
func openParts(ctx context.Context, s *settings, logger *slog.Logger, level *slog.LevelVar) (*app, error) {
	if err := hostkeys.MakeDir(s.data); err != nil {
		return nil, err
	}
	load, where := hostkeys.Load, s.data // Load makes a missing key
	if s.hostKeyFile != "" {
		load, where = hostkeys.Read, s.hostKeyFile
	}
	key, err := load(where)
	if err != nil {
		return nil, err
	}
	admins := &admin.Keys{Log: logger}
	if err := admins.SetFiles(s.adminKeysFile, s.playerKeysFile); err != nil {
		return nil, err
	}
	opening, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	store, err := store.Open(opening, s.storeConfig(logger))
	if err != nil {
		if s.database != "" {
			err = fmt.Errorf("cannot keep the matches at %s: %w", redacted(s.database), err)
		}
		return nil, err
	}
	node, registry := "", match.Registry(nil)
	if s.database != "" { // other servers may share the database
		registry = store
		host, _ := os.Hostname() // empty after an error: then the name is only random
		node = string(manager.NewNode(host))
		logger = logger.With("node", node)
		admins.Log = logger
	}
	directory, leave, err := account.Open(ctx, store.Accounts(), nil, store.Now)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	addresses := new(limit.SourceTracker)
	accounts := sshapp.NewAccounts(directory, store.Accounts(), addresses.Networks)
	matches := s.matches
	matches.Networks = addresses.Networks
	shown := names.Claims(accounts.NameOf, accounts.ClaimedBy)
	matches.DisambiguateName = shown
	matches.MaxSeats = limit.SeatsPerSession * s.ssh.MaxSessionsPerAddress
	matches.Journal, matches.Log = store, logger
	matches.Node, matches.HostKey, matches.Version = match.Node(node), hostkeys.Fingerprint(key), version().Version
	matches.OnLimit = addresses.LimitReached
	matches.OnGuestResumed = addresses.GuestResumed
	store.History().Show(func(p match.Player) match.Player { return shown(accounts.Named(p), match.Player{}) })
	a := &app{
		log: logger, reloadAsked: make(chan chan<- reloadAnswer), stopping: s.stop,
		fingerprint: hostkeys.Fingerprint(key), node: node, store: store, manager: manager.New(matches), leave: leave,
		admins: admins,
	}
	a.reloadedAt.Store(time.Now().Unix())
	a.server, err = sshapp.New(sshapp.Config{
		Settings: s.ssh, Sources: addresses, HostKey: key, Manager: a.manager, Accounts: accounts,
		History: store.History(), Log: clientLog(logger, s.log), Admins: admins, Audit: store.Audit(),
		Node: node, Registry: registry,
		Process: admin.Process{Checks: a.checks, Reload: a.askReload, Level: level},
		Data: &admin.Data{
			Store: store, HostKey: cmp.Or(s.hostKeyFile, filepath.Join(s.data, hostkeys.FileName)), Version: version().Version,
		},
		Version: version(), PublicAddress: s.publicAddress,
	})
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	if err := a.listen(s); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

// listen opens the port and the control socket. The server can run without a control socket.
func (a *app) listen(s *settings) (err error) {
	a.listener, err = passedListener() // that systemd opened
	if a.listener == nil && err == nil {
		a.listener, err = listen(s.listen, "listen", ":2223")
	}
	if err != nil {
		return err
	}
	if a.control, err = listenControl(s.data); err != nil {
		a.log.Warn("there is no control socket: notakto admin cannot reach this server",
			"event", "control-missing", "error", err)
		a.control = nil
	}
	return nil
}

// run serves until a stop signal, the end of a drain or the loss of the store, and stops the server. It returns an
// error if the server ends by itself or the store is lost. requests delivers the signals to reload or to drain.
func (a *app) run(signals, requests <-chan os.Signal) error {
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(a.listener) }()
	if a.control != nil {
		go func() {
			if err := a.server.ServeOperator(a.control); err != nil {
				a.log.Error("the control socket is not served any more", "event", "control-failed", "error", err)
			}
		}()
	}
	var status []any
	if a.status != nil {
		status = []any{"status", a.status.listener.Addr()}
	}
	a.log.Info("ready", append([]any{"address", a.listener.Addr(), "fingerprint", a.fingerprint, "event", "ready"},
		status...)...)
	a.service = &service{a.log, a.store.Stats().Alive, a.summary}
	defer a.service.supervise()()
	for {
		select {
		case sig := <-requests:
			if isLameDuck(sig) {
				a.beginLameDuck(cmp.Or(a.stopping.lameDuck, admin.DefaultDrain))
			} else {
				_, _ = a.reload() // logs the result
			}
		case answer := <-a.reloadAsked:
			changed, err := a.reload()
			answer <- reloadAnswer{changed, err}
		case err := <-served:
			a.stop(signals)
			return errors.Join(errors.New("the server stopped by itself"), err)
		case sig := <-signals:
			if sig == syscall.SIGTERM && a.stopping.lameDuck > 0 && a.beginLameDuck(a.stopping.lameDuck) {
				continue
			}
			a.log.Info("stopping; a second signal skips the wait",
				"event", "stopping", "signal", sig, "deadline_ms", a.stopping.drain.Milliseconds())
			return a.end(signals, served)
		case <-a.store.Lost():
			a.stop(signals)
			return store.ErrLostCommits
		case <-a.server.Drained():
			a.log.Info("stopping; a signal skips the wait",
				"event", "stopping", "deadline_ms", a.stopping.drain.Milliseconds())
			return a.end(signals, served)
		}
	}
}

// beginLameDuck starts a drain: the server stops once its matches have ended, or after within. If a drain has begun
// already, beginLameDuck changes nothing and returns false.
func (a *app) beginLameDuck(within time.Duration) bool {
	return a.server.BeginDrain(within) == nil
}

// end stops the server, and returns the result of Serve.
func (a *app) end(signals <-chan os.Signal, served <-chan error) error {
	a.stop(signals)
	err := <-served
	a.log.Info("stopped", "event", "stopped")
	return err
}

// stop stops the parts in the reverse order of their start. The server notifies sessions and restores their terminals
// until the drain deadline or a signal. Then the tables and the store close. Matches do not end.
func (a *app) stop(signals <-chan os.Signal) {
	a.service.tell(daemon.SdNotifyStopping)
	defer a.status.close()
	ctx, cancel := context.WithTimeout(context.Background(), a.stopping.drain)
	defer cancel()
	go func() {
		select {
		case <-signals:
			signal.Reset(os.Interrupt, syscall.SIGTERM) // a third signal kills the program as usual
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := a.server.Stop(ctx); err != nil {
		a.log.Warn("not every player could be seen out", "event", "drain-incomplete", "error", err)
	}
	if err := a.close(); err != nil {
		a.log.Warn("the data did not close in good order", "event", "close-failed", "error", err)
	}
}

// close closes the manager and its tables, then the store.
func (a *app) close() error {
	a.manager.Close()
	a.leave()
	return a.store.Close()
}

// facts returns what the status page needs of the server.
func (a *app) facts() facts {
	version := version()
	version.Node = a.node
	counts := new(logCounts)
	if log, ok := a.log.Handler().(logHandler); ok {
		counts = &log.queue.counts
	}
	return facts{
		checks: a.checks,
		alive:  a.store.Stats().Alive, version: version,
		metrics: metrics.Handler(&metrics.Sources{
			Version: version.Version, Revision: version.Revision, Go: version.Go,
			Manager: a.manager.Stats, Lobby: a.manager.Lobby().Stats, Store: a.store.Stats(), Server: a.server.Stats,
			Panics: counts.panics.Load, DroppedLines: counts.dropped.Load,
			Reload: func() (bool, time.Time) { return !a.reloadFailed.Load(), time.Unix(a.reloadedAt.Load(), 0) },
		}),
	}
}

// checks returns the checks of readiness: that events can be recorded, and that the server is not draining.
func (a *app) checks() []admin.Check {
	err := a.manager.Ready()
	if errors.Is(err, match.ErrDraining) {
		return []admin.Check{{Name: "draining", Text: err.Error()}}
	}
	text := "ok"
	if err != nil {
		text = err.Error()
	}
	return []admin.Check{{Name: "store", OK: err == nil, Text: text}, {Name: "draining", OK: true, Text: "no"}}
}

// summary returns the line that systemctl status shows of the server.
func (a *app) summary() string {
	var sessions, matches int64
	for _, f := range a.server.Stats.FrontEnds {
		sessions += f.Active.Load()
	}
	for kind, n := range a.manager.Stats.Active.All() {
		if kind.State == "playing" {
			matches += n
		}
	}
	return fmt.Sprintf("sessions: %d, matches being played: %d", sessions, matches)
}
