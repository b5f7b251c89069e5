package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
)

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
