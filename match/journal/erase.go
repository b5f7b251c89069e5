package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
	"notakto/match/journal/natsd"
)

// errOtherContents says that a copy has other matches than the original.
var errOtherContents = errors.New("the copy has other matches, and is not used")

// errUnreadableEntry says that an erased account stands where it cannot be replaced.
var errUnreadableEntry = errors.New("it names the account, and cannot be read: it is damaged or of a newer version")

// erasedFile is the file in a data directory that notes which accounts were erased: a line for each, with its trace and
// what stands in its place. A backup from before is restored without them.
const erasedFile = "forgotten"

// Choose returns which accounts are erased. stored has all of which anything is stored.
type Choose func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error)

// Erase erases accounts from the data directory of a single server that does not run: in their matches, a random
// account stands in the place of each, and what they decided is gone. It returns those of which something was stored.
// After an error the directory is as before, unless it is the error of a deletion. [ErrRunning], [ErrNoJournal].
func Erase(ctx context.Context, dir string, choose Choose, log *slog.Logger) (account.Erasure, error) {
	var notes strings.Builder
	return erase(ctx, dir, log, func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased, err := choose(d, stored)
		for id, instead := range erased {
			if stored[id] {
				fmt.Fprintln(&notes, d.Trace(id), instead)
			}
		}
		return erased, err
	}, func() error {
		path := filepath.Join(dir, erasedFile)
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return disk.WriteFile(path, append(before, notes.String()...))
	})
}

// eraseAgain erases from the data directory to what was erased from another one.
func eraseAgain(ctx context.Context, dir, to string, log *slog.Logger) error {
	text, err := os.ReadFile(filepath.Join(dir, erasedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	noted := map[string]match.PlayerID{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 2 {
			noted[words[0]] = match.PlayerID(words[1])
		}
	}
	_, err = erase(ctx, to, log, func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased := account.Erasure{}
		for id := range stored {
			if instead, ok := noted[d.Trace(id)]; ok {
				erased[id] = instead
			}
		}
		return erased, nil
	}, func() error { return nil })
	return err
}

// erase erases accounts, and calls note before it changes the directory.
func erase(
	ctx context.Context, dir string, log *slog.Logger, choose Choose, note func() error,
) (erased account.Erasure, err error) {
	work := filepath.Join(dir, "erasing")
	defer func() {
		if !errors.Is(err, ErrRunning) { // else another command may use it
			err = errors.Join(err, os.RemoveAll(work))
		}
	}()
	players := map[match.PlayerID]bool{}
	err = ofStopped(dir, func() error {
		_, err := openAndCount(ctx, natsd.Config{Dir: dir, Log: log}, func(events []match.Event) {
			for _, e := range events {
				players[e.Player.ID] = true
			}
		}, func(s *Store, c Contents) error {
			err := os.RemoveAll(work) // of an interrupted try
			if err == nil {
				erased, err = choose(s.accounts, s.accountsIn(players))
			}
			maps.DeleteFunc(erased, func(id, _ match.PlayerID) bool { return !players[id] })
			if err != nil || len(erased) == 0 {
				return err
			}
			e := &eraser{Erasure: erased, accounts: s.accounts, stored: players, marked: map[match.PlayerID]bool{}}
			return e.copyAll(ctx, s, natsd.Config{Dir: work, Sync: natsd.Interval, Log: log}, c)
		})
		return err
	})
	if err != nil || len(erased) == 0 {
		return nil, err
	}
	if err := errors.Join(disk.SyncTree(work), note()); err != nil {
		return nil, err
	}
	return erased, natsd.ReplaceStreams(dir, work)
}

// accountsIn adds the accounts about which something was decided, or that have banned others, to those that were read
// in matches, and returns all.
func (s *Store) accountsIn(players map[match.PlayerID]bool) map[match.PlayerID]bool {
	for id := range maps.Clone(players) {
		players[s.accounts.Upgraded(match.Player{ID: id}).ID] = true
	}
	s.people.Subscribe(func(e account.Event) {
		players[e.Account] = true
		if e.Ban != nil {
			players[e.Ban.Account], players[match.PlayerID(e.Ban.Key)], players[match.PlayerID(e.Ban.By)] = true, true, true
		}
	})()
	delete(players, "")
	return players
}

// eraser copies streams without some accounts.
type eraser struct {
	account.Erasure
	accounts *account.Directory
	stored   map[match.PlayerID]bool
	marked   map[match.PlayerID]bool // whose deletion is in the copy
}

// copyAll makes a journal of what another has, which is counted, without the accounts that are erased.
func (e *eraser) copyAll(ctx context.Context, s *Store, to natsd.Config, before Contents) error {
	if err := e.copy(ctx, s, to); err != nil {
		return err
	}
	after, err := openAndCount(ctx, to, nil, func(s *Store, _ Contents) error { return e.mark(ctx, s) })
	if err == nil && (before.Finished != after.Finished || before.Live != after.Live || before.Damaged != after.Damaged) {
		err = errOtherContents
	}
	return err
}

// copy makes the streams of a journal that has none.
func (e *eraser) copy(ctx context.Context, s *Store, to natsd.Config) (err error) {
	n, err := startEmpty(ctx, to)
	defer func() { err = errors.Join(err, n.Close()) }()
	if err != nil {
		return err
	}
	for _, stream := range natsd.KeptStreams() {
		if err := e.copyStream(ctx, s.node, n, stream); err != nil {
			return fmt.Errorf("the stream %s: %w", stream, err)
		}
	}
	return nil
}

func (e *eraser) copyStream(ctx context.Context, from, to *natsd.Node, stream string) (err error) {
	f, err := os.CreateTemp(to.Path(""), "part-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	state, err := natsd.TakeSnapshot(ctx, from, stream, f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	r, w := io.Pipe()
	var writing sync.WaitGroup
	writing.Go(func() { _ = w.CloseWithError(natsd.RewriteSnapshot(f, w, e.rewrite)) }) // it returns nil
	defer func() {
		err = errors.Join(err, r.Close())
		writing.Wait()
	}()
	return natsd.RestoreSnapshot(ctx, to, stream, state, r)
}

// rewrite returns what stands in the place of the body of a message.
func (e *eraser) rewrite(subject string, body []byte) (_ []byte, err error) {
	if subject == natsd.PeopleSubject {
		changed := false
		body, changed, err = e.Entry(e.accounts, body, func(id match.PlayerID) bool { return e.stored[id] })
		if left, err := account.Decode(body); changed && err == nil {
			e.marked[left.Account] = true
		}
		return body, e.check(body, err)
	}
	if strings.HasPrefix(subject, natsd.AuditSubject) {
		return e.Text(e.accounts, body), nil
	}
	if !e.names(body) && !bytes.Contains(body, []byte("SHA256:")) {
		return body, nil
	}
	replaced := body
	if id, live := strings.CutPrefix(subject, natsd.MatchSubject); live {
		events, _, err := codec.DecodeEntry(match.ID(id), body)
		if err == nil && e.replace(events) {
			replaced, err = codec.EncodeEvents(events)
		}
		return replaced, e.check(replaced, err)
	}
	r, err := codec.DecodeRecord(body)
	if err == nil && e.replace(r.Events) {
		replaced, err = codec.EncodeRecord(r)
	}
	return replaced, e.check(replaced, err)
}

// names reports whether an account that is erased stands in a text.
func (e *eraser) names(text []byte) bool {
	for id := range e.Erasure {
		if bytes.Contains(text, []byte(id)) {
			return true
		}
	}
	return false
}

// check returns an error if what is left of a match that cannot be read names an account. Other entries that cannot be
// read stay as they are.
func (e *eraser) check(left []byte, err error) error {
	if err != nil && e.names(left) {
		return fmt.Errorf("%w: %w", errUnreadableEntry, err)
	}
	return nil
}

// replace replaces the players of events, and reports whether there were any.
func (e *eraser) replace(events []match.Event) (changed bool) {
	for i := range events {
		p, erased := e.Player(e.accounts.Upgraded(events[i].Player))
		if erased {
			events[i].Player, changed = p, true
		}
	}
	return changed
}

// mark records in the copy that the accounts that replace others are deleted, unless that is there already.
func (e *eraser) mark(ctx context.Context, s *Store) error {
	for id, instead := range e.Erasure {
		if e.marked[instead] {
			continue
		}
		mark := e.Mark(e.accounts, id)
		mark.Seq = s.people.end() + 1
		if _, err := s.people.Append(ctx, mark); err != nil {
			return err
		}
	}
	return nil
}
