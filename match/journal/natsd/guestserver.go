package natsd

import (
	"context"
	"crypto/rand"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// guestServer is a server that reaches a cluster and keeps nothing.
type guestServer struct{ clusterClient }

// newGuestServer starts a server that connects to the nodes of a cluster, and listens as cluster says.
func newGuestServer(ctx context.Context, cfg Config, cluster Cluster) (*guestServer, error) {
	options := server.Options{ServerName: "visitor-" + rand.Text()[:12], NoSigs: true}
	if err := cluster.join(&options); err != nil {
		return nil, err
	}
	v := new(guestServer)
	v.embedded = &embeddedServer{options: options, logger: natsLogger{log: cfg.Log, isBrief: true}}
	if err := v.embedded.start(ctx); err != nil {
		return nil, err
	}
	var err error
	if v.conn, err = nats.Connect("", v.embedded.login(localUser)); err != nil {
		v.close()
		return nil, err
	}
	if v.js, err = jetstream.New(v.conn); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// close returns when the server has stopped.
func (v *guestServer) close() {
	if v.conn != nil {
		v.conn.Close()
	}
	v.embedded.stop()
}
