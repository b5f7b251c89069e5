package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

const (
	matchesStream  = "MATCHES"
	archiveStream  = "ARCHIVE"
	registryStream = "BOARD"

	anySubject      = "notakto."
	matchSubject    = anySubject + "match."
	archiveSubject  = anySubject + "archive."
	registrySubject = anySubject + "board."
)

// duplicateWindow is how long the server knows a message's ID, so that one which is sent again is recorded once. It is
// longer than anything is sent again for.
const duplicateWindow = time.Minute

// entryAge is when the server drops an entry. Readers go by [match.EntryTTL].
const entryAge = match.EntryTTL + 5*time.Second

// maxRecord is how long a match may be in the archive, whose messages have less than a KB beside it.
const maxRecord = 255 << 10

// streamConfigs are the settings of new streams.
func streamConfigs(storage jetstream.StorageType, replicas int) []jetstream.StreamConfig {
	return []jetstream.StreamConfig{
		{
			Name: matchesStream, Subjects: []string{matchSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "the logs of live matches", Duplicates: duplicateWindow, MaxMsgSize: 4 << 10, DenyDelete: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: archiveStream, Subjects: []string{archiveSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "finished matches", Duplicates: duplicateWindow, MaxMsgSize: 256 << 10, DenyDelete: true, DenyPurge: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: registryStream, Subjects: []string{registrySubject + ">"}, Storage: jetstream.MemoryStorage, Replicas: replicas,
			Description: "the notice board", Duplicates: entryAge, MaxMsgSize: 4 << 10, MaxMsgsPerSubject: 1, MaxAge: entryAge,
			AllowDirect: true,
		},
	}
}

// streams makes the streams that are missing.
type streams struct {
	js       jetstream.JetStream
	cfg      Config
	dir      dataDir
	firstSeq func() uint64 // of the registry
}

// ensureAll makes the streams that are missing, and returns what the server says of each.
func (s *streams) ensureAll(ctx context.Context) (map[string]*jetstream.StreamInfo, error) {
	storage := jetstream.FileStorage
	if s.cfg.Memory {
		storage = jetstream.MemoryStorage
	}
	replicas := s.cfg.Cluster.replicas()
	if s.cfg.Outside.URL != "" {
		replicas = maxReplicas
	}
	infos := map[string]*jetstream.StreamInfo{}
	for _, cfg := range streamConfigs(storage, replicas) {
		if cfg.Name == registryStream {
			cfg.FirstSeq = s.firstSeq() // after a server that took its memory along, revisions go on
		}
		info, err := s.ensure(ctx, cfg)
		if err != nil {
			return nil, fmt.Errorf("the stream %s: %w", cfg.Name, err)
		}
		infos[cfg.Name] = info
	}
	return infos, nil
}

// restore makes the streams again that a server took along.
func (s *streams) restore(ctx context.Context) error {
	_, err := s.ensureAll(ctx)
	return err
}

// ensure makes a stream unless it is there, and waits for as many nodes as that takes. One that is there stays as it
// is: operators may have changed it.
func (s *streams) ensure(ctx context.Context, cfg jetstream.StreamConfig) (*jetstream.StreamInfo, error) {
	until := time.Now().Add(3 * time.Second)
	for {
		info, err := s.makeStream(ctx, cfg)
		if err == nil && info.Cluster != nil && info.Cluster.Leader == "" {
			err = errNoLeader
		}
		var api *jetstream.APIError
		switch {
		case err == nil:
			return info, nil
		case errors.As(err, &api) && api.ErrorCode == codeNoCluster && s.cfg.Outside.URL != "":
			cfg.Replicas = 1
		case errors.As(err, &api) && api.ErrorCode == codeNoPeers && cfg.Name == registryStream && cfg.Replicas > 2 &&
			s.cfg.Outside.URL == "": // where a server that comes back adds a copy: see [node.holds]
			cfg.Replicas = 2
		case ctx.Err() != nil || !isTransient(err) && !needsPeers(err):
			return nil, err
		case time.Now().After(until):
			s.cfg.Log.Warn("waiting for the other nodes of the cluster: a new one needs all that keep its streams, a running one more than half",
				"stream", cfg.Name, "nodes", cfg.Replicas, "peers", s.cfg.Cluster.others(), "err", err)
			until = time.Now().Add(10 * time.Second)
		}
		wait(ctx, retryDelay)
	}
}

// makeStream asks for a stream once.
func (s *streams) makeStream(ctx context.Context, cfg jetstream.StreamConfig) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*answerWithin)
	defer cancel()
	stream, err := s.js.Stream(ctx, cfg.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if s.cfg.isStandalone() && !s.cfg.Memory && exists(s.dir.stream(cfg.Name)) {
			// The server could not read the files, and would write over them.
			return nil, fmt.Errorf("%w (%s)", ErrRestore, s.dir.stream(cfg.Name))
		}
		stream, err = s.js.CreateStream(ctx, cfg)
	}
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// nameable reports whether an ID can be a token of a subject. No other is recorded.
func nameable(id match.ID) bool {
	return 0 < len(id) && len(id) <= 64 && !strings.ContainsFunc(string(id), func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && r != '-' && r != '_'
	})
}

// bucket is the subject of a match's record.
func bucket(id match.ID) string { return archiveSubject + string(id[:min(2, len(id))]) }
