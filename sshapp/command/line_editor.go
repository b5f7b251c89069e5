package command

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// maxLine is the longest line that can be typed on a terminal.
const maxLine = 4096

// The keys that edit a line, as a terminal in its raw mode sends them.
const (
	keyInterrupt = 'c' & 0x1f
	keyEnd       = 'd' & 0x1f
	keyBackspace = 'h' & 0x1f
	keyErase     = 'u' & 0x1f
	keyDelete    = 0x7f
	keyEscape    = 0x1b
)

// lineEditor reads keys and gives them away a line at a time, as the system does for a terminal of its own: it shows what is typed, and
// lets it be taken back. It sends no escape code.
type lineEditor struct {
	keys  io.Reader
	shown io.Writer

	line   []byte // that is being typed
	ready  []byte // what can be read
	last   byte
	escape bool  // within the code of a key that means nothing here
	err    error // what is read after ready
}

// Read waits for the next line.
func (e *lineEditor) Read(p []byte) (int, error) {
	buffer := make([]byte, 256)
	for len(e.ready) == 0 && e.err == nil {
		n, err := e.keys.Read(buffer)
		e.edit(buffer[:n])
		if err != nil && e.err == nil {
			e.ready, e.err = append(e.ready, e.line...), err
		}
	}
	n := copy(p, e.ready)
	if e.ready = e.ready[n:]; n > 0 {
		return n, nil
	}
	return 0, e.err
}

func (e *lineEditor) edit(typed []byte) {
	var echo bytes.Buffer
	for _, key := range typed {
		if e.err == nil {
			e.press(key, &echo)
		}
		e.last = key
	}
	_, _ = e.shown.Write(echo.Bytes())
}

func (e *lineEditor) press(key byte, echo *bytes.Buffer) {
	switch {
	case e.escape:
		e.escape = key < '@' || key > '~' || e.last == keyEscape && (key == '[' || key == 'O')
	case key == keyEscape:
		e.escape = true
	case key == '\n' && e.last == '\r':
	case key == '\r' || key == '\n':
		echo.WriteByte('\n')
		e.ready, e.line = append(append(e.ready, e.line...), '\n'), nil
	case key == keyInterrupt, key == keyEnd && len(e.line) == 0:
		echo.WriteByte('\n')
		e.err = io.EOF
	case key == keyBackspace, key == keyDelete:
		e.rubOut(echo, 1)
	case key == keyErase:
		e.rubOut(echo, len(e.line))
	case key >= ' ' && len(e.line) < maxLine:
		e.line = append(e.line, key)
		echo.WriteByte(key)
	}
}

// rubOut takes characters back from the end of the line.
func (e *lineEditor) rubOut(echo *bytes.Buffer, characters int) {
	for ; characters > 0 && len(e.line) > 0; characters-- {
		_, size := utf8.DecodeLastRune(e.line)
		e.line = e.line[:len(e.line)-size]
		echo.WriteString("\b \b")
	}
}
