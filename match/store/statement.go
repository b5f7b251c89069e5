package store

import (
	"fmt"
	"strings"
)

// statement is SQL that is executed for several rows of arguments at once. In its text, {rows} stands for a table r
// with these rows.
type statement struct {
	sqlite   string // executed for each row
	postgres string // executed once, with an array for each column
	types    []string
}

// newStatement returns a statement whose rows have some columns. A column is a name and a type: bigint, text or bytea.
func newStatement(text string, columns ...string) *statement {
	s := &statement{}
	var names, values, arrays []string
	for i, column := range columns {
		name, kind, _ := strings.Cut(column, " ")
		s.types = append(s.types, kind)
		names = append(names, name)
		values = append(values, fmt.Sprintf("$%d AS %s", i+1, name))
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, kind))
	}
	s.sqlite = strings.ReplaceAll(text, "{rows}", "(SELECT "+strings.Join(values, ", ")+") AS r")
	s.postgres = strings.ReplaceAll(text, "{rows}",
		"unnest("+strings.Join(arrays, ", ")+") AS r ("+strings.Join(names, ", ")+")")
	return s
}

// arrays returns rows as an array for each column.
func (s *statement) arrays(rows [][]any) []any {
	all := make([]any, len(s.types))
	for i, kind := range s.types {
		switch kind {
		case "bigint":
			all[i] = column[int64](rows, i)
		case "text":
			all[i] = column[string](rows, i)
		default:
			all[i] = column[[]byte](rows, i)
		}
	}
	return all
}

func column[T any](rows [][]any, i int) []T {
	all := make([]T, len(rows))
	for n, row := range rows {
		all[n] = row[i].(T)
	}
	return all
}

// batch is statements with their rows, in the order of their first use.
type batch struct {
	statements []*statement
	rows       map[*statement][][]any
}

// add adds a row to those of a statement. Values are of the types int64, string and []byte.
func (b *batch) add(s *statement, row ...any) {
	if b.rows == nil {
		b.rows = make(map[*statement][][]any)
	}
	if b.rows[s] == nil {
		b.statements = append(b.statements, s)
	}
	b.rows[s] = append(b.rows[s], row)
}

// question is a query that is answered while the log is locked.
type question struct {
	*statement
	rows   [][]any
	answer func(scan scan) error // for each row of the answer
}

// scan reads the columns of a row.
type scan func(into ...any) error
