package store

import (
	"fmt"
	"strings"
)

// statement is SQL that takes many rows of arguments. Braces in its text stand for a table r of these rows, and name
// its columns with their types: {position bigint, name text}. The types are bigint, text and bytea. A statement without
// braces is executed once.
type statement string

// cut returns the text before and after the braces, and the columns between them.
func (s statement) cut() (before string, columns []string, after string) {
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

// sqlite returns the statement that SQLite executes for each row.
func (s statement) sqlite() string {
	before, columns, after := s.cut()
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

// postgres returns the statement that PostgreSQL executes once for all rows, and its arguments: an array for each
// column.
func (s statement) postgres(rows [][]any) (text string, arrays []any) {
	before, columns, after := s.cut()
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

// batch holds statements in the order of their first use, each with its rows.
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

// question is a query for many rows of arguments, which begin answers once head is locked.
type question struct {
	statement
	rows   [][]any
	answer func(scan scan) error // takes each row of the answer
}

// scan copies the columns of a row of an answer, as Scan of sql.Rows does.
type scan func(into ...any) error
