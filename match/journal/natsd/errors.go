package natsd

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match"
)

// The server's error codes that the client does not name.
const (
	codeNoPeers          jetstream.ErrorCode = 10005
	codeUnavailable      jetstream.ErrorCode = 10008
	codeNotLeader        jetstream.ErrorCode = 10009
	codeNoResources      jetstream.ErrorCode = 10023
	codeNotMember        jetstream.ErrorCode = 10044
	CodeWrongLast        jetstream.ErrorCode = 10071
	codeNoCluster        jetstream.ErrorCode = 10074
	codeDisabled         jetstream.ErrorCode = 10076
	codeStoreFailed      jetstream.ErrorCode = 10077
	codeStreamOffline    jetstream.ErrorCode = 10118
	codeDuplicatePending jetstream.ErrorCode = 10158
	codeLastUnknown      jetstream.ErrorCode = 10163
	CodeWrongLastUntold  jetstream.ErrorCode = 10164
	codeTooMany          jetstream.ErrorCode = 10167
	codeMemberChange     jetstream.ErrorCode = 10202
	codeRescue           jetstream.ErrorCode = 10224
	codeOfflineBecause   jetstream.ErrorCode = 10194
)

// IsTransient reports whether an error may go away by itself: no quorum or leader yet, a server that starts, an answer
// that got lost.
func IsTransient(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode {
		case codeUnavailable, codeNotLeader, codeDisabled, codeStoreFailed, codeStreamOffline, codeDuplicatePending, codeLastUnknown,
			codeTooMany, codeOfflineBecause:
			return true
		}
		return false
	}
	return errors.Is(err, errNoLeader) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrDisconnected) ||
		errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
}

// needsPeers reports whether an error may go away when more nodes come.
func needsPeers(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == codeNoPeers || api.ErrorCode == codeNoResources || api.ErrorCode == codeNoCluster)
}

// errNoLeader says that the servers that keep a stream have not agreed on one that leads it.
var errNoLeader = errors.New("the stream has no leader yet")

// errFull says that the disk has too little room left.
var errFull = errors.New("the disk is full")

// errNoMajority says that the leader of a stream has lost contact with most of its replicas.
var errNoMajority = errors.New("the leader of the matches is in contact with too few servers")

// errCutOff says that the network has cut this server off from most of its cluster.
var errCutOff = errors.New("the other servers cannot be reached")

// unavailableError keeps what the server said for the log.
type unavailableError struct{ cause error }

func (o unavailableError) Error() string {
	why := "the journal does not answer"
	var api *jetstream.APIError
	switch {
	case errors.Is(o.cause, errFull):
		why = "the server's disk is full"
	case errors.Is(o.cause, errCutOff):
		why = "this server is cut off from the others"
	case errors.Is(o.cause, errNoMajority), errors.Is(o.cause, nats.ErrNoResponders), errors.As(o.cause, &api) && api.ErrorCode == codeUnavailable:
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
