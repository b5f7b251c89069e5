package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

// The environment of a child process of the tests.
const (
	childDir = "NOTAKTO_TEST_CHILD_DIR"
	childURL = "NOTAKTO_TEST_CHILD_URL"
	childDo  = "NOTAKTO_TEST_CHILD_DO"
)

// child returns a process that runs a function of TestChild on a store.
func child(t *testing.T, c Config, what string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$") //nolint:gosec // this program
	cmd.Env = append(os.Environ(), childDir+"="+c.Dir, childURL+"="+c.URL, childDo+"="+what)
	return cmd
}

// TestChild is the child process of other tests.
func TestChild(t *testing.T) {
	do := os.Getenv(childDo)
	if do == "" {
		t.Skip("this is not a child process")
	}
	s, err := Open(t.Context(), Config{Dir: os.Getenv(childDir), URL: os.Getenv(childURL)})
	ok(t, err)
	if do == "play" {
		playForever(t, s)
	}
}

// playForever plays matches of 16 pairs of players until the process is killed, and prints each event once it is
// recorded.
func playForever(t *testing.T, s *Store) {
	run := s.Now().UnixNano()
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for n := 0; ; n++ {
				id := match.ID(fmt.Sprintf("m%d-%d-%d", run, w, n))
				one, other := person(fmt.Sprint("one", w)), person(fmt.Sprint("other", w))
				for _, e := range play(t, id, match.QueueOrigin, one, other, "notakto/1: A5 A1 A9", rules.NoSide) {
					if _, err := s.Append(context.Background(), e); err != nil {
						t.Error(err)
						return
					}
					fmt.Fprintf(os.Stdout, "%s %d\n", id, e.Seq)
				}
				if err := s.Archive(context.Background(), id); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// A process is killed again and again while it writes. The store then has every acknowledged event, the history has
// exactly the finished matches, and the database is not damaged.
func TestAKilledServer(t *testing.T) { testKilled(t, Config{Dir: t.TempDir()}) }

func testKilled(t *testing.T, c Config) {
	acknowledged := map[match.ID]int{}
	for range 4 {
		cmd := child(t, c, "play")
		out, err := cmd.StdoutPipe()
		ok(t, err)
		ok(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			var id match.ID
			var seq int
			if _, err := fmt.Sscanf(lines.Text(), "%s %d", &id, &seq); err != nil {
				t.Fatal(lines.Text())
			}
			acknowledged[id] = max(acknowledged[id], seq)
			if n == 400 {
				ok(t, cmd.Process.Kill())
			}
		}
		_ = cmd.Wait()
		checkRecorded(t, c, acknowledged)
	}
}

func checkRecorded(t *testing.T, c Config, acknowledged map[match.ID]int) {
	t.Helper()
	s, err := Open(t.Context(), c)
	ok(t, err)
	defer func() { _ = s.Close() }()
	ended := 0
	for id, seq := range acknowledged {
		events, err := s.Load(t.Context(), id, 0)
		if err != nil || len(events) < seq {
			t.Errorf("%s has %d events, %d were acknowledged, %v", id, len(events), seq, err)
		}
		if state := journaltest.Fold(t, events...); state.IsOver() {
			ended++
		}
	}
	found := inspected(t, s)
	equal(t, found, Contents{Finished: ended, Live: found.Live})
	staysInRebuild(t, s)
}
