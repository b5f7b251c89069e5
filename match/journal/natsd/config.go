package natsd

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Sync says when events are synced to the disk.
type Sync uint8

// The ways to write.
const (
	// Always syncs each event before it is acknowledged: a power cut loses nothing.
	Always Sync = iota
	// Interval syncs every second: a power cut loses up to a second of play, a crash of the process nothing.
	Interval
)

// Config says where the streams are kept. The zero value is an embedded server below the working directory.
type Config struct {
	// Dir is the data directory; an embedded server's files are in Dir/journal.
	Dir string
	// Sync is for an embedded server.
	Sync Sync
	// Memory keeps everything in memory, for tests. Dir is not used.
	Memory bool
	// Cluster joins the embedded server with those of other processes.
	Cluster Cluster
	// Outside is used instead of an embedded server if its URL is not empty.
	Outside Outside
	// Node is the name of this process in its cluster, letters, digits, hyphens and underscores. It must stay the same
	// and be unique. By default it is made from the cluster's address, or drawn outside a cluster. The data directory
	// keeps it.
	Node string
	// Fingerprint is that of the host key, and Version that of the program. The nodes of a cluster compare them; both
	// may be empty.
	Fingerprint, Version string
	// Log is for operators; by default it is [slog.Default].
	Log *slog.Logger
}

// Outside is an external NATS with JetStream.
type Outside struct {
	// URL is one address or several, separated by commas.
	URL string
	// Credentials is a file with a user's JWT and key; empty for none.
	Credentials string
	// CAFile is the authority that signed the servers' certificates, as a PEM file; empty for those that the system
	// trusts.
	CAFile string
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Cluster.Name == "" {
		c.Cluster.Name = "notakto"
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.Outside.URL != "" && c.Cluster.Listen != "":
		return errors.New("the journal is either in a cluster of our own or on an outside NATS, not both")
	case c.Memory && (c.Outside.URL != "" || c.Cluster.Listen != ""):
		return errors.New("a journal in memory has neither a cluster nor an outside NATS")
	}
	if c.Cluster.Replace != "" && c.Cluster.Listen == "" {
		return errors.New("only a server of a cluster can take the place of another")
	}
	return c.Cluster.Check()
}

// IsStandalone reports whether an embedded server of this process has the journal to itself.
func (c Config) IsStandalone() bool { return c.Cluster.Listen == "" && c.Outside.URL == "" }

// SyncsEach reports whether the server syncs each message separately. Clusters sync in groups.
func (c Config) SyncsEach() bool {
	return !c.Memory && c.Sync == Always && c.IsStandalone()
}

// ErrOpenCluster says that a cluster's port would be open to everyone.
var ErrOpenCluster = errors.New("a cluster needs a secret (--cluster-secret-file), and, if it listens on more " +
	"than loopback, a certificate, its key and the CA of its nodes")

// clusterUser is the account that nodes use with each other. The secret is what counts.
const clusterUser = "notakto"

// greetWithin is how many seconds a connection between servers has for its TLS handshake, and then to send the secret.
// A silent one holds a file descriptor for that long. A server that was too slow tries again.
const greetWithin = 1

// maxReplicas is how many nodes keep each stream.
const maxReplicas = 3

// Both sides of a connection between servers must notice soon that packets are dropped. After the network recovers, a
// side that still keeps the connection refuses each new one as a duplicate. NATS's defaults add up to over a minute.
const (
	routePing  = 2 * time.Second // between two pings
	routePings = 2               // unanswered pings after which the connection is closed
	routeWrite = 4 * time.Second // for one write
)

// noPort is an invalid port, on which the embedded server of a cluster fails to listen for clients. nats-server 2.15.2
// opens its routes after it has tried, but not if DontListen is set.
const noPort = 1 << 16

// Cluster joins the embedded servers of several processes into one. The zero value is a standalone server.
type Cluster struct {
	// Name is the same on all nodes.
	Name string
	// Listen is the address for the other nodes, as host:port. It is empty outside a cluster.
	Listen string
	// Peers are the other nodes' addresses, as host:port. This one's own may be among them.
	Peers []string
	// Replace is the name of a permanently lost member that this node, which has no data, replaces. It may be empty.
	Replace string
	// Secret is the same on all nodes. A cluster always has one.
	Secret string
	// The certificate and key of this node and the authority that signed those of all nodes, as PEM files. Nodes
	// without a certificate are refused.
	CertFile, KeyFile, CAFile string
}

// Check reports what is wrong with c before anything opens.
func (c Cluster) Check() error {
	if c.Listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("the cluster's address: %w", err)
	}
	for _, peer := range c.Peers {
		if _, _, err := net.SplitHostPort(peer); err != nil {
			return fmt.Errorf("a cluster peer's address: %w", err)
		}
	}
	files := []string{c.CertFile, c.KeyFile, c.CAFile}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	if c.Secret == "" || !local && slices.Contains(files, "") { // every user of a machine reaches its loopback
		return fmt.Errorf("%w: %s", ErrOpenCluster, c.Listen)
	}
	if slices.ContainsFunc(files, func(f string) bool { return f != "" }) && slices.Contains(files, "") {
		return errors.New("a cluster's certificate, its key and the CA of its nodes are given together")
	}
	return nil
}

// others returns the peers without this node.
func (c Cluster) others() []string {
	return slices.DeleteFunc(slices.Clone(c.Peers), func(peer string) bool { return peer == c.Listen })
}

// replicas returns how many nodes keep each stream.
func (c Cluster) replicas() int {
	if c.Listen == "" {
		return 1
	}
	return min(maxReplicas, len(c.others())+1)
}

// join adds the cluster to an embedded server's options.
func (c Cluster) join(o *server.Options) error {
	if c.Listen == "" {
		return nil
	}
	host, portText, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return fmt.Errorf("the cluster's port: %w", err)
	}
	o.Cluster = server.ClusterOpts{
		Name: c.Name, Host: host, Port: port, Username: clusterUser, Password: c.Secret, NoAdvertise: true,
		TLSTimeout: greetWithin, AuthTimeout: greetWithin,
		PingInterval: routePing, MaxPingsOut: routePings, WriteDeadline: routeWrite,
	}
	if o.Cluster.TLSConfig, err = c.tls(); err != nil {
		return err
	}
	o.DontListen, o.Host, o.Port = false, "127.0.0.1", noPort
	system := server.NewAccount(server.DEFAULT_SYSTEM_ACCOUNT)
	password := rand.Text()
	o.Accounts, o.SystemAccount = []*server.Account{system}, system.Name
	o.Users = []*server.User{
		{Username: localUser, Password: password}, {Username: systemUser, Password: password, Account: system},
	}
	routes := c.others()
	if o.JetStream && len(routes)%2 == 1 {
		// by their number the server knows what a majority is at first; of an even cluster half would do
		routes = append(routes, c.Listen)
	}
	for _, peer := range routes {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats-route", Host: peer, User: url.UserPassword(clusterUser, c.Secret)})
	}
	return nil
}

func (c Cluster) tls() (*tls.Config, error) {
	if c.CertFile == "" {
		return nil, nil
	}
	config, err := server.GenTLSConfig(&server.TLSConfigOpts{
		CertFile: c.CertFile, KeyFile: c.KeyFile, CaFile: c.CAFile, Verify: true,
	})
	if err != nil {
		return nil, fmt.Errorf("the cluster's certificate: %w", err)
	}
	config.RootCAs = config.ClientCAs // nodes connect to each other, so both sides verify
	config.MinVersion = tls.VersionTLS13
	return config, nil
}

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
