package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"notakto/sshapp/command"
)

var keep = flag.String("keep", "", "release of which TestKeepTheDataOfThisRelease keeps the data; empty for none")

// releases is where the data of releases is kept.
const releases = "../../match/journal/testdata"

// A server goes on with what each release has stored: its matches, also one in progress, its names and its bans.
func TestTheDataOfReleasesIsServed(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob(filepath.Join(releases, "[0-9]*.tar.gz"))
	if err != nil || len(all) == 0 {
		t.Fatalf("stored: %v, %v", all, err)
	}
	for _, path := range all {
		data := shortDir(t)
		if out, err := exec.Command("tar", "xzf", path, "-C", data).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want, err := os.ReadFile(strings.TrimSuffix(path, ".tar.gz") + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--drain=1s")
		// Matches that were over are archived only now, in any order.
		if got, said, _ := run(t, nil, "export", "--data", data); sortedLines(got) != sortedLines(string(want)) {
			t.Errorf("%s: the matches are\n%s%s, want\n%s", path, got, said, want)
		}
		ann, bob := newKeyed(t, s, "ann", newSigner(t, 1)), newKeyed(t, s, "bob", newSigner(t, 2))
		if got := ann.says(t, "me"); !strings.Contains(got, "annabel") {
			t.Errorf("%s: ann is %s", path, got)
		}
		if got := newKeyed(t, s, "mal", newSigner(t, 3)).says(t, "me"); !strings.Contains(got, "banned") {
			t.Errorf("%s: mallory reads %s", path, got)
		}
		reads, says := ann.bot(t)
		id := awaitEvent(t, reads, "welcome").Matches[0]
		_, second := bob.bot(t)
		for _, line := range []string{
			`{"do":"state","match":"` + id + `"}`, `{"do":"move","match":"` + id + `","move":"A1"}`,
			`{"do":"resign","match":"` + id + `"}`,
		} {
			for _, w := range []io.Writer{second, says} { // it is the turn of one of them
				if _, err := io.WriteString(w, line+"\n"); err != nil {
					t.Fatal(err)
				}
			}
			awaitEvent(t, reads, map[byte]string{'s': "match", 'm': "move", 'r': "end"}[line[len(`{"do":"`)]])
		}
		s.signal(t, syscall.SIGTERM)
		s.stopped(t, 5*time.Second)
	}
}

func sortedLines(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// botEvent is what tests read of a bot's events.
type botEvent struct {
	Event, Code, Match string
	Matches            []string
}

// awaitEvent reads up to an event.
func awaitEvent(t *testing.T, reads *bufio.Scanner, kind string) (e botEvent) {
	t.Helper()
	for reads.Scan() {
		e = botEvent{}
		if err := json.Unmarshal(reads.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event == kind {
			return e
		}
	}
	t.Fatalf("no event %s", kind)
	return e
}

// With -keep it writes what a release has to keep: see docs/testing.md.
func TestKeepTheDataOfThisRelease(t *testing.T) {
	if *keep == "" {
		return
	}
	data := shortDir(t)
	s := start(t, nil, "--listen=127.0.0.1:0", "--data="+data, "--linger=100ms", "--drain=1s")
	ann, bob := newKeyed(t, s, "ann", newSigner(t, 1)), newKeyed(t, s, "bob", newSigner(t, 2))
	ann.says(t, "name annabel")
	newKeyed(t, s, "mallory", newSigner(t, 3)).says(t, "name mallory")
	bob.resigns(t)
	for _, clock := range []string{"3+2", "none"} { // the one in progress has none, which would run out in the years
		reads, says := ann.bot(t)
		_, second := bob.bot(t)
		say := func(w io.Writer, format string, values ...any) {
			if _, err := fmt.Fprintf(w, format+"\n", values...); err != nil {
				t.Fatal(err)
			}
		}
		say(says, `{"do":"create","variant":"notakto/2","clock":"%s"}`, clock)
		say(second, `{"do":"join","code":"%s"}`, awaitEvent(t, reads, "table").Code)
		id := awaitEvent(t, reads, "match").Match
		for _, w := range []io.Writer{says, second} { // it is the turn of one of them
			say(w, `{"do":"move","match":"%s","move":"A5"}`, id)
		}
		awaitEvent(t, reads, "move")
		if clock != "none" {
			say(second, `{"do":"resign","match":"%s"}`, id)
			awaitEvent(t, reads, "end")
		}
	}
	if _, said, status := run(t, nil, "admin", "--data", data, "ban", "add", "@mallory"); status != command.ExitOK {
		t.Fatal(said)
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	path := filepath.Join(releases, *keep)
	if out, err := exec.Command("tar", "czf", path+".tar.gz", "-C", data, "journal").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, words := range map[string][]string{".backup": {"backup"}, ".jsonl": {"export"}} {
		out, said, status := run(t, nil, append(words, "--data", data)...)
		if err := os.WriteFile(path+name, []byte(out), 0o644); err != nil || status != command.ExitOK {
			t.Fatalf("%v: %d %s, %v", words, status, said, err)
		}
	}
}
