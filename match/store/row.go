package store

import "bytes"

// kind says which table a row is of.
type kind int

const (
	eventRow kind = iota
	archiveRow
	accountRow
	auditRow
	entryRow
)

// row is a row of the log. Every row has a position of its own. Positions have no gaps when they are written, and their
// order is the order of commits, the same on every server.
type row struct {
	kind     kind
	position int64
	name     string // of the match, the account, the command or the entry
	seq      int64  // in the match or among the accounts
	at       int64  // in microseconds
	body     []byte
}

func (r *row) read(scan scan) error {
	return scan(&r.kind, &r.position, &r.name, &r.seq, &r.at, &r.body)
}

func (r *row) isSame(other row) bool {
	return r.kind == other.kind && r.position == other.position && r.name == other.name && r.seq == other.seq &&
		r.at == other.at && bytes.Equal(r.body, other.body)
}

// insertRow has the statements that write the rows of each kind.
var insertRow = [...]*statement{
	eventRow:   newRowStatement(`INSERT INTO event SELECT position, name, seq, at, body FROM {rows}`),
	archiveRow: newRowStatement(`INSERT INTO archive SELECT position, name, seq, at, body FROM {rows}`),
	accountRow: newRowStatement(`INSERT INTO account SELECT position, name, seq, at, body FROM {rows}`),
	auditRow:   newRowStatement(`INSERT INTO audit SELECT position, name, at, body FROM {rows}`),
	entryRow: newRowStatement(`INSERT INTO entry SELECT name, position, at, body FROM {rows} WHERE true
		ON CONFLICT (key) DO UPDATE SET position = excluded.position, at = excluded.at, body = excluded.body`),
}

func newRowStatement(text string) *statement {
	return newStatement(text, "position bigint", "name text", "seq bigint", "at bigint", "body bytea")
}

// The columns of a row in each table. The number is the kind.
const (
	selectEvents   = `SELECT 0, position, match, seq, at, body FROM event`
	selectArchive  = `SELECT 1, position, match, seq, at, body FROM archive`
	selectAccounts = `SELECT 2, position, account, seq, at, body FROM account`
	selectAudit    = `SELECT 3, position, command, 0, at, body FROM audit`
	selectEntries  = `SELECT 4, position, key, 0, at, body FROM entry`
)

// readRow has the queries of a row at a position.
var readRow = [...]string{
	eventRow:   selectEvents + ` WHERE position = $1`,
	archiveRow: selectArchive + ` WHERE position = $1`,
	accountRow: selectAccounts + ` WHERE position = $1`,
	auditRow:   selectAudit + ` WHERE position = $1`,
	entryRow:   selectEntries + ` WHERE position = $1`,
}

const afterAndUpTo = ` WHERE position > $1 AND position <= $2`

const (
	// selectNews reads what other servers have written after a position up to another one: a number of rows at most.
	selectNews = selectEvents + afterAndUpTo + ` UNION ALL ` + selectArchive + afterAndUpTo + ` UNION ALL ` +
		selectAccounts + afterAndUpTo + ` UNION ALL ` + selectEntries + afterAndUpTo + ` ORDER BY 2 LIMIT $3`
	// selectCurrent reads what a server has in memory.
	selectCurrent = selectEvents + ` UNION ALL ` + selectAccounts + ` UNION ALL ` + selectEntries + ` ORDER BY 2`
)
