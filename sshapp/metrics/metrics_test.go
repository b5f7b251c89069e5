package metrics

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
	"notakto/sshapp/notify"
)

// sources returns the counters of a server that has counted every kind of event.
func sources(t testing.TB) *Sources {
	t.Helper()
	m := manager.New(manager.Config{})
	t.Cleanup(m.Close)
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	testkit.OK(t, err)
	server, err := sshapp.New(sshapp.Config{
		Settings: limit.DefaultSettings(), Manager: m, HostKey: key, Log: slog.New(slog.DiscardHandler),
	})
	testkit.OK(t, err)
	store := testkit.Store(t)
	m.Stats.Active.Add(manager.ActiveLabels{Variant: "notakto/3", Opponent: "person", State: "playing"}, 1)
	m.Stats.Started.Add(manager.StartedLabels{Variant: "notakto/3", Opponent: "person", Origin: "queue"}, 1)
	m.Stats.Ended.Add(manager.EndedLabels{Variant: "notakto/3", Opponent: "person", Reason: "boards"}, 1)
	store.Stats().Recorded.Observe(time.Millisecond)
	return &Sources{
		Version: "1.0", Manager: m.Stats, Lobby: m.Lobby().Stats, Store: store.Stats(), Server: server.Stats,
		Notices: new(notify.Stats),
		Panics:  func() uint64 { return 1 }, DroppedLines: func() uint64 { return 2 },
		Reload: func() (bool, time.Time) { return true, time.Unix(1, 0) },
	}
}

func scrape(t testing.TB, h http.Handler, accept string) string {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	request.Header.Set("Accept", accept)
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		t.Fatalf("%d: %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

func TestMetricsFollowTheConventions(t *testing.T) {
	s := sources(t)
	problems, err := testutil.GatherAndLint(s.newRegistry())
	if err != nil || len(problems) > 0 {
		t.Errorf("%v: %v", problems, err)
	}
	names := map[string]bool{}
	for _, f := range families() {
		name := strings.TrimSuffix(f.name, "_total") // as OpenMetrics names the family
		if names[name] {
			t.Errorf("%s is there twice", f.name)
		}
		names[name] = true
		testkit.Equal(t, f.kind == counter, strings.HasSuffix(f.name, "_total"), f.name, f.kind)
	}
	if text := scrape(t, Handler(s), "application/openmetrics-text;version=1.0.0"); !strings.HasSuffix(text,
		"# EOF\n") {
		t.Errorf("OpenMetrics ends with %q", text[max(0, len(text)-40):])
	}
	text := scrape(t, Handler(s), "text/plain")
	testkit.Contains(t, text, `notakto_matches_ended_total{opponent="person",reason="boards",variant="notakto/3"} 1`,
		"notakto_ready 1", `notakto_ssh_rejected_total{reason="idle"} 0`, `notakto_panics_total 1`,
		`notakto_journal_commits_total 0`,
		`notakto_journal_append_duration_seconds_bucket{outcome="ok",le="0.001"} 1`, "go_goroutines ",
		"notakto_journal_size_bytes ", "notakto_cluster_nodes ")
}

func TestAlertsAndDashboardNameMetrics(t *testing.T) {
	known := map[string]bool{"up": true}
	all, err := sources(t).newRegistry().Gather()
	testkit.OK(t, err)
	for _, f := range all { // with those of Go and of the process
		known[f.GetName()] = true
	}
	for _, f := range families() {
		known[f.name] = true
		if f.kind == histogram {
			known[f.name+"_bucket"], known[f.name+"_sum"], known[f.name+"_count"] = true, true, true
		}
	}
	metric := regexp.MustCompile(`\b(?:notakto|go|process)_[a-z0-9_]+`)
	for path, least := range map[string]int{"prometheus/alerts.yml": 10, "grafana/notakto.json": 20} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", path))
		testkit.OK(t, err)
		named := map[string]bool{}
		for _, name := range metric.FindAllString(string(text), -1) {
			if named[name] = true; !known[name] {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
		if len(named) < least {
			t.Errorf("%s names only %d metrics", path, len(named))
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "grafana", "notakto.json"))
	testkit.OK(t, err)
	var board struct {
		Panels []struct {
			ID          int
			Type, Title string
			Targets     []struct{ Expr string }
		}
	}
	testkit.OK(t, json.Unmarshal(text, &board))
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if p.Type != "row" && (len(p.Targets) == 0 || p.Title == "") || ids[p.ID] {
			t.Errorf("panel %d (%s) shows nothing, or stands there twice", p.ID, p.Title)
		}
		ids[p.ID] = true
	}
}

// Otherwise a series could appear or vanish while the server counts events of a known kind.
func TestSeriesAreAClosedSet(t *testing.T) {
	s := sources(t)
	r := s.newRegistry()
	names := func() map[string]bool {
		all, err := r.Gather()
		testkit.OK(t, err)
		found := map[string]bool{}
		for _, f := range all {
			for _, m := range f.GetMetric() {
				found[fmt.Sprint(f.GetName(), m.GetLabel())] = true
			}
		}
		return found
	}
	before := names()
	for range 200 {
		s.Manager.Ended.Add(manager.EndedLabels{Variant: "notakto/3", Opponent: "person", Reason: "boards"}, 1)
		s.Server.Logins.Add(sshapp.LoginKey, 1)
		s.Server.Rejected.Add(limit.LoginFailed, 1)
	}
	if after := names(); !maps.Equal(before, after) {
		t.Errorf("%d series became %d", len(before), len(after))
	}
}
