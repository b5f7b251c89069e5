package admin

import (
	"errors"
	"io"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// An import waits for its client, perhaps for hours. The nightly backup must not wait for the import.
func TestAnImportThatWaitsKeepsNoBackupFromBeingMade(t *testing.T) {
	data := &Data{Store: testkit.Store(t)}
	silent, client := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := data.Import(t.Context(), silent)
		ended <- err
	}()
	_, _ = client.Write([]byte("\n")) // is read once the import has begun
	testkit.OK(t, data.Backup(t.Context(), io.Discard, false))
	if _, err := data.Import(t.Context(), strings.NewReader("")); !errors.Is(err, errTransfer) {
		t.Errorf("a second import: %v", err)
	}
	_ = client.Close()
	testkit.OK(t, <-ended)
}
