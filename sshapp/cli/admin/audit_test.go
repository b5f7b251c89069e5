package admin

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"notakto/sshapp/cli/player"
)

// auditOf is an audit in memory, with the same time for all records.
type auditOf struct {
	records [][]byte
	since   time.Time // of the last time that it was read
}

func (a *auditOf) Append(_ context.Context, _ string, record []byte) error {
	a.records = append(a.records, record)
	return nil
}

func (a *auditOf) Read(_ context.Context, since time.Time, _ int, fn func(time.Time, []byte) error) error {
	a.since = since
	for _, record := range a.records {
		if err := fn(time.Unix(1, 0), record); err != nil {
			return err
		}
	}
	return nil
}

func TestTheAuditIsListed(t *testing.T) {
	audit := new(auditOf)
	if err := Keep(t.Context(), nil, Action{}); err != nil {
		t.Errorf("without an audit: %v", err)
	}
	for _, a := range []Action{
		{Actor: "ann", Role: Moderator, Record: Record{"ban add", "192.0.2.7", "spam", done}},
		{Actor: "operator", Role: Administrator, Record: Record{"say", strings.Repeat("<\x1b", 5000), "", failed}, Node: "n"},
	} {
		if err := Keep(t.Context(), audit, a); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(audit.records[1]); n > 2000 {
		t.Errorf("the longest has %d bytes", n)
	}
	audit.records = append(audit.records, []byte("{"))
	e := Env{Role: Administrator, Server: nothing{}, Audit: audit, Record: func(Record) {}}
	out, complaint, status := runs(e, "admin", "audit", "--since", "7d")
	lines := strings.Split(out, "\n")
	if status != player.ExitOK || len(lines) != 4 ||
		lines[0] != "1970-01-01 00:00:01 UTC  ann (moderator)  ban add 192.0.2.7: ok, because: spam" ||
		!strings.HasPrefix(lines[1], "1970-01-01 00:00:01 UTC  operator (admin)  say <\ufffd<") ||
		!strings.HasSuffix(lines[1], ": failed") ||
		!strings.HasSuffix(lines[2], ": unreadable") {
		t.Errorf("%d %s%s", status, out, complaint)
	}
	if back := time.Since(audit.since).Round(time.Minute); back != 7*24*time.Hour {
		t.Errorf("it was read for %v back", back)
	}
	out, _, _ = runs(e, "admin", "audit", "--json")
	var all []Action
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 3 || all[0].Time.Unix() != 1 ||
		all[0].Reason != "spam" || all[1].Node != "n" {
		t.Errorf("%s: %v", out, err)
	}
	if back := time.Since(audit.since).Round(time.Minute); back != 24*time.Hour {
		t.Errorf("by default it was read for %v back", back)
	}
	e.Role = Moderator
	if _, complaint, status := runs(e, "admin", "audit"); status == player.ExitOK {
		t.Errorf("a moderator reads it: %s", complaint)
	}
	e.Role, e.Audit = Administrator, nil
	if _, complaint, status := runs(e, "admin", "audit"); status != player.ExitFailure ||
		!strings.Contains(complaint, "keeps no") {
		t.Errorf("without an audit: %d %s", status, complaint)
	}
}
