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
)

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
