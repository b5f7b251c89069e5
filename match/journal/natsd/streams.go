package natsd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats-server/v2/server/archive"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// The streams and their subjects. A subject ends with a match, the first letters of one, a command, or a key.
const (
	MatchesStream  = "MATCHES"
	ArchiveStream  = "ARCHIVE"
	RegistryStream = "BOARD"
	PeopleStream   = "PEOPLE"
	AuditStream    = "AUDIT"

	anySubject      = "notakto."
	MatchSubject    = anySubject + "match."
	ArchiveSubject  = anySubject + "archive."
	RegistrySubject = anySubject + "board."
	PeopleSubject   = anySubject + "people"
	AuditSubject    = anySubject + "audit."
)

// streams returns the names of all streams, those on the disk first.
func streams() []string { return append(fileStreams(), RegistryStream) }

// fileStreams returns the names of the streams that an embedded server keeps on the disk.
func fileStreams() []string { return []string{MatchesStream, ArchiveStream, PeopleStream, AuditStream} }

// duplicateWindow is how long the server remembers message IDs, so that a message that is sent again is stored once. No
// message is sent again for so long.
const duplicateWindow = time.Minute

// What administrators have done is kept for so long, and so many times of each command: one that a program gives every
// few seconds takes no room from the others.
const (
	auditAge  = 365 * 24 * time.Hour
	auditEach = 10_000
)

// EntryAge is when the server drops an entry. Readers go by [match.EntryTTL].
const EntryAge = match.EntryTTL + 5*time.Second

// streamConfigs returns the settings of new streams.
func streamConfigs(storage jetstream.StorageType, replicas int) []jetstream.StreamConfig {
	return []jetstream.StreamConfig{
		{
			Name: MatchesStream, Subjects: []string{MatchSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "the logs of live matches", Duplicates: duplicateWindow, MaxMsgSize: 4 << 10, DenyDelete: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: ArchiveStream, Subjects: []string{ArchiveSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "finished matches", Duplicates: duplicateWindow, MaxMsgSize: 256 << 10,
			DenyDelete: true, DenyPurge: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: PeopleStream, Subjects: []string{PeopleSubject}, Storage: storage, Replicas: replicas,
			Description: "what players decided about their accounts", Duplicates: duplicateWindow, MaxMsgSize: 4 << 10,
			DenyDelete: true, DenyPurge: true, AllowDirect: true,
		},
		{
			Name: AuditStream, Subjects: []string{AuditSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "what administrators have done", Duplicates: duplicateWindow, MaxMsgSize: 4 << 10,
			MaxAge: auditAge, MaxMsgsPerSubject: auditEach, DenyDelete: true, DenyPurge: true, AllowDirect: true,
		},
		{
			Name: RegistryStream, Subjects: []string{RegistrySubject + ">"}, Storage: jetstream.MemoryStorage,
			Replicas:    replicas,
			Description: "the notice board", Duplicates: EntryAge, MaxMsgSize: 4 << 10, MaxMsgsPerSubject: 1, MaxAge: EntryAge,
			AllowDirect: true,
		},
	}
}

// Streams are the streams of the journal, once Open has returned. They are read at their leaders, which are never
// behind. Their cached information is that of the start.
type Streams struct {
	Matches, Archive, People, Audit, Registry jetstream.Stream
	// Searches is the archive on another connection: the server answers a connection's requests one after the other,
	// and moves are not to wait for searches.
	Searches jetstream.Stream

	js       jetstream.JetStream
	searches jetstream.JetStream
	cfg      Config
	dir      dataDir
	firstSeq func() uint64 // of the registry
}

// Searcher is the client of Searches.
func (s *Streams) Searcher() jetstream.JetStream { return s.searches }

// Open makes the streams that are missing, and opens all.
func (s *Streams) Open(ctx context.Context) error {
	all, err := s.ensureAll(ctx)
	if err != nil {
		return err
	}
	s.Matches, s.Archive, s.Registry = all[MatchesStream], all[ArchiveStream], all[RegistryStream]
	s.People, s.Audit = all[PeopleStream], all[AuditStream]
	search := *s
	search.js = s.searches
	if s.Searches, err = search.ensure(ctx, s.Archive.CachedInfo().Config); err != nil {
		return err
	}
	for _, stream := range [...]jetstream.Stream{
		s.Matches, s.Archive, s.People, s.Audit, s.Registry, s.Searches,
	} {
		stream.CachedInfo().Config.AllowDirect = false // by that the client chooses between the leader and any copy
	}
	return nil
}

// ensureAll makes the streams that are missing, and returns all by their names.
func (s *Streams) ensureAll(ctx context.Context) (map[string]jetstream.Stream, error) {
	storage := jetstream.FileStorage
	if s.cfg.Memory {
		storage = jetstream.MemoryStorage
	}
	replicas := s.cfg.Cluster.replicas()
	if s.cfg.Outside.URL != "" {
		replicas = maxReplicas
	}
	all := map[string]jetstream.Stream{}
	for _, cfg := range streamConfigs(storage, replicas) {
		if cfg.Name == RegistryStream {
			cfg.FirstSeq = s.firstSeq() // revisions continue after the server has lost its memory
		}
		stream, err := s.ensure(ctx, cfg)
		if err != nil {
			return nil, fmt.Errorf("the stream %s: %w", cfg.Name, err)
		}
		all[cfg.Name] = stream
	}
	return all, nil
}

// Restore makes the streams again that a server lost.
func (s *Streams) Restore(ctx context.Context) error {
	_, err := s.ensureAll(ctx)
	return err
}

// ensure makes a stream unless it is there, and waits for as many nodes as that takes. One that is there stays as it
// is: operators may have changed it.
func (s *Streams) ensure(ctx context.Context, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	until := time.Now().Add(3 * time.Second)
	for {
		stream, err := s.makeStream(ctx, cfg)
		if err == nil && stream.CachedInfo().Cluster != nil && stream.CachedInfo().Cluster.Leader == "" {
			err = errNoLeader
		}
		switch {
		case err == nil:
			return stream, nil
		case codeOf(err) == server.JSStreamReplicasNotSupportedErr && s.cfg.Outside.URL != "":
			cfg.Replicas = 1
		case codeOf(err) == server.JSClusterNoPeersErrF && cfg.Name == RegistryStream && cfg.Replicas > 2 &&
			s.cfg.Outside.URL == "": // where a rejoining server adds a copy: see [Node.holds]
			cfg.Replicas = 2
		case ctx.Err() != nil || !IsTransient(err) && !needsPeers(err):
			return nil, err
		case time.Now().After(until):
			s.cfg.Log.Warn("waiting for the other nodes of the cluster: a new one needs all that keep its streams, a "+
				"running one more than half", "event", "cluster-wait",
				"stream", cfg.Name, "nodes", cfg.Replicas, "peers", s.cfg.Cluster.others(), "error", err)
			until = time.Now().Add(10 * time.Second)
		}
		Wait(ctx, RetryDelay)
	}
}

// makeStream tries once to create a stream.
func (s *Streams) makeStream(ctx context.Context, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*AnswerWithin)
	defer cancel()
	stream, err := s.js.Stream(ctx, cfg.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return stream, err
	}
	if s.cfg.IsStandalone() && !s.cfg.Memory && exists(s.dir.stream(cfg.Name)) {
		// The server could not read the files, and would write over them.
		return nil, fmt.Errorf("%w (%s)", ErrRestore, s.dir.stream(cfg.Name))
	}
	return s.js.CreateStream(ctx, cfg)
}

// snapshotChunk is how many bytes of a snapshot go into one message of a restore.
const snapshotChunk = 256 << 10

// A snapshot is taken in pieces, after each of which others have the processor for snapshotRest times as long as the
// piece took.
const (
	snapshotPiece = 64 << 10
	snapshotRest  = 2
)

// snapshotStall is how long NATS may take for the next message of a snapshot, and for the answer to one of a restore.
const snapshotStall = 30 * time.Second

// KeptStreams returns the names of the streams that a backup has, in the order in which it takes them: a match that is
// archived during the backup is in both of the first two, never in neither.
func KeptStreams() []string { return fileStreams() }

// TakeSnapshot writes a snapshot of a stream to w, in the form of NATS, and returns the state of the stream at that
// time. Other messages can be stored at the same time. NATS gives up if w takes seconds for a write. Several goroutines
// may use a node that is open.
func TakeSnapshot(ctx context.Context, n *Node, stream string, w io.Writer) (jetstream.StreamState, error) {
	conn, err := n.dial() // moves are not to wait for it
	if err != nil {
		return jetstream.StreamState{}, err
	}
	defer conn.Close()
	chunks, err := conn.SubscribeSync(conn.NewInbox())
	if err != nil {
		return jetstream.StreamState{}, err
	}
	var answer server.JSApiStreamSnapshotResponse
	request := server.JSApiStreamSnapshotRequest{
		DeliverSubject: chunks.Subject, NoConsumers: true, CheckMsgs: true,
		ChunkSize: snapshotPiece, WindowSize: snapshotPiece, // one at a time
	}
	if err := apiRequest(ctx, conn, fmt.Sprintf(server.JSApiStreamSnapshotT, stream), request, &answer); err != nil {
		return jetstream.StreamState{}, err
	}
	if answer.Error != nil {
		return jetstream.StreamState{}, answer.Error
	}
	if err := receiveChunks(ctx, chunks, w); err != nil {
		return jetstream.StreamState{}, err
	}
	var state jetstream.StreamState
	text, err := json.Marshal(answer.State)
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	return state, err
}

// receiveChunks writes the messages of a snapshot to w until the empty one, which is the last.
func receiveChunks(ctx context.Context, chunks *nats.Subscription, w io.Writer) error {
	for {
		next, cancel := context.WithTimeout(ctx, snapshotStall)
		began := time.Now()
		m, err := chunks.NextMsgWithContext(next)
		cancel()
		if err != nil {
			return err
		}
		if len(m.Data) == 0 {
			if status := m.Header.Get("Status"); status != "" && status != "204" {
				return fmt.Errorf("NATS gave up: %s %s", status, m.Header.Get("Description"))
			}
			return nil
		}
		if _, err := w.Write(m.Data); err != nil {
			return err
		}
		Wait(ctx, snapshotRest*time.Since(began))
		if m.Reply == "" {
			continue
		}
		if err := m.Respond(nil); err != nil {
			return err
		}
	}
}

// errRestored says that NATS answered a restore with something else than the stream.
var errRestored = errors.New("NATS did not restore the stream")

// RestoreSnapshot makes a stream, which must not exist, from a snapshot in the form of NATS. The stream has the
// settings of this version and one replica. The node has started, and its streams are not open.
func RestoreSnapshot(ctx context.Context, n *Node, stream string, state jetstream.StreamState, r io.Reader) error {
	var cfg jetstream.StreamConfig
	for _, one := range streamConfigs(jetstream.FileStorage, 1) {
		if one.Name == stream {
			cfg = one
		}
	}
	conn := n.JetStream.Conn()
	request := struct {
		Config jetstream.StreamConfig `json:"config"`
		State  jetstream.StreamState  `json:"state"`
	}{cfg, state}
	var answer server.JSApiStreamRestoreResponse
	if err := apiRequest(ctx, conn, fmt.Sprintf(server.JSApiStreamRestoreT, stream), request, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return answer.Error
	}
	for chunk := make([]byte, snapshotChunk); ; {
		size, err := io.ReadFull(r, chunk)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		text, err := answerTo(ctx, conn, answer.DeliverSubject, chunk[:size])
		if err != nil {
			return err
		}
		var made server.JSApiStreamCreateResponse
		if len(text) > 0 {
			if err := json.Unmarshal(text, &made); err != nil {
				return err
			}
		}
		switch {
		case made.Error != nil:
			return made.Error
		case size == 0 && made.StreamInfo == nil:
			return errRestored
		case size == 0:
			return nil
		}
	}
}

// apiRequest asks NATS something and decodes the answer.
func apiRequest(ctx context.Context, conn *nats.Conn, subject string, request, answer any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if text, err = answerTo(ctx, conn, subject, text); err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

func answerTo(ctx context.Context, conn *nats.Conn, subject string, text []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, snapshotStall)
	defer cancel()
	m, err := conn.RequestWithContext(ctx, subject, text)
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// RewriteSnapshot copies a snapshot from r to w, with what change returns in the place of each message's body. The
// number of messages, their sequences, times and headers stay as they are.
func RewriteSnapshot(r io.Reader, w io.Writer, change func(subject string, body []byte) ([]byte, error)) error {
	packed := s2.NewWriter(w)
	in, out := archive.NewReader(s2.NewReader(r)), archive.NewWriter(packed)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return errors.Join(out.Close(), packed.Close())
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		if h.Sequence > 0 {
			body, err := change(h.Name, content[h.HeaderSize:])
			if err != nil {
				return fmt.Errorf("message %d: %w", h.Sequence, err)
			}
			content = append(content[:h.HeaderSize:h.HeaderSize], body...)
			h.PayloadSize = int64(len(body))
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(content); err != nil {
			return err
		}
	}
}
