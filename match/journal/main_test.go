package journal

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The tests of clusters wait for elections, and hardly compute.
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err)
	}
	// NATS (2.15) keeps two goroutines of a stream's store that it makes while it is shutting down. A server that was
	// not shut down has many others.
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server.(*fileStore).flushStreamStateLoop"),
		goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server/ats.Register.func1"),
	)
}
