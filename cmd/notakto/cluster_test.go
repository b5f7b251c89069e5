package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/match/journaltest"
	"notakto/sshapp/admin"
	"notakto/sshapp/command"
)

// The folders of `cluster init` are all that the servers of a new cluster need: they find each other, and players see
// one host key.
func TestServersOfANewClusterStartFromTheirFolders(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(shortDir(t), "made", "here")
	nodes := strings.Join(journaltest.FreePorts(t, 3), ",")
	args := []string{"cluster", "init", "--nodes", nodes, "--dir", dir, "--port", "0"}
	stdout, stderr, status := run(t, nil, args...)
	if status != command.ExitOK || stderr != "" || !strings.Contains(stdout, filepath.Join(dir, "node3")) {
		t.Fatalf("it exits with %d, prints %q and complains %q", status, stdout, stderr)
	}
	var servers []*server
	for _, name := range []string{"node1", "node2", "node3"} {
		cmd := program(t, nil, "--config", "notakto.toml", "--log-format=json", "--status-listen=127.0.0.1:0")
		cmd.Dir = filepath.Join(dir, name)
		servers = append(servers, begin(t, cmd))
	}
	keys := map[string]bool{}
	var monitored string
	for _, s := range servers {
		ready := s.line(t, "ready")
		keys[ready["fingerprint"]] = true
		monitored = ready["status"]
	}
	if len(keys) != 1 {
		t.Errorf("the servers have the host keys %v", keys)
	}
	expiry := regexp.MustCompile(`(?m)^notakto_cluster_certificate_expiry_timestamp_seconds (\S+)$`)
	eventually(t, "a monitor sees when the certificate expires", func() bool {
		_, text := asks(t, http.MethodGet, "http://"+monitored+"/metrics")
		found := expiry.FindStringSubmatch(text)
		if found == nil {
			return false
		}
		at, err := strconv.ParseFloat(found[1], 64)
		if left := time.Until(time.Unix(int64(at), 0)); err != nil || left < 9*365*24*time.Hour {
			t.Errorf("it expires in %v (%v)", left, err)
		}
		return true
	})
	own := program(t, nil, "cluster", "status", "--config", "notakto.toml", "--json")
	own.Dir = filepath.Join(dir, "node1")
	outside, err := own.Output()
	if err != nil {
		t.Error(err)
	}
	data := filepath.Join(dir, "node2", "data")
	asked, complaint, status := run(t, nil, "admin", "--data", data, "cluster", "status", "--json")
	if status != command.ExitOK || complaint != "" {
		t.Errorf("the status: %d %s", status, complaint)
	}
	for _, text := range []string{string(outside), asked} {
		var got admin.ClusterStatus
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Nodes) != 3 || len(got.Streams) != 5 {
			t.Fatalf("%s: %v", text, err)
		}
		for i, n := range got.Nodes {
			if !n.Up || !keys[n.HostKey] || n.Version == "" || time.Until(n.CertificateEnd) < 9*365*24*time.Hour ||
				time.Since(n.LastSeen) > time.Minute || len(got.Streams[i].Copies) != 3 || got.Streams[i].Wanted != 3 {
				t.Errorf("server %d is %+v", i, n)
			}
		}
	}
	out, said, _ := run(t, nil, "admin", "--data", data, "cluster", "repair")
	if !strings.HasPrefix(out, "There was no copy to make") {
		t.Errorf("a repair says %s%s", out, said)
	}
	removal := []string{"admin", "--data", data, "cluster", "remove", "nosuch"}
	refused(t, command.ExitFailure, nil, removal, "no member nosuch")
	drain := []string{"admin", "--data", data, "drain", "--node", "nosuch"}
	refused(t, command.ExitFailure, nil, drain, `has no server "nosuch"; it has `)
	servers = losesItsMajority(t, servers, monitored)
	for _, s := range servers {
		s.signal(t, syscall.SIGTERM)
	}
	for _, s := range servers {
		s.stopped(t, 20*time.Second)
		_, since, _ := strings.Cut(s.said.String(), `"event":"ready"`)
		for line := range strings.Lines(since) {
			if strings.HasPrefix(line, "{") && !strings.Contains(line, `"node":"`) {
				t.Errorf("a line does not say which server it is from: %s", line)
			}
		}
	}
	refused(t, command.ExitFailure, nil, args, "is not empty", "--dir")
}

// losesItsMajority kills all servers of a cluster of three but the last, which then is not ready and says why.
func losesItsMajority(t *testing.T, servers []*server, monitored string) (left []*server) {
	t.Helper()
	for _, s := range servers[:2] {
		s.signal(t, syscall.SIGKILL)
		if err := s.cmd.Wait(); err == nil {
			t.Error("a killed server has ended in good order")
		}
	}
	get := func(path string) (int, string) { return asks(t, http.MethodGet, "http://"+monitored+path) }
	eventually(t, "the last server not to be ready", func() bool {
		status, text := get("/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(text, "cluster")
	})
	if status, text := get("/livez"); status != http.StatusOK {
		t.Errorf("it is not alive: %d, %s", status, text)
	}
	eventually(t, "a monitor to see it", func() bool {
		_, text := get("/metrics")
		return strings.Contains(text, "\nnotakto_journal_writable 0\n")
	})
	return servers[2:]
}

func TestNodesThatNoClusterCanHaveAreRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cluster")
	for nodes, words := range map[string]string{
		"":                      "--nodes is needed",
		"10.0.0.1":              "two nodes at least",
		"10.0.0.1,10.0.0.1":     "named twice",
		"10.0.0.1,0.0.0.0":      "its own address",
		"10.0.0.1,10.0.0.2:0":   "from 1 to 65535",
		"10.0.0.1,under_score":  "neither an IP address nor",
		"10.0.0.1,http://there": "from 1 to 65535",
		"10.0.0.1,":             "neither an IP address nor",
	} {
		refused(t, command.ExitUsage, nil, []string{"cluster", "init", "--dir", dir, "--nodes", nodes}, words)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refused call leaves a directory (%v)", err)
	}
}
