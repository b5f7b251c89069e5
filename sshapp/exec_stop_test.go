package sshapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/rules/strategy"
)

// runs is a command that waits for its input, without a terminal.
type runs struct {
	line    string
	session *gossh.Session
	out     *bytes.Buffer // to be read once copied is closed
	errs    bytes.Buffer
	copied  chan struct{}
}

// starts runs a command until it has written something.
func (h *testServer) starts(key byte, line string) *runs {
	h.t.Helper()
	session, err := h.dial("alice", newKey(h.t, key)).NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := session.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	r := &runs{line: line, session: session, out: new(bytes.Buffer), copied: make(chan struct{})}
	session.Stderr = &r.errs
	if err := session.Start(line); err != nil {
		h.t.Fatal(err)
	}
	if _, err := io.CopyN(r.out, out, 1); err != nil {
		h.t.Fatal(err)
	}
	go func() {
		defer close(r.copied)
		_, _ = io.Copy(r.out, out)
	}()
	return r
}

// A program that waits for its input did not hear that the server stops, so that every stop took until its deadline.
// Later it heard it, and ended as if all were well, after two sentences that said different things of the match.
func TestCommandsEndWhenTheServerStops(t *testing.T) {
	const (
		stopping = "(T|t)he server is stopping; please come back in a moment"
		kept     = `\. Your match is kept, and goes on where it stands\. Goodbye\.\n$`
		closed   = `You were removed from the queue: type play again when you have come back\.`
	)
	h := startServer(t)
	id, err := h.manager.Play(t.Context(), h.player(50, "zoe"), match.DefaultTerms(), strategy.Club, rules.First)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[*runs]string{}
	for i, c := range []struct{ line, shown string }{
		{"classic two", ""},
		{"plain", stopping + `\. Goodbye\.\n$`},
		{"play --computer club", stopping + kept},
		{"play --private", stopping + `\. Your table is kept, and its code\. Goodbye\.\n$`},
		{"play", closed},
		{"watch", stopping + `\. Goodbye\.\n$`},
		{"watch " + string(id), stopping + `\. Goodbye\.\n$`},
		{"bot", `\{"event":"notice","message":"` + stopping + `"\}\n$`},
	} {
		ends[h.starts(byte(i+1), c.line)] = c.shown
	}
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	if err := h.Drain(ctx); err != nil {
		t.Error(err)
	}
	for r, shown := range ends {
		var failed *gossh.ExitError
		<-r.copied
		if err := r.session.Wait(); !errors.As(err, &failed) || failed.ExitStatus() != 1 {
			t.Errorf("%s ends with %v", r.line, err)
		}
		if got := r.errs.String(); got != "notakto: the server is stopping; please come back in a moment\n" {
			t.Errorf("%s has %q on its standard error", r.line, got)
		}
		out := r.out.String()
		if !regexp.MustCompile(shown).MatchString(out) {
			t.Errorf("%s prints %q, without %s", r.line, out, shown)
		}
		_, last, _ := strings.Cut(out, "he server is stopping")
		for _, wrong := range []string{"60 seconds", "no new matches", "end with it"} {
			if strings.Contains(last, wrong) {
				t.Errorf("%s prints %q", r.line, out)
			}
		}
	}
}

// A bot hears the same as people do: of its match, and of its place in the queue.
func TestABotGetsTheExitReasonAtAStop(t *testing.T) {
	h := startServer(t)
	playing, waiting := h.bot("alice", 1), h.bot("bob", 2)
	playing.says(`{"do":"computer","level":"club","seat":1}`, "match")
	waiting.says(`{"do":"seek"}`, "seeking")
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	if err := h.Drain(ctx); err != nil {
		t.Error(err)
	}
	for bot, want := range map[verbs]string{
		playing: "your match is kept, goes on where it stands", waiting: "seek again when you have come back",
	} {
		var shown strings.Builder
		for line := range bot.said {
			if strings.Contains(line, `"event":"notice"`) {
				shown.WriteString(line)
			}
		}
		if !strings.Contains(shown.String(), want) || !strings.Contains(shown.String(), "the server is stopping") {
			t.Errorf("the bot is told %q, want %q", shown.String(), want)
		}
	}
}

// Someone who asked for a table without a terminal, and could have none, was left in the lobby with the status of a
// game that was played.
func TestPlayWithoutATableFails(t *testing.T) {
	h := startServer(t, func(o *options) { o.MaxMatches = 1 })
	lines := []string{"play", "play --computer club", "play --private"}
	expect := func(want string) {
		t.Helper()
		for _, line := range lines {
			if out, stderr, status := h.run(line); out != "" || stderr != "notakto: "+want+"\n" || status != 1 {
				t.Errorf("%s: status %d, %q, %q", line, status, out, stderr)
			}
		}
	}
	if _, _, status := h.run("play --computer club"); status != 0 {
		t.Errorf("the first match ends with status %d", status)
	}
	expect("you have as many matches as one player may have: finish one first")
	h.manager.Drain()
	expect("no new matches begin at this server now")
}

// Why nothing can be recorded stands in one line, without what the server was doing.
func TestPlayWithoutAJournalFails(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	h := startServer(t, func(o *options) { o.Journal = journal })
	journal.Fail(fmt.Errorf("%w: the disk is full", match.ErrUnavailable))
	for _, line := range []string{
		"play", "play --computer club", "play --private", "watch " + archived, "analyse --match " + archived,
	} {
		out, stderr, status := h.run(line)
		if out != "" || stderr != "notakto: nothing can be recorded just now: the disk is full\n" || status != 1 {
			t.Errorf("%s: status %d, %q, %q", line, status, out, stderr)
		}
	}
}
