package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"notakto/internal/interrupt"
)

const (
	natsLimit   = 15 * time.Second // without a move, once NATS is available again
	gameServers = 2
)

// outside is two game servers that store their matches in an external NATS.
type outside struct {
	*stage
	brokers []*server // of NATS
	games   []*server
}

func (o *outside) open(ctx context.Context) error {
	here, err := newPlace(false)
	if err != nil {
		return err
	}
	urls, err := o.create(here)
	if err != nil {
		return err
	}
	if err := startAll(ctx, o.brokers); err != nil {
		return err
	}
	for i := range gameServers {
		port, err := o.freePort()
		if err != nil {
			return err
		}
		o.games = append(o.games, o.newServer(here, fmt.Sprintf("server%d", i), port, "--nats-url", urls))
	}
	return startAll(ctx, o.games)
}

// create creates the NATS servers, without starting them, and returns their URLs for clients.
func (o *outside) create(here *place) (urls string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	var clients, routes []string
	for range o.nats {
		for _, list := range []*[]string{&clients, &routes} {
			port, err := o.freePort()
			if err != nil {
				return "", err
			}
			*list = append(*list, fmt.Sprintf("nats://127.0.0.1:%d", port))
		}
	}
	for i := range o.nats {
		name := fmt.Sprintf("nats%d", i)
		o.brokers = append(o.brokers, &server{
			place: here, name: name, binary: self, log: filepath.Join(o.dir, name+".log"), book: o.book,
			args: []string{natsNode, name, o.data(name), clients[i], routes[i], strings.Join(routes, ",")},
		})
	}
	return strings.Join(clients, ","), nil
}

// startAll starts servers together and waits until all are ready.
func startAll(ctx context.Context, servers []*server) error {
	for _, s := range servers {
		if err := s.start(); err != nil {
			return err
		}
	}
	for _, s := range servers {
		if err := s.reachable(ctx); err != nil {
			return err
		}
	}
	return nil
}

// harm kills all NATS servers at once, and restarts them after a while.
func (o *outside) harm(ctx context.Context) error {
	if err := interrupt.Pause(ctx, healTime); err != nil {
		return err
	}
	for range o.kills {
		o.harms++
		for _, broker := range o.brokers {
			if err := broker.end(syscall.SIGKILL); err != nil {
				return err
			}
		}
		if err := interrupt.Pause(ctx, o.cut); err != nil {
			return err
		}
		if err := startAll(ctx, o.brokers); err != nil {
			return err
		}
		o.limit("return of NATS", natsLimit)
		if err := interrupt.Pause(ctx, o.every); err != nil {
			return err
		}
	}
	return nil
}

func (o *outside) dial(_ context.Context, player int) (net.Conn, string, error) {
	game := o.games[(player+rand.IntN(2))%len(o.games)]
	conn, err := game.dial(game.port)
	return conn, game.name, err
}

func (o *outside) servers() []*server { return o.games }

func (o *outside) close() error {
	var all []error
	for _, s := range append(o.games, o.brokers...) {
		if s.cmd != nil {
			all = append(all, s.end(syscall.SIGTERM))
		}
	}
	return errors.Join(all...)
}

// natsNode is the first argument of a process of this program that runs a NATS server.
const natsNode = "nats-node"

var errNATS = errors.New("the NATS server does not come up")

// serveNATS runs a NATS server until ctx ends. The arguments are its name, its directory, its URLs for clients and for
// other servers, and the URLs of all servers, which are a cluster if they are several.
func serveNATS(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 5 {
		return fmt.Errorf("%w: %s is for this program's own use", errUsage, natsNode)
	}
	options := &nats.Options{ServerName: args[0], StoreDir: args[1], JetStream: true, SyncAlways: true, NoSigs: true}
	var err error
	if options.Host, options.Port, err = address(args[2]); err != nil {
		return err
	}
	if routes := nats.RoutesFromStr(args[4]); len(routes) > 1 {
		options.Routes, options.Cluster.Name = routes, "chaos"
		if options.Cluster.Host, options.Cluster.Port, err = address(args[3]); err != nil {
			return err
		}
	}
	s, err := nats.NewServer(options)
	if err != nil {
		return err
	}
	s.ConfigureLogger()
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(20 * time.Second) {
		return errNATS
	}
	if _, err := fmt.Fprintln(out, "msg=ready"); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// address returns the host and the port of a URL.
func address(text string) (string, int, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.Atoi(u.Port())
	return u.Hostname(), port, err
}
