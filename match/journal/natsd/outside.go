package natsd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrUnfit says that an external NATS cannot keep the matches. The text says what it lacks.
var ErrUnfit = errors.New("this NATS cannot keep the matches")

// The oldest NATS that is accepted.
const oldestMajor, oldestMinor = 2, 11

// jetStreamWithin is how long JetStream may take to come up in a NATS that has just been started.
const jetStreamWithin = 2 * time.Second

// checkOutside refuses an external NATS that is too old or has no JetStream: [ErrUnfit]. Clients cannot see how it
// syncs, so the log says at every start what to set.
func checkOutside(ctx context.Context, js jetstream.JetStream, log *slog.Logger) error {
	if err := checkVersion(js.Conn().ConnectedServerVersion()); err != nil {
		return err
	}
	for began := time.Now(); ; Wait(ctx, RetryDelay) {
		asking, stop := context.WithTimeout(ctx, jetStreamWithin) // a cluster without a leader does not answer at all
		_, err := js.AccountInfo(asking)
		stop()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
			return fmt.Errorf("%w: JetStream is not enabled for the account of this server", ErrUnfit)
		case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
			if time.Since(began) > jetStreamWithin {
				return fmt.Errorf("%w: it runs without JetStream; start it with --jetstream", ErrUnfit)
			}
		default: // a cluster without a leader answers later
			log.Warn("how this NATS syncs cannot be seen from here: set sync_interval to always in its jetstream section, "+
				"for with the default of two minutes a power cut loses acknowledged moves", "event", "nats-sync")
			return nil
		}
	}
}

// checkVersion refuses the version of a NATS server if it is too old: [ErrUnfit].
func checkVersion(version string) error {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d.", &major, &minor); err != nil {
		return fmt.Errorf("%w: it says that its version is %.20q; it has to be %d.%d or newer", ErrUnfit, version,
			oldestMajor, oldestMinor)
	}
	if major < oldestMajor || major == oldestMajor && minor < oldestMinor {
		return fmt.Errorf("%w: its version is %s; it has to be %d.%d or newer", ErrUnfit, version, oldestMajor, oldestMinor)
	}
	return nil
}
