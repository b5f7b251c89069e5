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
	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/metrics"
	"notakto/sshapp/names"
	"notakto/sshapp/notify"
)

// app is the running program. The functions open, serve and run set the fields.
type app struct {
	log          *slog.Logger
	reloader     *reloader
	reloadAsked  chan chan<- reloadAnswer // run receives the requests of administrators
	reloadFailed atomic.Bool
	reloadedAt   atomic.Int64 // Unix seconds of the latest reload, or of the start
	stopping     stopSettings
	fingerprint  string
	node         string // the name of this server in a cluster, "" for a single server
	status       *status
	web          *httpServer // nil without a page on the web
	store        *store.Store
	manager      *manager.Manager
	unfollow     func() // stops following the log of accounts
	accounts     *account.Directory
	server       *sshapp.Server
	admins       *admin.Keys
	notifier     *notify.Notifier // nil without an endpoint
	notices      notify.Stats
	listener     net.Listener
	service      *service
	control      net.Listener // the control socket, nil if listenControl failed
}

// open creates the parts of the program, each from those before it. After an error open has closed every part that it
// opened. ctx limits only the opening.
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
	status.setSources(a.statusSources())
	return a, nil
}

const openTimeout = 10 * time.Minute

func openParts(ctx context.Context, s *settings, logger *slog.Logger, level *slog.LevelVar) (*app, error) {
	if err := hostkeys.MakeDir(s.data); err != nil {
		return nil, err
	}
	if s.hostKeyFile == "" {
		if _, err := hostkeys.Load(s.data); err != nil { // makes a missing key
			return nil, err
		}
	}
	key, next, err := s.readHostKeys()
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
			err = fmt.Errorf("cannot use the database %s: %w", cli.Redacted(s.database), err)
		}
		return nil, err
	}
	node, registry := "", match.Registry(nil)
	if s.database != "" {
		registry = store
		host, _ := os.Hostname() // without a host name the node's name is only random
		node = string(manager.NewNode(host))
		logger = logger.With("node", node)
		admins.Log = logger
	}
	directory, unfollow, err := account.Open(opening, store.Accounts(), nil, store.Now)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	addresses := new(limit.SourceTracker)
	accounts := sshapp.NewAccounts(directory, store.Accounts(), addresses.Networks, store.History())
	matches := s.managerConfig
	matches.Networks = addresses.Networks
	nameShown := names.NewNamer(accounts.ClaimedName, accounts.ClaimedBy)
	matches.DisambiguateName, matches.Blocks = nameShown, directory.Blocks
	matches.IsProgram = directory.IsProgram
	matches.MaxSeats = limit.SeatsPerSession * s.ssh.MaxSessionsPerAddress
	matches.Journal, matches.Log = store, logger
	matches.Node, matches.HostKey, matches.Version = match.Node(node), hostkeys.Fingerprint(key), version().Version
	matches.OnLimit = addresses.CountRejection
	matches.OnGuestResumed = addresses.GuestResumed
	shown := func(p match.Player) match.Player { return nameShown(accounts.WithClaimedName(p), match.Player{}) }
	store.History().SetShown(shown)
	store.History().SetBlocks(directory.Blocks)
	a := &app{
		log: logger, reloadAsked: make(chan chan<- reloadAnswer), stopping: s.stop,
		fingerprint: hostkeys.Fingerprint(key), node: node, store: store,
		manager: manager.New(matches), unfollow: unfollow,
		accounts: directory, admins: admins,
	}
	a.reloadedAt.Store(time.Now().Unix())
	onTyped := func(match.PlayerID) {}
	if s.notifyURL != "" {
		a.notifier = notify.Start(notify.Config{
			URL: s.notifyURL, Host: sshapp.SSHArguments(s.publicAddress), Journal: store, Notices: store.Notices(),
			Topic:  func(p match.PlayerID) string { return directory.Preference(p, account.Notify) },
			Blocks: directory.Blocks,
			Shown:  shown, Log: logger, Stats: &a.notices,
		})
		onTyped = a.notifier.Typed
	}
	a.server, err = sshapp.New(sshapp.Config{
		Settings: s.ssh, Sources: addresses, HostKey: key, NextHostKey: next, Manager: a.manager, Accounts: accounts,
		History: store.History(), Progress: store.Progress(), Log: clientLog(logger, s.log), Admins: admins,
		Audit: store.Audit(), Node: node, Registry: registry,
		Process: admin.Process{Checks: a.checks, Reload: a.askReload, Level: level},
		Data: &admin.Data{
			Store: store, HostKey: s.hostKeyPath(),
			Version: version().Version,
		},
		Version: version(), PublicAddress: s.publicAddress, NotifyURL: s.notifyURL, OnTyped: onTyped,
	})
	if err != nil {
		return nil, errors.Join(err, a.closeParts())
	}
	err = a.openListeners(s)
	if err == nil {
		a.web, err = a.openWeb(s)
	}
	if err != nil {
		return nil, errors.Join(err, a.server.Close(), a.closeParts())
	}
	return a, nil
}

// openListeners opens the port, unless systemd passes one, and the control socket. The server can run without a control
// socket.
func (a *app) openListeners(s *settings) (err error) {
	a.listener, err = passedListener()
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

// run serves until a stop signal, the end of a drain or the loss of the store, and stops the server. The channel
// requests delivers the signals to reload or to drain. A server that ends by itself and a lost store are errors.
func (a *app) run(signals, requests <-chan os.Signal) error {
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(a.listener) }()
	if a.control != nil {
		go func() {
			if err := a.server.ServeOperator(a.control); err != nil {
				a.log.Error("the control socket has failed: notakto admin can no longer reach this server",
					"event", "control-failed", "error", err)
			}
		}()
	}
	var others []any
	if a.status != nil {
		others = append(others, "status", a.status.listener.Addr())
	}
	if a.web != nil {
		others = append(others, "web", a.web.listener.Addr())
	}
	a.log.Info("ready", append([]any{"address", a.listener.Addr(), "fingerprint", a.fingerprint, "event", "ready"},
		others...)...)
	a.service = &service{a.log, a.store.Stats().Alive, a.summary}
	defer a.service.supervise()()
	sweeping, stopSweeping := context.WithCancel(context.Background())
	defer stopSweeping()
	go a.sweepDeleted(sweeping)
	for {
		select {
		case sig := <-requests:
			if isDrainSignal(sig) {
				a.beginDrain(cmp.Or(a.stopping.finishMatches, admin.DefaultDrain))
			} else {
				_, _ = a.reload() // reload logs its error
			}
		case answer := <-a.reloadAsked:
			changed, err := a.reload()
			answer <- reloadAnswer{changed, err}
		case err := <-served:
			a.stop(signals)
			return errors.Join(errors.New("the server stopped unexpectedly"), err)
		case sig := <-signals:
			if sig == syscall.SIGTERM && a.stopping.finishMatches > 0 && a.beginDrain(a.stopping.finishMatches) {
				continue
			}
			a.log.Info("stopping; a second signal skips the wait",
				"event", "stopping", "signal", sig, "deadline_ms", a.stopping.timeout.Milliseconds())
			return a.stopAndWait(signals, served)
		case <-a.store.Lost():
			a.stop(signals)
			return store.ErrLostCommits
		case <-a.server.Drained():
			a.log.Info("stopping; a signal skips the wait",
				"event", "stopping", "deadline_ms", a.stopping.timeout.Milliseconds())
			return a.stopAndWait(signals, served)
		}
	}
}

// sweepInterval is the pause between two runs of sweepDeleted.
const sweepInterval = time.Hour

// sweepDeleted deletes the progress of deleted accounts and ends their matches in progress, at once and then every
// sweepInterval, until ctx ends.
func (a *app) sweepDeleted(ctx context.Context) {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		deleted := a.accounts.Deleted()
		err := a.store.Progress().DeleteAccounts(ctx, deleted...)
		if err != nil && ctx.Err() == nil {
			a.log.Warn("the progress of deleted accounts cannot be deleted now", "event", "progress-kept", "error", err)
		}
		for _, p := range deleted {
			if err := a.manager.ResignAll(ctx, p); err != nil && ctx.Err() == nil {
				a.log.Warn("the matches of a deleted account cannot be ended now",
					"event", "matches-kept", "error", err)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// beginDrain lets matches end, within a time, before the server stops. The result is false if a drain is under way.
func (a *app) beginDrain(within time.Duration) bool {
	return a.server.StartDrain(within) == nil
}

func (a *app) stopAndWait(signals <-chan os.Signal, served <-chan error) error {
	a.stop(signals)
	err := <-served
	a.log.Info("stopped", "event", "stopped")
	return err
}

// stop stops the parts in the reverse order of their creation. Server.Stop tells players of the stop and restores their
// terminals. stop ends the wait for Server.Stop after stopping.timeout, or at a further signal. Matches do not end, and
// the next server resumes them.
func (a *app) stop(signals <-chan os.Signal) {
	a.service.tell(daemon.SdNotifyStopping)
	defer a.status.close()
	a.web.close()
	ctx, cancel := context.WithTimeout(context.Background(), a.stopping.timeout)
	defer cancel()
	go func() {
		select {
		case <-signals:
			signal.Reset(os.Interrupt, syscall.SIGTERM) // a third signal kills the process, as is usual
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := a.server.Stop(ctx); err != nil {
		a.log.Warn("some sessions did not end in time and were cut off", "event", "drain-incomplete", "error", err)
	}
	if err := a.closeParts(); err != nil {
		a.log.Warn("the database did not close cleanly", "event", "close-failed", "error", err)
	}
}

func (a *app) closeParts() error {
	if a.notifier != nil {
		a.notifier.Close()
	}
	a.manager.Close()
	a.unfollow()
	return a.store.Close()
}

func (a *app) statusSources() statusSources {
	version := version()
	version.Node = a.node
	counts := new(logCounts)
	if log, ok := a.log.Handler().(logHandler); ok {
		counts = &log.queue.counts
	}
	return statusSources{
		checks: a.checks,
		alive:  a.store.Stats().Alive, version: version,
		metrics: metrics.Handler(&metrics.Sources{
			Version: version.Version, Revision: version.Revision, Go: version.Go,
			Manager: a.manager.Stats, Lobby: a.manager.Lobby().Stats, Store: a.store.Stats(), Server: a.server.Stats,
			Notices: &a.notices,
			Panics:  counts.panics.Load, DroppedLines: counts.dropped.Load,
			Reload: func() (bool, time.Time) { return !a.reloadFailed.Load(), time.Unix(a.reloadedAt.Load(), 0) },
		}),
	}
}

// checks returns the checks of readiness. The server is ready while it can record events and is not draining.
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
