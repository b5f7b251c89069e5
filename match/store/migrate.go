package store

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Schema is the version of the tables that this program uses, the number of the last migration.
const Schema = 4

// ErrNewerSchema says that a newer version of the program has changed the tables.
var ErrNewerSchema = errors.New("a newer version of the program has changed the database: use that version")

// readMigrations returns the SQL of all migrations for PostgreSQL, in order. A migration sets the version of the
// schema to the number of its file.
func readMigrations() (all []string, err error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if !strings.HasPrefix(name, fmt.Sprintf("migrations/%04d_", i+1)) {
			return nil, fmt.Errorf("%s is not migration %d", name, i+1)
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, string(text)+fmt.Sprintf("UPDATE head SET version = %d;\n", i+1))
	}
	if len(all) != Schema {
		return nil, fmt.Errorf("there are %d migrations, not %d", len(all), Schema)
	}
	return all, nil
}

func inSQLite(migration string) string {
	return strings.NewReplacer(
		"BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY", // the row ID of SQLite
		` COLLATE "C"`, "", // SQLite compares bytes
		"BYTEA", "BLOB",
		"/*WITHOUT ROWID*/", "WITHOUT ROWID",
	).Replace(migration)
}

// pending returns the migrations that a database of this version lacks. The error is [ErrNewerSchema] if version
// is above the last migration.
func pending(version int64) ([]string, error) {
	all, err := readMigrations()
	if err != nil {
		return nil, err
	}
	if version > int64(len(all)) {
		return nil, fmt.Errorf("%w (it has version %d, this program knows %d)", ErrNewerSchema, version, len(all))
	}
	return all[version:], nil
}
