package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// A player under a name that another player has claimed since appears with a mark, in the history as at the table.
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
		testkit.OK(t, json.Unmarshal(reads.Bytes(), &begun))
	}
	if _, err := io.WriteString(says, `{"do":"resign","match":"`+begun.Match+`"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	for reads.Scan() && !strings.Contains(reads.Text(), `"end"`) {
	}
	testkit.Contains(t, bob.says(t, "history"), "against ann#")
}

// resigns plays a match against the computer as a bot, resigns, and returns the match's ID.
func (p keyed) resigns(t *testing.T) string {
	t.Helper()
	reads, says := p.bot(t)
	if _, err := says.Write([]byte(`{"do":"computer","variant":"notakto/1","level":"random","seat":1}` +
		"\n")); err != nil {
		t.Fatal(err)
	}
	var begun struct{ Event, Match string }
	for begun.Event != "match" && reads.Scan() {
		testkit.OK(t, json.Unmarshal(reads.Bytes(), &begun))
	}
	if _, err := says.Write([]byte(`{"do":"resign","match":"` + begun.Match + `"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	for reads.Scan() && !strings.Contains(reads.Text(), `"end"`) {
	}
	return begun.Match
}
