package admin

import (
	"errors"
	"io"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// An import waits for its client, who may have left the terminal. The backup of the night is made all the same.
func TestAnImportThatWaitsKeepsNoBackupFromBeingMade(t *testing.T) {
	data := &Data{Store: testkit.Store(t)}
	silent, client := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := data.Import(t.Context(), silent)
		ended <- err
	}()
	_, _ = client.Write([]byte("\n")) // is read once the import has begun
	if err := data.Backup(t.Context(), io.Discard, false); err != nil {
		t.Error(err)
	}
	if _, err := data.Import(t.Context(), strings.NewReader("")); !errors.Is(err, errTransfer) {
		t.Errorf("a second import: %v", err)
	}
	_ = client.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
