// Package logbuffer collects the log of code under test. The test may read the log while the code still writes.
package logbuffer

import (
	"strings"
	"sync"
)

// Text is an io.Writer that keeps the written text. The zero value is empty. A Text is safe for concurrent use.
type Text struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *Text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

// String returns the text written since the last Take.
func (t *Text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// Take returns the text written since the last Take and removes it.
func (t *Text) Take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.text.Reset()
	return t.text.String()
}
