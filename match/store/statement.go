package store

import (
	"bytes"
	"fmt"
	"strings"
)

// statement is SQL that takes many rows of arguments. Braces in its text stand for a table r of these rows, and list
// its columns with their types, as in {position bigint, name text}. The types are bigint, text and bytea. A
// statement without braces is executed once.
type statement string

func (s statement) parse() (before string, columns []string, after string) {
	before, rest, found := strings.Cut(string(s), "{")
	if !found {
		return before, nil, ""
	}
	inner, after, _ := strings.Cut(rest, "}")
	for column := range strings.SplitSeq(inner, ",") {
		columns = append(columns, strings.TrimSpace(column))
	}
	return before, columns, after
}

func (s statement) sqlite() string {
	before, columns, after := s.parse()
	if columns == nil {
		return before
	}
	var values []string
	for i, column := range columns {
		name, _, _ := strings.Cut(column, " ")
		values = append(values, fmt.Sprintf("$%d AS %s", i+1, name))
	}
	return before + "(SELECT " + strings.Join(values, ", ") + ") AS r" + after
}

// postgres returns the statement that PostgreSQL executes once for all rows, and an array for each column.
func (s statement) postgres(rows [][]any) (text string, arrays []any) {
	before, columns, after := s.parse()
	if columns == nil {
		return before, nil
	}
	var names, parameters []string
	for i, column := range columns {
		name, kind, _ := strings.Cut(column, " ")
		names = append(names, name)
		parameters = append(parameters, fmt.Sprintf("$%d::%s[]", i+1, kind))
		switch kind {
		case "bigint":
			arrays = append(arrays, columnOf[int64](rows, i))
		case "text":
			arrays = append(arrays, columnOf[string](rows, i))
		default:
			arrays = append(arrays, columnOf[[]byte](rows, i))
		}
	}
	table := "unnest(" + strings.Join(parameters, ", ") + ") AS r (" + strings.Join(names, ", ") + ")"
	return before + table + after, arrays
}

func columnOf[T any](rows [][]any, i int) []T {
	all := make([]T, len(rows))
	for n, row := range rows {
		all[n] = row[i].(T)
	}
	return all
}

// batch holds statements in the order of their first use, with the rows of each.
type batch struct {
	statements []statement
	rows       map[statement][][]any
}

// add adds a row of arguments for a statement. The values are of type int64, string or []byte.
func (b *batch) add(s statement, row ...any) {
	if b.rows == nil {
		b.rows = make(map[statement][][]any)
	}
	if b.rows[s] == nil {
		b.statements = append(b.statements, s)
	}
	b.rows[s] = append(b.rows[s], row)
}

// question is a query for many rows of arguments. begin answers it once head is locked.
type question struct {
	statement
	rows   [][]any
	answer func(scan scan) error
}

// scan copies the columns of a row of an answer, as the Scan method of sql.Rows does.
type scan func(into ...any) error

type kind int

const (
	eventRow kind = iota
	archiveRow
	accountRow
	auditRow
	entryRow
)

// row is a row of the log. Every row has a position of its own. Once a row is deleted, no table has its position.
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

const rowColumns = `{position bigint, name text, seq bigint, at bigint, body bytea}`

func (k kind) insertStatement() statement {
	switch k {
	case eventRow:
		return `INSERT INTO event SELECT position, name, seq, at, body FROM ` + rowColumns
	case archiveRow:
		return `INSERT INTO archive SELECT position, name, seq, at, body FROM ` + rowColumns
	case accountRow:
		return `INSERT INTO account SELECT position, name, seq, at, body FROM ` + rowColumns
	case auditRow:
		return `INSERT INTO audit SELECT position, name, at, body FROM ` + rowColumns
	default:
		return `INSERT INTO entry SELECT name, position, at, body FROM ` + rowColumns + ` WHERE true
			ON CONFLICT (key) DO UPDATE SET position = excluded.position, at = excluded.at, body = excluded.body`
	}
}

func (k kind) selectStatement() string {
	all := [...]string{selectEvents, selectArchive, selectAccounts, selectAudit, selectEntries}
	return all[k] + ` WHERE position = $1`
}

// Queries for the rows of each table, with the kind as the first column.
const (
	selectEvents   = `SELECT 0, position, match, seq, at, body FROM event`
	selectArchive  = `SELECT 1, position, match, seq, at, body FROM archive`
	selectAccounts = `SELECT 2, position, account, seq, at, body FROM account`
	selectAudit    = `SELECT 3, position, command, 0, at, body FROM audit`
	selectEntries  = `SELECT 4, position, key, 0, at, body FROM entry`
)

const afterAndUpTo = ` WHERE position > $1 AND position <= $2`

const (
	// selectNews reads the rows after position $1 up to position $2, at most $3 of them. Audit records are left out,
	// because they are not kept in memory.
	selectNews = selectEvents + afterAndUpTo + ` UNION ALL ` + selectArchive + afterAndUpTo + ` UNION ALL ` +
		selectAccounts + afterAndUpTo + ` UNION ALL ` + selectEntries + afterAndUpTo + ` ORDER BY 2 LIMIT $3`
	// selectCurrent reads the rows that a server keeps in memory.
	selectCurrent = selectEvents + ` UNION ALL ` + selectAccounts + ` UNION ALL ` + selectEntries + ` ORDER BY 2`
)
