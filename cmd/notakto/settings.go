package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"notakto/match/journal/natsd"
	"notakto/sshapp/limit"
)

// settings are the options of the server. Each has a flag and an environment variable, and is checked before anything
// is opened.
type settings struct {
	listen         string
	publicAddress  string
	statusListen   string
	data           string
	sync           string
	cluster        natsd.Cluster
	node           string
	secretFile     string
	outside        natsd.Outside
	grace          time.Duration
	drain          time.Duration
	computerPause  time.Duration
	linger         time.Duration
	journalTimeout time.Duration
	maxMatches     int
	maxMatchRate   int
	ssh            limit.Settings
	logLevel       string
	logFormat      string
}

func defaults() *settings {
	return &settings{
		listen:         ":2222",
		data:           dataHome(),
		sync:           "always",
		grace:          time.Minute,
		drain:          10 * time.Second,
		cluster:        natsd.Cluster{Name: "notakto"},
		computerPause:  700 * time.Millisecond,
		linger:         5 * time.Minute,
		journalTimeout: 10 * time.Second,
		maxMatches:     8,
		maxMatchRate:   600,
		ssh:            limit.DefaultSettings(),
		logLevel:       "info",
		logFormat:      "text",
	}
}

const (
	day      = 24 * time.Hour
	maxCount = 1_000_000
)

// register defines the flag of every setting, with its present value as the default.
func (s *settings) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	add := func(v pflag.Value, name, usage string) {
		flags.VarPF(v, name, "", usage+" ["+variable(name)+"]").Annotations = map[string][]string{settable: nil}
	}
	add(address(&s.listen), "listen", "where players connect")
	add(optionalOf(publicAddress, &s.publicAddress), "public-address",
		"the server's address in commands that players copy")
	add(optionalOf(address, &s.statusListen), "status-listen",
		"where load balancers ask whether the server is ready, over HTTP")
	add(directory(&s.data), "data", "directory of the host key and of the matches")
	add(oneOf(&s.sync, "always", "interval"),
		"sync", "when a recorded move is on the disk: before it is shown, or within a second")
	add(durationValue(&s.grace, time.Millisecond, day), "grace", "absence after which the player to move loses")
	add(durationValue(&s.computerPause, 0, time.Minute), "computer-pause", "time the computer seems to think")
	add(durationValue(&s.linger, time.Millisecond, day), "linger", "time an ended table stays, for a rematch")
	add(durationValue(&s.journalTimeout, time.Millisecond, time.Minute),
		"patience", "time that recording one move may take")
	add(count(&s.maxMatches), "max-matches", "matches of one player at once")
	add(count(&s.maxMatchRate), "max-match-rate", "matches begun a minute from one address")
	s.registerSSH(add)
	s.registerCluster(add)
	add(durationValue(&s.drain, 0, time.Hour), "drain", "time that a stop may take")
	add(oneOf(&s.logLevel, "debug", "info", "warn", "error"), "log-level", "debug, info, warn or error")
	add(oneOf(&s.logFormat, "text", "json", "logfmt"), "log-format", "text, json or logfmt")
}

func (s *settings) registerSSH(add func(v pflag.Value, name, usage string)) {
	add(count(&s.ssh.MaxLogins), "max-logins", "connections at once that have no session")
	add(count(&s.ssh.MaxLoginRate), "max-login-rate", "logins, and sessions begun, a second from one address")
	add(networks(&s.ssh.ProxyFrom), "proxy-from",
		"proxies that tell their client's address by the PROXY protocol; may be repeated")
	add(count(&s.ssh.MaxSessions), "max-sessions", "sessions in all")
	add(count(&s.ssh.MaxWaiting), "max-waiting", "sessions that wait in line when the server is full")
	add(count(&s.ssh.MaxSessionsPerAddress), "max-sessions-per-address", "sessions from one address, or one IPv6 /64")
	add(count(&s.ssh.MaxSessionsPerKey), "max-sessions-per-key", "sessions of one player")
	add(count(&s.ssh.MaxChannels), "max-channels", "sessions on one connection")
	add(count(&s.ssh.MaxRequestRate), "max-request-rate", "requests a second on one session or connection")
	add(count(&s.ssh.MaxInputRate), "max-input-rate", "bytes a second that the sessions of one address read")
	add(durationValue(&s.ssh.Login, time.Millisecond, time.Hour), "login", "time that a login may take")
	add(durationValue(&s.ssh.Start, time.Millisecond, time.Hour), "start", "time from the login to the first session")
	add(durationValue(&s.ssh.Stall, time.Millisecond, time.Hour), "stall", "time that one write to a client may take")
	add(durationValue(&s.ssh.KeepAlive, time.Millisecond, day), "keep-alive", "time between questions to a silent client")
	add(durationValue(&s.ssh.Idle, time.Millisecond, 30*day), "idle", "time a session lasts without a key pressed")
}

func (s *settings) registerCluster(add func(v pflag.Value, name, usage string)) {
	add(word(&s.cluster.Name), "cluster-name", "name of the cluster of servers, the same on all")
	add(optionalOf(address, &s.cluster.Listen), "cluster-listen", "where the other servers of the cluster connect")
	add(addresses(&s.cluster.Peers), "cluster-peer", "another server of the cluster; may be repeated")
	add(optionalOf(word, &s.node), "node-name", "name of this server in the cluster, which no other has")
	add(optionalOf(word, &s.cluster.Replace), "replace", "lost server of the cluster whose place this one takes")
	add(optionalOf(secret, &s.secretFile), "cluster-secret-file", "file with the secret that the servers share")
	add(optionalOf(file, &s.cluster.CertFile), "cluster-cert", "this server's certificate for the others, as PEM")
	add(optionalOf(secret, &s.cluster.KeyFile), "cluster-key", "its key")
	add(optionalOf(file, &s.cluster.CAFile), "cluster-ca", "who signed the servers' certificates, as PEM")
	add(optionalOf(natsURL, &s.outside.URL), "nats-url", "a NATS with JetStream that keeps the matches instead")
	add(optionalOf(secret, &s.outside.Credentials), "nats-credentials", "file with this server's credentials there")
	add(optionalOf(file, &s.outside.CAFile), "nats-ca", "who signed that NATS's certificates, as PEM")
}

// dataHome returns the default data directory, or "" if the user has no home directory.
func dataHome() string {
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_DATA_HOME") == "" {
		return ""
	}
	return filepath.Join(xdg.DataHome, "notakto")
}

// validate returns an error if settings conflict, before anything is opened.
func (s *settings) validate() error {
	c := s.cluster
	switch {
	case s.data == "":
		return errors.New("--data is needed: there is no home directory to keep the host key and the matches under")
	case c.Listen != "" && !slices.ContainsFunc(c.Peers, func(peer string) bool { return peer != c.Listen }):
		return errors.New("--cluster-listen needs --cluster-peer, once for each of the other servers of the cluster")
	case c.Listen == "" && c.Replace != "":
		return errors.New("--replace needs --cluster-listen: only a server of a cluster can take the place of another")
	case c.Listen == "" && len(c.Peers) > 0:
		return errors.New("--cluster-peer needs --cluster-listen: where the other servers connect to this one")
	case c.Listen == "" && (s.secretFile != "" || c.CertFile != "" || c.KeyFile != "" || c.CAFile != ""):
		return errors.New("--cluster-secret-file, --cluster-cert, --cluster-key and --cluster-ca need --cluster-listen:" +
			" without it the server is a single one")
	}
	var err error
	if s.cluster.Secret, err = readSecret(s.secretFile); err != nil {
		return err
	}
	if err := s.cluster.Check(); err != nil {
		return fmt.Errorf("--cluster-listen cannot be like this: %w", err)
	}
	return nil
}
