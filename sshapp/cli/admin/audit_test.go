package admin

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match/store"
	"notakto/sshapp/cli"
)

func TestTheAuditIsListed(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	testkit.OK(t, err)
	t.Cleanup(func() { _ = s.Close() })
	audit := s.Audit()
	if err := AppendAudit(t.Context(), nil, AuditEntry{}); err != nil {
		t.Errorf("without an audit: %v", err)
	}
	for _, a := range []AuditEntry{
		{Actor: "ann", Role: cli.Moderator, Record: cli.Record{
			Command: "ban add", Object: "192.0.2.7", Reason: "spam", Status: cli.StatusOK,
		}},
		{
			Actor: "operator", Role: cli.Administrator, Node: "n",
			Record: cli.Record{Command: "say", Object: strings.Repeat("<\x1b", 5000), Reason: "",
				Status: cli.StatusFailed},
		},
	} {
		testkit.OK(t, AppendAudit(t.Context(), audit, a))
	}
	testkit.OK(t, audit.Append(t.Context(), "say", []byte("{")))
	o := newOperator(t)
	o.Audit = audit
	out, complaint, status, _ := runCommand(o, cli.Administrator, "admin", "audit", "--since", "7d")
	lines := strings.Split(out, "\n")
	if status != cli.ExitOK || len(lines) != 4 || len(lines[1]) > 1000 ||
		!strings.HasSuffix(lines[0], " UTC  ann (moderator)  ban add 192.0.2.7: ok, because: spam") ||
		!strings.Contains(lines[1], " UTC  operator (admin)  say <\ufffd<") ||
		!strings.HasSuffix(lines[1], ": failed") ||
		!strings.HasSuffix(lines[2], ": unreadable") {
		t.Errorf("%d %s%s", status, out, complaint)
	}
	out, _, _, _ = runCommand(o, cli.Administrator, "admin", "audit", "--json")
	var all []AuditEntry
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 3 || time.Since(all[0].Time) > time.Minute ||
		all[0].Reason != "spam" || all[1].Node != "n" {
		t.Errorf("%s: %v", out, err)
	}
	if out, _, _, _ := runCommand(o, cli.Administrator, "admin", "audit", "--since", "1ns"); out != "" {
		t.Errorf("of the last nanosecond: %s", out)
	}
	o.Audit = nil
	if _, complaint, status, _ := runCommand(o, cli.Administrator, "admin", "audit"); status != cli.ExitFailure ||
		!strings.Contains(complaint, "keeps no") {
		t.Errorf("without an audit: %d %s", status, complaint)
	}
}
