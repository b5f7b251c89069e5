//go:build attack

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func clusterAttacks() []attack {
	return []attack{{
		name: "cluster-port", memory: 60, visitors: elsewhere, nodes: 3, descriptors: 1024, lines: 10, runs: onDemand,
		run:   (*enemy).floodClusterPort,
		holds: "silent connections to the ports of a cluster's node take at most 100 descriptors and 10 lines a second",
	}}
}

// startServers starts one server, or one for each node of the attack's cluster.
func startServers(ctx context.Context, o options, dir string, a attack) ([]*server, error) {
	if a.nodes == 0 {
		s, err := startServer(ctx, o, dir, a)
		return []*server{s}, err
	}
	flags, err := clusterFlags(dir, a.nodes)
	if err != nil {
		return nil, err
	}
	servers, errs := make([]*server, a.nodes), make([]error, a.nodes)
	var starting sync.WaitGroup
	for i := range servers {
		node, home := a, filepath.Join(dir, fmt.Sprint(i))
		node.flags = append(slices.Clone(a.flags), flags[i]...)
		starting.Go(func() {
			if errs[i] = os.Mkdir(home, 0o700); errs[i] == nil {
				servers[i], errs[i] = startServer(ctx, o, home, node)
			}
		})
	}
	starting.Wait()
	return servers, errors.Join(errs...)
}

// clusterFlags returns the settings of each node, on ports that were free just now.
func clusterFlags(dir string, nodes int) ([][]string, error) {
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(rand.Text()), 0o600); err != nil {
		return nil, err
	}
	var addresses []string
	for range nodes {
		listener, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = listener.Close() }()
		addresses = append(addresses, listener.Addr().String())
	}
	var all [][]string
	for i, address := range addresses {
		peers := slices.Delete(slices.Clone(addresses), i, i+1)
		all = append(all, []string{
			"--cluster-listen", address, "--cluster-peer", strings.Join(peers, ","), "--cluster-secret-file", secret,
		})
	}
	return all, nil
}

// floodClusterPort opens connections to the port for other servers, and to every other port except the players', from
// addresses of none of the servers, and sends nothing on them.
func (e *enemy) floodClusterPort() (err error) {
	const each, most = 500, 100
	ports := slices.DeleteFunc(e.server.listening(), func(address string) bool { return address == e.address })
	if len(ports) == 0 {
		return errors.New("no port but that of players")
	}
	before, peak := e.server.files(), 0
	flooding, over := context.WithCancel(e)
	var watching sync.WaitGroup
	watching.Go(func() {
		for flooding.Err() == nil {
			peak = max(peak, e.server.files())
			<-time.After(pollEvery)
		}
	})
	for _, e.address = range ports {
		err = errors.Join(err, e.flood(e.attackFor(6)/time.Duration(len(ports)), spread, each, ""))
	}
	over()
	watching.Wait()
	e.figure("%d ports, %d descriptors before, %d at most", len(ports), before, peak)
	if peak > before+most {
		e.fault("%d descriptors more", peak-before)
	}
	return err
}

// setting returns the value of a flag of the process.
func (p process) setting(flag string) (value string, err error) {
	text, err := os.ReadFile(p.file("cmdline"))
	args := bytes.Split(text, []byte{0})
	i := slices.IndexFunc(args, func(arg []byte) bool { return string(arg) == flag })
	if err != nil || i < 0 {
		return "", errors.Join(errors.New("the server was started without "+flag), err)
	}
	return string(args[i+1]), nil
}
