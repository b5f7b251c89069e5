package store

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// An invalid URL is refused without its password in the error, and without a look-up of a host.
func TestErrorsOfURLsHaveNoPassword(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, url := range []string{
		"postgres://u:se%cret@h/d", "postgres://u:secret@h:port/d", "postgres://u:very secret@h/d",
		"postgres://u:12/secret@h/d", "postgres://u:an@secret@h/d", "postgres://u:secret@h:1,h2:x/d",
		"postgres://u:secret@[::1/d", "postgres://u@h/d?password=secret&port=x", "postgres://u:secret@h/d?sslmode=x",
		"postgres://u:secret@h/d?target_session_attrs=x", "postgres:/u:secret@h/d", "Postgres://u:secret@h/d",
		"mysql://u:secret@h/d", "u:secret@h/d", "host=h password = secret port=x", "host=h password=secret", "",
	} {
		if _, err := openPostgres(ctx, url, silent()); !errors.Is(err, ErrDatabaseURL) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{
		"postgres://u:secret@127.0.0.1:1/d",
		"postgresql://u:%40secret@127.0.0.1:1,127.0.0.1:2/d?target_session_attrs=primary",
	} {
		if _, err := openPostgres(ctx, url, silent()); errors.Is(err, ErrDatabaseURL) ||
			err == nil || strings.Contains(err.Error(), "secret") || strings.ContainsAny(err.Error(), "\n\t") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// In the past a new connection read the rows up to head. The new connection may lead to a promoted server without
// the last rows, and the store did not notice their loss.
func TestNewRowsNeedTheConnectionThatReadHead(t *testing.T) {
	e := &postgresEngine{}
	errorIs(t, e.runQueries(t.Context(), pipelinedQuery{text: selectNews}), errConnectionLost)
}
