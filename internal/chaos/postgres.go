package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"notakto/match"
)

// cluster is a PostgreSQL primary, with a synchronous standby after follow. A server of the program connects to an
// address of its own because drop discards packets by address.
type cluster struct {
	bin     string   // directory
	as      []string // prefix of each command: it changes to a directory of all users, and as root to the user postgres
	dir     string
	ports   []int      // by node
	primary int        // node
	follows bool       // a synchronous standby runs
	drops   [][]string // iptables rules in force
}

// newCluster creates and starts the database, as root under the user postgres because PostgreSQL refuses to run as
// root.
func (s *stage) newCluster(ctx context.Context) (*cluster, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return nil, errors.New("PostgreSQL is not installed: apt-get install postgresql")
	}
	c := &cluster{bin: filepath.Dir(slices.Max(found)), dir: filepath.Join(s.dir, "postgres")}
	c.as = []string{"env", "--chdir=/"}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		c.as = append(c.as, "setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--")
		if err := errors.Join(os.Chmod(s.dir, 0o711), tool(ctx, "chown", "postgres:postgres", c.dir)); err != nil {
			return nil, err
		}
	}
	for range 2 {
		port, err := s.freePort()
		if err != nil {
			return nil, err
		}
		c.ports = append(c.ports, port)
	}
	_, err := c.run(ctx, "initdb", "--pgdata", c.data(0), "--auth", "trust", "--username", "postgres",
		"--encoding", "UTF8", "--locale", "C.UTF-8")
	if err == nil {
		err = c.configure(0, "listen_addresses = '127.0.0.1, 127.0.0.2, 127.0.0.3'", "unix_socket_directories = ''")
	}
	if err == nil {
		err = c.start(ctx)
	}
	return c, err
}

func (c *cluster) data(node int) string { return filepath.Join(c.dir, fmt.Sprintf("node%d", node)) }

// run runs a program of PostgreSQL and returns its output.
func (c *cluster) run(ctx context.Context, name string, args ...string) (string, error) {
	args = slices.Concat(c.as, []string{filepath.Join(c.bin, name)}, args)
	return output(ctx, args[0], args[1:]...)
}

func (c *cluster) control(ctx context.Context, node int, args ...string) error {
	log := filepath.Join(c.dir, fmt.Sprintf("log%d", node))
	_, err := c.run(ctx, "pg_ctl", append([]string{"--pgdata", c.data(node), "--wait", "--log", log}, args...)...)
	return err
}

func (c *cluster) query(ctx context.Context, text string) (string, error) {
	return c.run(ctx, "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", text,
		fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres", c.ports[c.primary]))
}

// configure appends settings to the configuration file of a node. PostgreSQL uses the last value of a setting.
func (c *cluster) configure(node int, settings ...string) error {
	f, err := os.OpenFile(filepath.Join(c.data(node), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\nport = %d\n%s\n", c.ports[node], strings.Join(settings, "\n"))
	return errors.Join(err, f.Close())
}

// url returns the --database flag of a server, with all nodes under the address reserved for this server.
func (c *cluster) url(server int) string {
	var hosts []string
	for _, port := range c.ports {
		hosts = append(hosts, fmt.Sprintf("%s:%d", address(server), port))
	}
	query := url.Values{
		"sslmode": {"disable"}, "target_session_attrs": {"read-write"},
		"application_name": {fmt.Sprintf("server%d", server)},
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/postgres?" + query.Encode()
}

func address(server int) string { return fmt.Sprintf("127.0.0.%d", 2+server) }

func (c *cluster) start(ctx context.Context) error { return c.control(ctx, c.primary, "start") }

// stop stops the primary without a checkpoint, as a crash does.
func (c *cluster) stop(ctx context.Context) error {
	return c.control(ctx, c.primary, "--mode", "immediate", "stop")
}

// revive starts the primary if it does not run, and waits until it answers.
func (c *cluster) revive(ctx context.Context) error {
	if c.control(ctx, c.primary, "status") != nil {
		if err := c.start(ctx); err != nil {
			return err
		}
	}
	return c.await(ctx, "SELECT true")
}

// await repeats a query until its answer is true.
func (c *cluster) await(ctx context.Context, question string) error {
	for {
		answer, err := c.query(ctx, question)
		if answer == "t" {
			return nil
		}
		if waited := match.Sleep(ctx, 100*time.Millisecond); waited != nil {
			return errors.Join(waited, err)
		}
	}
}

// follow makes the second node a synchronous standby, unless one follows already.
func (c *cluster) follow(ctx context.Context) error {
	if c.follows {
		return nil
	}
	other := 1 - c.primary
	if err := os.RemoveAll(c.data(other)); err != nil {
		return err
	}
	_, err := c.run(ctx, "pg_basebackup", "--pgdata", c.data(other), "--write-recovery-conf", "--checkpoint", "fast",
		"--dbname", fmt.Sprintf("postgres://postgres@127.0.0.1:%d", c.ports[c.primary]))
	if err == nil {
		err = c.configure(other)
	}
	if err == nil {
		err = c.control(ctx, other, "start")
	}
	if err == nil {
		err = c.await(ctx, "SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'")
	}
	for _, order := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		if err == nil {
			_, err = c.query(ctx, order)
		}
	}
	if err == nil {
		err = c.await(ctx, "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'")
	}
	c.follows = err == nil
	return err
}

// promote makes the standby the primary.
func (c *cluster) promote(ctx context.Context) error {
	c.primary, c.follows = 1-c.primary, false
	return c.control(ctx, c.primary, "promote")
}

// isInTransaction reports whether a server has opened a transaction and runs no statement in it now.
func (c *cluster) isInTransaction(ctx context.Context, server int) (bool, error) {
	answer, err := c.query(ctx, fmt.Sprintf(`SELECT count(*) > 0 FROM pg_stat_activity
		WHERE application_name = 'server%d' AND state = 'idle in transaction'`, server))
	return answer == "t", err
}

// drop discards the packets between a server and the database. way is "-s" for packets from the database, "-d" for
// packets to it.
func (c *cluster) drop(server int, way string) error {
	rule := []string{"INPUT", way, address(server), "-p", "tcp", "-j", "DROP"}
	c.drops = append(c.drops, rule)
	return tool(context.Background(), "iptables", append([]string{"--wait", "-I"}, rule...)...)
}

// join undoes all calls of drop.
func (c *cluster) join() (err error) {
	for _, rule := range c.drops {
		err = errors.Join(err, tool(context.Background(), "iptables", append([]string{"--wait", "-D"}, rule...)...))
	}
	c.drops = nil
	return err
}

func (c *cluster) close(ctx context.Context) error {
	_ = c.control(ctx, 1-c.primary, "--mode", "immediate", "stop") // fails if there is no standby
	return errors.Join(c.join(), c.stop(ctx))
}
