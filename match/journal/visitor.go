package journal

import (
	"context"
	"crypto/rand"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// visitor is a server that reaches a cluster and keeps nothing.
type visitor struct {
	housing *housing
	conn    *nats.Conn
	js      jetstream.JetStream
}

// newVisitor starts a server that connects to the nodes of a cluster, and listens as cluster says.
func newVisitor(ctx context.Context, cfg Config, cluster Cluster) (*visitor, error) {
	options := server.Options{ServerName: "visitor-" + rand.Text()[:12], NoSigs: true}
	if err := cluster.join(&options); err != nil {
		return nil, err
	}
	v := &visitor{housing: &housing{options: options, voice: voice{log: cfg.Log, brief: true}}}
	if err := v.housing.start(ctx); err != nil {
		return nil, err
	}
	var err error
	if v.conn, err = nats.Connect("", v.housing.login(localUser)); err != nil {
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
func (v *visitor) close() {
	if v.conn != nil {
		v.conn.Close()
	}
	v.housing.stop()
}
