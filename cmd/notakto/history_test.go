package main

import (
	"encoding/json"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A finished match is in the history of both players, under the names that they have claimed since, also after a
// restart and once the history was computed anew.
func TestAFinishedMatchIsInTheHistory(t *testing.T) {
	data := t.TempDir()
	args := []string{"--listen=127.0.0.1:0", "--data=" + data, "--linger=100ms", "--drain=1s"}
	s := start(t, nil, args...)
	ann, bob := newKeyed(t, s, "ann", newSigner(t, 1)), newKeyed(t, s, "bob", newSigner(t, 2))
	if got := ann.says(t, "name annabel"); !strings.Contains(got, "annabel") {
		t.Fatal(got)
	}
	id := bob.resigns(t)
	listed := func(p keyed) {
		t.Helper()
		if got := p.says(t, "history --json"); !strings.Contains(got, `"match":"`+id+`","variant":"notakto/1"`) {
			t.Errorf("bob has %q", got)
		}
	}
	listed(bob)
	if got := bob.types(t, "plain", "history\nwatch 1\n"); !strings.Contains(got,
		"1: lost against random, 1 board, 0 moves, resigned") ||
		!strings.Contains(got, "You resigned") && !strings.Contains(got, "bob resigned") {
		t.Errorf("in plain bob hears %q", got)
	}
	if got := ann.says(t, "profile annabel"); !strings.Contains(got, "No finished match") {
		t.Errorf("annabel has %q", got)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	if out, said, status := run(t, nil, "rebuild", "--data", data); status != 0 {
		t.Fatal(out, said)
	}
	if out, said, _ := run(t, nil, "history", "bob", "--data", data); !strings.Contains(out, id) {
		t.Errorf("without a server bob has %q%s", out, said)
	}
	s = start(t, nil, args...)
	bob = newKeyed(t, s, "bob", newSigner(t, 2))
	listed(bob)
}

// An opponent whose name another player has claimed is in the history, as at the table, with a mark.
func TestAClaimedNameIsNoOtherPlayersInTheHistory(t *testing.T) {
	data := t.TempDir()
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--linger=100ms", "--drain=1s")
	ann, bob := newKeyed(t, s, "ann", newSigner(t, 1)), newKeyed(t, s, "bob", newSigner(t, 2))
	other := newKeyed(t, s, "ann", newSigner(t, 3))
	ann.says(t, "name ann")
	_, seeks := other.bot(t)
	reads, says := bob.bot(t)
	for _, w := range []io.Writer{seeks, says} {
		if _, err := io.WriteString(w, `{"do":"seek","variant":"notakto/1"}`+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	var begun struct{ Event, Match string }
	for begun.Event != "match" && reads.Scan() {
		if err := json.Unmarshal(reads.Bytes(), &begun); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(says, `{"do":"resign","match":"`+begun.Match+`"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	for reads.Scan() && !strings.Contains(reads.Text(), `"end"`) {
	}
	if got := bob.says(t, "history"); !strings.Contains(got, "against ann#") {
		t.Errorf("bob has %q", got)
	}
}

// resigns plays a match against the computer as a bot, resigns it, and returns its name.
func (p keyed) resigns(t *testing.T) string {
	t.Helper()
	reads, says := p.bot(t)
	if _, err := says.Write([]byte(`{"do":"computer","variant":"notakto/1","level":"random","seat":1}` +
		"\n")); err != nil {
		t.Fatal(err)
	}
	var begun struct{ Event, Match string }
	for begun.Event != "match" && reads.Scan() {
		if err := json.Unmarshal(reads.Bytes(), &begun); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := says.Write([]byte(`{"do":"resign","match":"` + begun.Match + `"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	for reads.Scan() && !strings.Contains(reads.Text(), `"end"`) {
	}
	return begun.Match
}
