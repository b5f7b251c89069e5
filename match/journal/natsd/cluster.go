package natsd

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

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
