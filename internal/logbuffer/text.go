// Package logbuffer keeps for a test what is written while the test reads it.
package logbuffer

import (
	"strings"
	"sync"
)

// Text is what was written to it. The zero value is empty, and its methods may be called from any goroutine.
type Text struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *Text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

// String returns everything that was written since the last Take.
func (t *Text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// Take is String, and forgets it.
func (t *Text) Take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.text.Reset()
	return t.text.String()
}
