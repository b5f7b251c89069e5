package journal

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

const (
	matchesStream = "MATCHES"
	archiveStream = "ARCHIVE"
	boardStream   = "BOARD"

	matchSubject   = "notakto.match."
	archiveSubject = "notakto.archive."
	boardSubject   = "notakto.board."
)

// memory is how long the server knows a message's ID, so that one which is sent again is recorded once. It is longer than anything
// is sent again for.
const memory = time.Minute

// noteAge is when the server drops a note. Readers go by [match.NoteLife].
const noteAge = match.NoteLife + 5*time.Second

func streams(storage jetstream.StorageType, replicas int) []jetstream.StreamConfig {
	return []jetstream.StreamConfig{
		{
			Name: matchesStream, Subjects: []string{matchSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "the logs of live matches", Duplicates: memory, MaxMsgSize: 4 << 10, DenyDelete: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: archiveStream, Subjects: []string{archiveSubject + "*"}, Storage: storage, Replicas: replicas,
			Description: "finished matches", Duplicates: memory, MaxMsgSize: 256 << 10, DenyDelete: true, DenyPurge: true,
			AllowDirect: true, AllowAtomicPublish: true,
		},
		{
			Name: boardStream, Subjects: []string{boardSubject + ">"}, Storage: jetstream.MemoryStorage, Replicas: replicas,
			Description: "the notice board", Duplicates: noteAge, MaxMsgSize: 4 << 10, MaxMsgsPerSubject: 1, MaxAge: noteAge,
			AllowDirect: true,
		},
	}
}

// ensure makes a stream unless it is there. One that is there stays as it is: operators may have changed it.
func ensure(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) (*jetstream.StreamInfo, error) {
	stream, err := js.Stream(ctx, cfg.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, cfg)
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
