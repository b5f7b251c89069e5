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

// errUnreadableRow says that a row cannot be read, names an erased account, and therefore cannot be rewritten.
var errUnreadableRow = errors.New("it names the account, and cannot be read: it is damaged or of a newer version")

// erasedFile is the file in a data directory that lists the accounts erased there, for RestoreBackup to erase them from
// older backups. A line has the [account.Directory.ErasureHash] of an account and its replacement.
const erasedFile = "forgotten"

// ChooseErased returns the accounts to erase, with their replacements. ChooseErased gets in stored every account in
// matches, in events of accounts, in progress and in notices.
type ChooseErased func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error)

// Erase erases the accounts that choose returns, if the store has data of them. Erase returns the erased accounts. No
// server may use the store.
//
// In matches the replacement of an account takes the place of the account. Erase deletes the account's progress,
// notices, names, keys and preferences. Erase keeps the ID and one key of an erased account if that key has a newer own
// account (see [account.Erasure.EraseEntry]).
//
// Errors are those of [OpenStopped], of the function choose, and of reading and writing. If an error comes with a nil
// Erasure, no account is erased, unless ctx has ended or the outcome of the commit is unknown. If an error comes with
// an Erasure, the accounts are erased. SQLite's file may then contain the deleted data until the next call of Erase.
func Erase(ctx context.Context, c Config, choose ChooseErased) (account.Erasure, error) {
	var lines strings.Builder
	path := filepath.Join(c.Dir, erasedFile)
	chooseAndList := func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased, err := choose(d, stored)
		for id, instead := range erased {
			if stored[id] {
				fmt.Fprintln(&lines, d.ErasureHash(id), instead)
			}
		}
		return erased, err
	}
	if c.URL != "" {
		return erase(ctx, c, chooseAndList, nil) // other programs restore backups of PostgreSQL
	}
	return erase(ctx, c, chooseAndList, func() (undo func() error, err error) {
		old, err := os.ReadFile(path)
		undo = func() error { return disk.WriteFile(path, old) }
		if errors.Is(err, fs.ErrNotExist) {
			undo, err = func() error { return os.Remove(path) }, nil
		}
		if err != nil {
			return nil, err
		}
		return undo, disk.WriteFile(path, append(old[:len(old):len(old)], lines.String()...))
	})
}

// repeatErasure erases accounts in the data directory target, and returns their number. The file
// erasedFile in the data directory dir lists these accounts.
func repeatErasure(ctx context.Context, dir, target string, log *slog.Logger) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, erasedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	replacements := map[string]match.PlayerID{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 2 {
			replacements[words[0]] = match.PlayerID(words[1])
		}
	}
	again := func(d *account.Directory, stored map[match.PlayerID]bool) (account.Erasure, error) {
		erased := account.Erasure{}
		for id := range stored {
			if instead, ok := replacements[d.ErasureHash(id)]; ok {
				erased[id] = instead
			}
		}
		return erased, nil
	}
	erased, err := erase(ctx, Config{Dir: target, Log: log}, again, nil)
	return len(erased), err
}

// erase erases accounts as Erase does. Before that, erase calls recordErased unless recordErased is nil. The call
// writes erasedFile, and its result undo restores the file. If the accounts are then certainly not erased, erase calls
// undo.
func erase(
	ctx context.Context, c Config, choose ChooseErased, recordErased func() (undo func() error, err error),
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
		return nil, s.vacuum() // an earlier erasure may have ended before its vacuum
	}
	e := &eraser{Erasure: erased, accounts: accounts, stored: stored, marked: map[match.PlayerID]bool{}}
	undo := func() error { return nil }
	if recordErased != nil {
		if undo, err = recordErased(); err != nil {
			return nil, err
		}
	}
	if err := s.doFirst(ctx, e.eraseRows(ctx, s)); err != nil {
		if ctx.Err() == nil && !errors.Is(err, errUnknown) { // otherwise the change may be committed
			err = errors.Join(err, undo())
		}
		return nil, err
	}
	return erased, s.vacuum()
}

// vacuum makes SQLite write its file anew, because the file still contains the data that was deleted or replaced.
// The WAL also contains such data until Close removes the WAL.
func (s *Store) vacuum() error {
	e, ok := s.engine.(*sqliteEngine)
	if !ok {
		return nil
	}
	e.connMu.Lock()
	defer e.connMu.Unlock()
	return e.exec(`VACUUM`)
}

// storedAccounts returns every account in matches, in events of accounts, in progress and in notices. A ban has the
// banned account or key, and the administrator.
func (s *Store) storedAccounts(ctx context.Context) (map[match.PlayerID]bool, error) {
	stored := map[match.PlayerID]bool{}
	err := s.eachMatch(ctx, func(m storedMatch) error {
		for _, e := range m.events {
			stored[e.Player.ID] = true
		}
		return nil
	})
	if err == nil {
		query := `SELECT account FROM progress UNION SELECT account FROM notice`
		err = s.Progress().each(ctx, query, nil, func(scan scan) error {
			var id match.PlayerID
			err := scan(&id)
			stored[id] = true
			return err
		})
	}
	for _, e := range s.accountEvents() {
		stored[e.Account], stored[e.Player] = true, true
		if e.Ban != nil {
			stored[e.Ban.Account], stored[match.PlayerID(e.Ban.Key)], stored[match.PlayerID(e.Ban.By)] = true, true, true
		}
	}
	delete(stored, "")
	return stored, err
}

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

// orderMeetings restores the order of the two players of each meeting after the replacement of players.
const orderMeetings statement = `UPDATE meeting SET player = opponent, opponent = player WHERE opponent < player`

// replacementStatements returns the statements that put replacements in the place of players in the history. A row of
// arguments has a player, the replacement, and the name of the replacement.
func replacementStatements() (all []statement) {
	for _, text := range [...]string{
		`UPDATE finished SET first = r.instead, first_name = r.name FROM {rows} WHERE finished.first = r.player`,
		`UPDATE finished SET second = r.instead, second_name = r.name FROM {rows} WHERE finished.second = r.player`,
		`UPDATE played SET player = r.instead FROM {rows} WHERE played.player = r.player`,
		`DELETE FROM unseen WHERE player IN (SELECT r.player FROM {rows})`,
		`DELETE FROM progress WHERE account IN (SELECT r.player FROM {rows})`,
		`DELETE FROM notice WHERE account IN (SELECT r.player FROM {rows})`,
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

// eraser puts the replacements of an Erasure in the place of the erased accounts.
type eraser struct {
	account.Erasure
	accounts *account.Directory
	stored   map[match.PlayerID]bool // see ChooseErased
	marked   map[match.PlayerID]bool // accounts of rewritten events
}

// erasePage is the number of rows that a query of eraseRows reads.
const erasePage = 500

// eraseRows returns the function that erase passes to doFirst. The function rewrites the rows of the log that name
// erased accounts, then rewrites the history, and last adds the events of addMarks.
func (e *eraser) eraseRows(ctx context.Context, s *Store) func(*group, func() error) error {
	return func(g *group, flush func() error) error {
		for _, table := range [...]string{selectEvents, selectArchive, selectAccounts, selectAudit} {
			for after := int64(0); ; {
				var page []row
				text := table + ` WHERE position > $1 ORDER BY position LIMIT $2`
				err := s.engine.runQueries(ctx, pipelinedQuery{text, []any{after, erasePage}, func(scan scan) error {
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
		for _, replace := range replacementStatements() {
			for id, instead := range e.Erasure {
				g.batch.add(replace, string(id), string(instead), account.GivenName(instead))
			}
		}
		g.batch.add(orderMeetings)
		return e.addMarks(g, s)
	}
}

// rewrite adds a statement that replaces the body of r, if the body names an erased account. The error is
// errUnreadableRow if the body of a match names an erased account and cannot be read. Unreadable events of accounts
// stay.
func (e *eraser) rewrite(g *group, r row) error {
	body := r.body
	switch r.kind {
	case accountRow:
		left, changed, err := e.EraseEntry(e.accounts, r.body, func(id match.PlayerID) bool { return e.stored[id] })
		if err != nil || !changed {
			return err
		}
		event, err := account.Decode(left)
		if err != nil {
			return err
		}
		e.marked[event.Account] = true
		g.batch.add(replaceAccount, r.position, left, string(event.Account))
		return nil
	case auditRow:
		if left := e.EraseText(e.accounts, body); !bytes.Equal(left, body) {
			g.batch.add(replaceAudit, r.position, left)
		}
		return nil
	case eventRow:
		if !e.hasErased(body) {
			return nil
		}
		id := match.ID(r.name)
		events, err := codec.DecodeEntry(id, body)
		if err == nil && e.replace(events) {
			if body, err = codec.EncodeEvents(events); err == nil {
				g.batch.add(replaceEvent, r.position, body)
			}
		}
		return e.refuseUnreadable(body, err)
	case archiveRow:
		if !e.hasErased(body) {
			return nil
		}
		record, err := codec.DecodeRecord(body)
		if err == nil && e.replace(record.Events) {
			if body, err = codec.EncodeRecord(record); err == nil {
				g.batch.add(replaceRecord, r.position, body)
			}
		}
		return e.refuseUnreadable(body, err)
	case entryRow: // eraseRows reads no entries, because they expire within seconds
	}
	return nil
}

// hasErased reports whether text contains the ID of an account to erase.
func (e *eraser) hasErased(text []byte) bool {
	for id := range e.Erasure {
		if bytes.Contains(text, []byte(id)) {
			return true
		}
	}
	return false
}

// refuseUnreadable takes the text of a row after erasing, and the error of reading the row. The result is
// errUnreadableRow if the row could not be read and names an account to erase. Other unreadable rows stay.
func (e *eraser) refuseUnreadable(left []byte, err error) error {
	if err != nil && e.hasErased(left) {
		return fmt.Errorf("%w: %w", errUnreadableRow, err)
	}
	return nil
}

// replace puts the replacements of erased players into events.
func (e *eraser) replace(events []match.Event) (changed bool) {
	for i := range events {
		p, erased := e.ErasePlayer(events[i].Player)
		if erased {
			events[i].Player, changed = p, true
		}
	}
	return changed
}

// addMarks marks each replacement as a deleted account, by an event of accounts. A replacement needs no event if
// rewrite has made one from an event of the erased account.
func (e *eraser) addMarks(g *group, s *Store) error {
	seq := int64(len(s.memory.accounts))
	for id, instead := range e.Erasure {
		if e.marked[instead] {
			continue
		}
		mark := e.DeletionEvent(e.accounts, id)
		body, err := account.Encode(mark)
		if err != nil {
			return err
		}
		seq++
		g.add(accountRow, string(mark.Account), seq, body)
	}
	return nil
}
