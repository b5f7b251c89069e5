package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// startEmbedded locks the directory and starts the embedded server, if there is to be one.
func (s *Store) startEmbedded(ctx context.Context) (err error) {
	if s.cfg.Outside.URL != "" {
		return nil
	}
	dir := filepath.Join(s.cfg.Dir, "journal")
	if s.cfg.Memory {
		if s.scratch, err = os.MkdirTemp("", "notakto-journal-"); err != nil {
			return err
		}
		dir = s.scratch
	}
	stored, err := storedFormat(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if s.lock, err = lock(dir); err != nil {
		return err
	}
	if err := finishLeave(dir); err != nil {
		return err
	}
	if err := s.settle(ctx, dir); err != nil {
		return err
	}
	options, err := s.options(dir)
	if err != nil {
		return err
	}
	s.embedded = &embeddedServer{options: options, logger: natsLogger{log: s.cfg.Log}}
	if !s.cfg.Memory {
		s.diskMonitor = &diskMonitor{dir: dir, embedded: s.embedded, log: s.cfg.Log, restore: s.restore, isolation: isolation{peers: s.cfg.Cluster.others(), call: call}}
		s.diskMonitor.minFree.Store(minFree)
		s.embedded.logger.unwritten = func() { s.diskMonitor.failed.Store(true) }
		s.diskMonitor.check()
	}
	if err := errors.Join(s.loadCheckpoint(dir), s.mendBlocks(dir), forceFullScan(dir), s.raiseFormat(dir, stored)); err != nil {
		return err
	}
	return s.embedded.start(ctx)
}

// settle decides which node of which cluster this is, and returns when it may start as that.
func (s *Store) settle(ctx context.Context, dir string) error {
	err := s.fits(dir)
	if err == nil {
		err = s.beginAgain(dir)
	}
	if err == nil {
		err = s.nameNode(dir)
	}
	if err != nil {
		return err
	}
	if s.roster, err = openRoster(filepath.Join(dir, "members")); err != nil {
		return err
	}
	s.wasMember = joined(dir) && len(s.roster.all()) > 1
	if err := s.admit(ctx, dir); err != nil {
		return err
	}
	return errors.Join(s.writeName(dir), s.noteReplacing(dir))
}

func (s *Store) options(dir string) (server.Options, error) {
	options := server.Options{
		ServerName: s.cfg.Node, DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir, DisableJetStreamBanner: true,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 1 << 40, // the disk and the operator set the limits
		SyncAlways: s.cfg.Sync == Always, SyncInterval: time.Second,
	}
	err := s.cfg.Cluster.join(&options)
	return options, err
}

// loadCheckpoint opens the checkpoint of a server that is on its own.
func (s *Store) loadCheckpoint(dir string) (err error) {
	if s.cfg.Memory || s.cfg.Cluster.Listen != "" {
		return nil
	}
	s.checkpoint, err = openCheckpoint(filepath.Join(dir, "tally"))
	if errors.Is(err, errCheckpoint) {
		s.cfg.Log.Error("whether acknowledged events are missing from the journal cannot be told", "err", err)
		err = nil
	}
	s.index.checkpoint = s.checkpoint
	return err
}

// writeFileSync writes a small file that is whole or not there at all, and there for good when it returns, wherever the
// power fails. Nobody else may write it at the same time.
func writeFileSync(path string, text []byte) error {
	if err := os.Remove(path + ".new"); err != nil && !errors.Is(err, os.ErrNotExist) { // of an earlier try, or a link
		return err
	}
	temp, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_SYNC, 0o600)
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// connect connects to the embedded server or to the outside, twice: the server answers the requests of a connection one
// after the other, and moves are not to wait for searches of the archive.
func (s *Store) connect() (err error) {
	if s.conn, err = s.dial(); err != nil {
		return err
	}
	s.searches, err = s.dial()
	return err
}

func (s *Store) dial() (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(s.cfg.Node), nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond), nats.ReconnectJitter(0, 0),
		nats.ReconnectBufSize(-1), // what cannot be sent now fails now
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			s.cfg.Log.Warn("the journal's connection", "err", err)
		}),
	}
	out := s.cfg.Outside
	if out.URL == "" {
		options = append(options, s.embedded.login(localUser))
	} else {
		options = append(options, nats.ReconnectWait(500*time.Millisecond), nats.ReconnectJitter(500*time.Millisecond, time.Second))
	}
	if out.Credentials != "" {
		options = append(options, nats.UserCredentials(out.Credentials))
	}
	if out.CAFile != "" {
		options = append(options, nats.RootCAs(out.CAFile))
	}
	return nats.Connect(out.URL, options...)
}
