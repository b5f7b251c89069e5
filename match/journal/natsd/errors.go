package natsd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// codeOf returns the code of a server's error, zero if it is another error.
func codeOf(err error) server.ErrorIdentifier {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return 0
	}
	return server.ErrorIdentifier(api.ErrorCode)
}

// IsTransient reports whether an error may go away by itself: there is no quorum or leader yet, the server is starting,
// or an answer was lost.
func IsTransient(err error) bool {
	switch codeOf(err) {
	case server.JSClusterNotAvailErr, server.JSClusterNotLeaderErr, server.JSNotEnabledErr, server.JSStreamStoreFailedF,
		server.JSStreamOfflineErr, server.JSStreamOfflineReasonErrF, server.JSStreamDuplicateMessageConflict,
		server.JSStreamExpectedLastSeqPerSubjectNotReady, server.JSStreamTooManyRequests:
		return true
	case 0:
		return errors.Is(err, errNoLeader) || errors.Is(err, errNoAnswer) || errors.Is(err, nats.ErrNoResponders) ||
			errors.Is(err, jetstream.ErrNoStreamResponse) ||
			errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrDisconnected) ||
			errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
	}
	return false
}

// needsPeers reports whether an error may go away when more nodes start.
func needsPeers(err error) bool {
	switch codeOf(err) {
	case server.JSClusterNoPeersErrF, server.JSInsufficientResourcesErr, server.JSStreamReplicasNotSupportedErr:
		return true
	}
	return false
}

// errNoLeader says that the servers that keep a stream have not agreed on one that leads it.
var errNoLeader = errors.New("the stream has no leader yet")

// errFull says that the disk has too little free space.
var errFull = errors.New("the disk is full")

// errNoMajority says that the leader of a stream has lost contact with most of its replicas.
var errNoMajority = errors.New("the leader of the matches is in contact with too few servers")

// errNoAnswer says that no server of the cluster has answered for a stream in time.
var errNoAnswer = errors.New("no leader of the matches answers: more than half of the servers must be up")

// errCutOff says that the network has cut this server off from most of its cluster.
var errCutOff = errors.New("the other servers cannot be reached")

// unavailableError keeps the server's error for the log.
type unavailableError struct{ cause error }

func (o unavailableError) Error() string {
	why := "the journal does not answer"
	switch {
	case errors.Is(o.cause, errFull):
		why = "the server's disk is full"
	case errors.Is(o.cause, errCutOff):
		why = "this server is cut off from the others"
	case errors.Is(o.cause, errNoMajority), errors.Is(o.cause, nats.ErrNoResponders),
		errors.Is(o.cause, jetstream.ErrNoStreamResponse), codeOf(o.cause) == server.JSClusterNotAvailErr:
		why = "too few servers are up"
	}
	return fmt.Sprintf("%v: %s; what was recorded is kept, try again soon", match.ErrUnavailable, why)
}

func (o unavailableError) Unwrap() []error { return []error{match.ErrUnavailable, o.cause} }

// Unavailable makes an error a [match.ErrUnavailable], in words for a player; nil stays nil.
func Unavailable(err error) error {
	if err == nil || errors.Is(err, match.ErrUnavailable) {
		return err
	}
	return unavailableError{cause: err}
}

// The parts of a node that can keep it from recording.
const (
	JournalPart = "journal"
	ClusterPart = "cluster"
	DiskPart    = "disk"
)

// PartOf returns which part of a node an error is about that [Unavailable] has made, and the error in words for an
// operator.
func PartOf(err error) (part string, cause error) {
	cause = err
	if outer := (unavailableError{}); errors.As(err, &outer) {
		cause = outer.cause
	}
	switch {
	case errors.Is(cause, errFull):
		return DiskPart, cause
	case errors.Is(cause, errCutOff), errors.Is(cause, errNoMajority), errors.Is(cause, errNoLeader),
		errors.Is(cause, errNoAnswer), errors.Is(cause, jetstream.ErrNoStreamResponse),
		codeOf(cause) == server.JSClusterNotAvailErr:
		return ClusterPart, cause
	default:
		return JournalPart, cause
	}
}

const (
	// AnswerWithin is how long a request to the server may take before it is repeated.
	AnswerWithin = 2 * time.Second
	// RetryDelay is how long to wait before a retry.
	RetryDelay = 200 * time.Millisecond
)

// StreamInfo requests the state of a stream from its leader.
func StreamInfo(ctx context.Context, js jetstream.JetStream, name string) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, AnswerWithin)
	defer cancel()
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// Wait returns after d, or when ctx has ended.
func Wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
