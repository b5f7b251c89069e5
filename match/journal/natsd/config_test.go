package natsd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClusterIsOpenToItsNodesOnly(t *testing.T) {
	private := Cluster{Secret: "s", CertFile: "c", KeyFile: "k", CAFile: "a"}
	at := func(c Cluster, listen string) Cluster {
		c.Listen = listen
		return c
	}
	for _, test := range []struct {
		cluster Cluster
		want    string
	}{
		{Cluster{}, ""},
		{at(Cluster{Secret: "s"}, "127.0.0.1:6222"), ""},
		{at(Cluster{Secret: "s"}, "[::1]:6222"), ""},
		{at(Cluster{Secret: "s"}, "localhost:6222"), ""},
		{at(Cluster{}, "127.0.0.1:6222"), "needs a secret"}, // every user of the machine could read codes and write moves
		{at(Cluster{}, "localhost:6222"), "needs a secret"},
		{at(private, "0.0.0.0:6222"), ""},
		{at(Cluster{}, "0.0.0.0:6222"), "needs a secret"},
		{at(Cluster{}, ":6222"), "needs a secret"},
		{at(Cluster{}, "10.0.0.1:6222"), "needs a secret"},
		{at(Cluster{Secret: "s"}, "node.example:6222"), "needs a secret"},
		{at(Cluster{CertFile: "c", KeyFile: "k", CAFile: "a"}, "10.0.0.1:6222"), "needs a secret"},
		{at(Cluster{Secret: "s", CertFile: "c"}, "127.0.0.1:6222"), "given together"},
		{at(Cluster{}, "nowhere"), "address"},
		{Cluster{Listen: "127.0.0.1:6222", Peers: []string{"nowhere"}}, "peer"},
	} {
		err := Config{Cluster: test.cluster}.check()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.cluster, err, test.want)
		}
	}
}

func TestReplicas(t *testing.T) {
	for peers, want := range map[string]int{"": 1, "b:1": 2, "b:1 c:1": 3, "a:1 b:1": 2, "b:1 c:1 d:1 e:1": 3} {
		if got := (Cluster{Listen: "a:1", Peers: strings.Fields(peers)}).replicas(); got != want {
			t.Errorf("with %q: %d", peers, got)
		}
	}
}

// A node keeps its name, and an empty name file is reported.
func TestNodeName(t *testing.T) {
	dir := t.TempDir()
	name := func(setting string, cluster Cluster) (string, error) {
		cfg := Config{Node: setting, Cluster: cluster}
		err := dataDir(dir).nameNode(&cfg)
		if err == nil {
			err = dataDir(dir).writeName(cfg.Node)
		}
		return cfg.Node, err
	}
	alone, err := name("", Cluster{})
	if again, err := name("", Cluster{}); err != nil || alone == "" || alone != again {
		t.Errorf("%q, then %q, %v", alone, again, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := name("other", Cluster{}); !errors.Is(err, ErrNodeName) ||
		!strings.Contains(err.Error(), "--node-name other") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "node"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := name("", Cluster{}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	dir = t.TempDir()
	if got, err := name("", Cluster{Listen: "10.0.0.1:6222"}); err != nil || got != "notakto-10-0-0-1-6222" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := name("other", Cluster{Listen: "10.0.0.1:6222"}); err != nil || got != "other" {
		t.Errorf("another name without data: %q, %v", got, err)
	}
	lost := Cluster{Listen: "10.0.0.1:6222", Replace: "lost"}
	if got, err := name("", lost); err != nil || got != "lost" {
		t.Errorf("without data: %q, %v", got, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "jetstream", "$SYS"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := name("", lost); err != nil || got != "lost" {
		t.Errorf("at the next start: %q, %v", got, err)
	}
	lost.Replace = "another"
	if _, err := name("", lost); !errors.Is(err, ErrNodeName) || !strings.Contains(err.Error(), "leave --replace out") {
		t.Error(err)
	}
}

// The name of a cluster node is valid as a NATS server name, and unique.
func TestClusterNodeName(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host = strings.ReplaceAll(host, ".", "-")
	for listen, want := range map[string]string{
		"10.0.0.1:6222": "notakto-10-0-0-1-6222", "n1.example:1": "notakto-n1-example-1",
		"[fe80::1]:6222": "notakto-fe80--1--6222",
		":6222":          "notakto-" + host + "-6222", "0.0.0.0:6222": "notakto-" + host + "-6222",
		"[::]:6222": "notakto-" + host + "-6222",
	} {
		if got := clusterNodeName(listen); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
}

// Version 2.10 records matches, but cannot read archived ones.
func TestAnOldNatsIsRefused(t *testing.T) {
	for version, fit := range map[string]bool{
		"2.11.0": true, "2.11.17": true, "2.15.2": true, "3.0.0-RC.1": true, "2.10.27": false, "1.4.1": false,
		"": false, "new": false,
	} {
		err := checkVersion(version)
		if (err == nil) != fit || err != nil && (!errors.Is(err, ErrUnfit) ||
			!strings.Contains(err.Error(), "2.11 or newer")) {
			t.Errorf("version %q: %v", version, err)
		}
	}
}
