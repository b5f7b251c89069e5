package lineedit

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Reader reads keys and gives them away a line at a time, as the system does for a terminal of its own: it shows what
// is typed, and lets it be taken back. It sends no escape code.
type Reader struct {
	keys  io.Reader
	shown io.Writer

	editor Editor
	ready  []byte // what can be read
	err    error  // what is read after ready
}

// NewReader reads the keys of a terminal, which shows what is written to shown.
func NewReader(keys io.Reader, shown io.Writer) *Reader { return &Reader{keys: keys, shown: shown} }

// Read waits for the next line.
func (r *Reader) Read(p []byte) (int, error) {
	buffer := make([]byte, 256)
	for len(r.ready) == 0 && r.err == nil {
		n, err := r.keys.Read(buffer)
		var echo bytes.Buffer
		for i := 0; i < n && r.err == nil; i++ {
			r.press(buffer[i], &echo)
		}
		_, _ = r.shown.Write(echo.Bytes())
		if err != nil && r.err == nil {
			r.ready, r.err = append(r.ready, r.editor.Partial()...), err
		}
	}
	n := copy(p, r.ready)
	if r.ready = r.ready[n:]; n > 0 {
		return n, nil
	}
	return 0, r.err
}

// press takes a key in, and writes what changes on the terminal.
func (r *Reader) press(key byte, echo *bytes.Buffer) {
	before := r.editor.line
	r.editor.Feed([]byte{key})
	if line, finished := r.editor.Next(); finished {
		echo.WriteByte('\n')
		if r.ready = append(r.ready, line.Text...); line.End {
			r.err = io.EOF
			return
		}
		r.ready = append(r.ready, '\n')
		return
	}
	now := r.editor.line
	if len(now) > len(before) {
		echo.Write(now[len(before):])
		return
	}
	for range utf8.RuneCount(before[len(now):]) {
		echo.WriteString("\b \b")
	}
}
