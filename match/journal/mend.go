package journal

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// shortFor is how long the leader of a stream must lack messages that were delivered before they count as lost: a new
// leader may still be applying them.
const shortFor = 5 * time.Second

// mender checks whether a stream has lost delivered messages, repairs what it can, and returns the sequence from which
// the follower continues: next, or a lower one if sequences are used again. Only the follower's goroutine calls it.
type mender func(ctx context.Context, next uint64) uint64

// mendLog returns the mender of MATCHES or ARCHIVE at an external NATS. info is the stream at the start. A missing
// stream is created again. If messages are lost, lose is called with the last remaining sequence and the number of lost
// ones. It logs that and returns the sequence from which the follower continues: servers may have recorded more since.
func mendLog(n *natsd.Node, info *jetstream.StreamInfo,
	lose func(ctx context.Context, end, missing uint64) (uint64, error)) mender {
	made, name := info.Created, info.Config.Name
	var short time.Time // when the stream was first too short; zero if it is not
	return func(ctx context.Context, next uint64) uint64 {
		ctx, cancel := context.WithTimeout(ctx, mendWithin)
		defer cancel()
		info, err := natsd.StreamInfo(ctx, n.JetStream, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if err = n.Streams.Restore(ctx); err == nil {
				info, err = natsd.StreamInfo(ctx, n.JetStream, name)
			}
		}
		if err != nil {
			n.Config.Log.Debug("whether the stream is whole cannot be told",
				"event", "stream-unknown", "stream", name, "error", err)
			return next
		}
		end := info.State.LastSeq
		switch {
		case info.Created.After(made.Add(time.Second)):
			made, end = info.Created, 0
		case end+1 >= next:
			short = time.Time{}
			return next
		case info.Cluster != nil && short.IsZero():
			short = time.Now()
			return next
		case info.Cluster != nil && time.Since(short) < shortFor:
			return next
		}
		short = time.Time{}
		from, err := lose(ctx, end, next-1-min(end, next-1))
		if err != nil {
			n.Config.Log.Debug("what the stream has lost cannot be told",
				"event", "stream-unknown", "stream", name, "error", err)
			return next
		}
		return from
	}
}

// loseEvents marks the live matches as damaged of which MATCHES no longer has the last entry.
func loseEvents(ctx context.Context, n *natsd.Node, v *index, missing uint64) (from uint64, err error) {
	whole := uint64(0) // the last sequence of the matches that have lost nothing
	var lost []match.ID
	for id, last := range v.ends() {
		m, err := n.Streams.Matches.GetMsg(ctx, last)
		switch {
		case err == nil && m.Subject == natsd.MatchSubject+string(id):
			whole = max(whole, last)
		case err == nil, errors.Is(err, jetstream.ErrMsgNotFound):
			lost = append(lost, id)
		default:
			return 0, err
		}
	}
	entries := v.markDamaged(whole, lost)
	n.Config.Log.Error("acknowledged events are missing from NATS: it was emptied, or is an older copy; the "+
		"matches that they belong to cannot be played on; start all servers again, to go on from what is left",
		"event", "journal-incomplete",
		"stream", natsd.MatchesStream, "missing", min(missing, entries), "matches", len(lost))
	return whole + 1, nil
}
