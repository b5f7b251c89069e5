package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/match/internal/disk"
)

// errUnreadableEntry says that a row names an erased account and cannot be read, so that it cannot be replaced.
var errUnreadableEntry = errors.New("it names the account, and cannot be read: it is damaged or of a newer version")

// erasedFile is the file in a data directory that lists the accounts that were erased there. A line has the trace of an
// account, from which the account cannot be computed, and its replacement. Restore erases these accounts from older
// backups.
const erasedFile = "forgotten"

// Choose returns the accounts to erase. stored has all accounts of which anything is stored.
type Choose func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error)

// Erase erases accounts from a store that no server uses. In their matches a random account takes the place of each
// account. The names, keys and other decisions of the accounts are deleted. Erase returns the accounts of which
// something was stored. If erasing fails, the database stays as it was. Errors: those of [OpenStopped] and of choose.
func Erase(ctx context.Context, c Config, choose Choose) (account.Erasure, error) {
	var notes strings.Builder
	path := filepath.Join(c.Dir, erasedFile)
	return erase(ctx, c, func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased, err := choose(d, stored)
		for id, instead := range erased {
			if stored[id] {
				fmt.Fprintln(&notes, d.Trace(id), instead)
			}
		}
		return erased, err
	}, func() (undo func() error, err error) {
		if c.URL != "" {
			return nil, nil // its backups are not restored by this program
		}
		before, err := os.ReadFile(path)
		undo = func() error { return disk.WriteFile(path, before) }
		if errors.Is(err, fs.ErrNotExist) {
			undo, err = func() error { return os.Remove(path) }, nil
		}
		if err != nil {
			return nil, err
		}
		return undo, disk.WriteFile(path, append(before[:len(before):len(before)], notes.String()...))
	})
}

// eraseAgain erases from the data directory to the accounts that were erased in dir.
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
	again := func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased := account.Erasure{}
		for id := range stored {
			if instead, ok := noted[d.Trace(id)]; ok {
				erased[id] = instead
			}
		}
		return erased, nil
	}
	_, err = erase(ctx, Config{Dir: to, Log: log}, again, func() (func() error, error) { return nil, nil })
	return err
}

// erase is Erase with a callback. It calls note before the first change. If erasing then fails without a change, it
// calls undo, unless undo is nil.
func erase(
	ctx context.Context, c Config, choose Choose, note func() (undo func() error, err error),
) (erased account.Erasure, err error) {
	s, err := OpenStopped(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	accounts, stop, err := account.Open(ctx, s.Accounts(), nil, s.Now)
	if err != nil {
		return nil, err
	}
	defer stop()
	stored, err := s.storedAccounts(ctx)
	if err != nil {
		return nil, err
	}
	if erased, err = choose(accounts, stored); err != nil {
		return nil, err
	}
	maps.DeleteFunc(erased, func(id, _ match.PlayerID) bool { return !stored[id] })
	if len(erased) == 0 {
		return nil, s.vacuum() // an earlier erasure may have been interrupted before it
	}
	e := &eraser{Erasure: erased, accounts: accounts, stored: stored, marked: map[match.PlayerID]bool{}}
	undo, err := note()
	if err != nil {
		return nil, err
	}
	if err := s.exclusively(ctx, e.run(ctx, s)); err != nil {
		if undo != nil && ctx.Err() == nil && !errors.Is(err, errUnknown) { // else it may be committed
			err = errors.Join(err, undo())
		}
		return nil, err
	}
	return erased, s.vacuum()
}

// vacuum makes SQLite write its file anew, because the old one still contains what was replaced. Close removes the log,
// which contains it too.
func (s *Store) vacuum() error {
	e, ok := s.engine.(*sqliteEngine)
	if !ok {
		return nil
	}
	e.turn.Lock()
	defer e.turn.Unlock()
	return e.exec(`VACUUM`)
}

// storedAccounts returns the accounts that occur in matches or in events of accounts, also as those who banned or were
// banned.
func (s *Store) storedAccounts(ctx context.Context) (map[match.PlayerID]bool, error) {
	stored := map[match.PlayerID]bool{}
	err := s.eachMatch(ctx, func(m storedMatch) error {
		for _, e := range m.events {
			stored[e.Player.ID] = true
		}
		return nil
	})
	for _, e := range s.accountEvents() {
		stored[e.Account] = true
		if e.Ban != nil {
			stored[e.Ban.Account], stored[match.PlayerID(e.Ban.Key)], stored[match.PlayerID(e.Ban.By)] = true, true, true
		}
	}
	delete(stored, "")
	return stored, err
}

// The statements that replace the bodies of rows, and the players of the history.
const (
	replaceEvent statement = `UPDATE event SET body = r.body FROM {position bigint, body bytea}
		WHERE event.position = r.position`
	replaceRecord statement = `UPDATE archive SET body = r.body FROM {position bigint, body bytea}
		WHERE archive.position = r.position`
	replaceAudit statement = `UPDATE audit SET body = r.body FROM {position bigint, body bytea}
		WHERE audit.position = r.position`
	replaceAccount statement = `UPDATE account SET body = r.body, account = r.account FROM {position bigint,
		body bytea, account text}
		WHERE account.position = r.position`
)

// orderMeetings puts the two players of each meeting in order again, once both may have been replaced.
const orderMeetings statement = `UPDATE meeting SET player = opponent, opponent = player WHERE opponent < player`

// replacePlayers returns the statements that replace a player in the tables of the history. Unseen results of the
// player are deleted.
func replacePlayers() (all []statement) {
	for _, text := range [...]string{
		`UPDATE finished SET first = r.instead, first_name = r.name FROM {rows} WHERE finished.first = r.player`,
		`UPDATE finished SET second = r.instead, second_name = r.name FROM {rows} WHERE finished.second = r.player`,
		`UPDATE played SET player = r.instead FROM {rows} WHERE played.player = r.player`,
		`DELETE FROM unseen WHERE player IN (SELECT r.player FROM {rows})`,
		`UPDATE player SET player = r.instead FROM {rows} WHERE player.player = r.player`,
		`UPDATE pairing SET player = r.instead FROM {rows} WHERE pairing.player = r.player`,
		`UPDATE pairing SET opponent = r.instead FROM {rows} WHERE pairing.opponent = r.player`,
		`UPDATE rating SET player = r.instead, name = r.name FROM {rows} WHERE rating.player = r.player`,
		`UPDATE rated SET player = r.instead FROM {rows} WHERE rated.player = r.player`,
		`UPDATE rated SET opponent = r.instead FROM {rows} WHERE rated.opponent = r.player`,
		`UPDATE meeting SET player = r.instead FROM {rows} WHERE meeting.player = r.player`,
		`UPDATE meeting SET opponent = r.instead FROM {rows} WHERE meeting.opponent = r.player`,
	} {
		all = append(all, statement(strings.Replace(text, "{rows}", "{player text, instead text, name text}", 1)))
	}
	return all
}

// eraser replaces accounts in all rows.
type eraser struct {
	account.Erasure
	accounts *account.Directory
	stored   map[match.PlayerID]bool
	marked   map[match.PlayerID]bool // replacements that events of accounts name already
}

// erasePage is the number of rows that are read before those that have changed are written.
const erasePage = 500

// run returns the change that erases the accounts, for exclusively.
func (e *eraser) run(ctx context.Context, s *Store) func(*group, func() error) error {
	return func(g *group, flush func() error) error {
		for _, table := range [...]string{selectEvents, selectArchive, selectAccounts, selectAudit} {
			for after := int64(0); ; {
				var page []row
				text := table + ` WHERE position > $1 ORDER BY position LIMIT $2`
				err := s.engine.ask(ctx, query{text, []any{after, erasePage}, func(scan scan) error {
					var r row
					err := r.read(scan)
					page = append(page, r)
					return err
				}})
				if err != nil {
					return err
				}
				if len(page) == 0 {
					break
				}
				after = page[len(page)-1].position
				for _, r := range page {
					if err := e.rewrite(g, r); err != nil {
						return fmt.Errorf("%s: %w", r.name, err)
					}
				}
				if err := flush(); err != nil {
					return err
				}
			}
		}
		for _, replace := range replacePlayers() {
			for id, instead := range e.Erasure {
				g.batch.add(replace, string(id), string(instead), account.GivenName(instead))
			}
		}
		g.batch.add(orderMeetings)
		return e.mark(g, s)
	}
}

// rewrite replaces the accounts in a row.
func (e *eraser) rewrite(g *group, r row) error {
	body := r.body
	switch r.kind {
	case accountRow:
		left, changed, err := e.Entry(e.accounts, r.body, func(id match.PlayerID) bool { return e.stored[id] })
		if err := e.check(left, err); err != nil || !changed {
			return err
		}
		event, err := account.Decode(left)
		if err == nil {
			e.marked[event.Account] = true
		}
		g.batch.add(replaceAccount, r.position, left, string(event.Account))
		return nil
	case auditRow:
		if left := e.Text(e.accounts, body); !bytes.Equal(left, body) {
			g.batch.add(replaceAudit, r.position, left)
		}
		return nil
	case eventRow:
		if !e.names(body) {
			return nil
		}
		id := match.ID(r.name)
		events, err := codec.DecodeEntry(id, body)
		if err == nil && e.replace(events) {
			if body, err = codec.EncodeEvents(events); err == nil {
				g.batch.add(replaceEvent, r.position, body)
			}
		}
		return e.check(body, err)
	case archiveRow:
		if !e.names(body) {
			return nil
		}
		record, err := codec.DecodeRecord(body)
		if err == nil && e.replace(record.Events) {
			if body, err = codec.EncodeRecord(record); err == nil {
				g.batch.add(replaceRecord, r.position, body)
			}
		}
		return e.check(body, err)
	case entryRow: // expires within seconds
	}
	return nil
}

// names reports whether a text contains an account to erase.
func (e *eraser) names(text []byte) bool {
	for id := range e.Erasure {
		if bytes.Contains(text, []byte(id)) {
			return true
		}
	}
	return false
}

// check takes the rest of a row and the error of reading it. If the row cannot be read and names an account to erase,
// check returns an error. Other rows that cannot be read stay as they are.
func (e *eraser) check(left []byte, err error) error {
	if err != nil && e.names(left) {
		return fmt.Errorf("%w: %w", errUnreadableEntry, err)
	}
	return nil
}

// replace replaces the players of events, and reports whether there were any.
func (e *eraser) replace(events []match.Event) (changed bool) {
	for i := range events {
		p, erased := e.Player(events[i].Player)
		if erased {
			events[i].Player, changed = p, true
		}
	}
	return changed
}

// mark adds an event to the accounts for each replacement, which says that it is a deleted account, unless one says so
// already.
func (e *eraser) mark(g *group, s *Store) error {
	seq := int64(len(s.memory.accounts))
	for id, instead := range e.Erasure {
		if e.marked[instead] {
			continue
		}
		mark := e.Mark(e.accounts, id)
		body, err := account.Encode(mark)
		if err != nil {
			return err
		}
		seq++
		g.add(accountRow, string(mark.Account), seq, body)
	}
	return nil
}
