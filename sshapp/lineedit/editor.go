// Package lineedit makes lines of the keys that a terminal in raw mode sends.
//
// An [Editor] takes keys and returns finished lines. The plain game feeds an Editor and shows the line itself.
// Commands that read their input use a [Reader], an io.Reader of lines with an Editor that echoes the keys.
//
// The package starts no goroutine and sends no escape sequence. A Reader erases a character by a backspace, a space
// and a backspace, because every terminal understands these.
package lineedit

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// MaxLine is the longest line that is kept, in bytes.
const MaxLine = 4096

const (
	keyInterrupt = 0x03 // Ctrl-C
	keyEnd       = 0x04 // Ctrl-D
	keyBackspace = 0x08
	keyEraseLine = 0x15 // Ctrl-U
	keyEraseWord = 0x17 // Ctrl-W
	keyEscape    = 0x1b
	keyDelete    = 0x7f // sent by most terminals for the backspace key
)

// Editor makes lines of keys. Editor drops the sequences of cursor keys and all bytes that are neither text nor a key
// of a line. The zero value is an empty line. Only one goroutine may use an Editor.
type Editor struct {
	line        []byte // unfinished
	long        bool   // line has been cut
	escape      escape
	afterReturn bool // the last byte was a carriage return, and a line feed after it is dropped
	lines       []Line
}

// Line is a finished line.
type Line struct {
	Text string
	Long bool // Text is only the start of the line
	End  bool // the player wants to go instead
}

// escape is the part of a cursor key's sequence that has come.
type escape uint8

const (
	noEscape escape = iota
	escaped         // the escape byte
	sequence        // and the bracket
)

// Feed adds the next keys.
func (e *Editor) Feed(chunk []byte) {
	for _, b := range chunk {
		e.key(b)
	}
}

func (e *Editor) key(b byte) {
	afterReturn := e.afterReturn
	e.afterReturn = b == '\r'
	switch {
	case b == '\r', b == '\n' && !afterReturn:
		e.enter()
	case b == '\n':
	case e.escape == escaped && (b == '[' || b == 'O'):
		e.escape = sequence
	case e.escape == escaped, e.escape == sequence && '@' <= b && b <= '~':
		e.escape = noEscape
	case e.escape == sequence:
	case b == keyEscape:
		e.escape = escaped
	case b == keyBackspace, b == keyDelete:
		_, size := utf8.DecodeLastRune(e.line)
		e.line = e.line[:len(e.line)-size]
	case b == keyEraseLine:
		e.line = e.line[:0]
	case b == keyEraseWord:
		words := bytes.TrimRight(e.line, " ")
		e.line = e.line[:bytes.LastIndexByte(words, ' ')+1]
	case b == keyInterrupt, b == keyEnd && len(e.line) == 0:
		e.line = e.line[:0]
		e.lines = append(e.lines, Line{End: true})
	case b == '\t':
		e.add(' ')
	case b >= ' ':
		e.add(b)
	}
}

func (e *Editor) add(b byte) {
	if len(e.line) == MaxLine {
		e.long = true
		return
	}
	e.line = append(e.line, b)
}

func (e *Editor) enter() {
	e.lines = append(e.lines, Line{Text: string(e.line), Long: e.long})
	e.line, e.long, e.escape = nil, false, noEscape
}

// Finish ends the last line, when no more keys will come.
func (e *Editor) Finish() {
	if len(e.line) > 0 {
		e.enter()
	}
}

// Next removes and returns the oldest finished line.
func (e *Editor) Next() (Line, bool) {
	if len(e.lines) == 0 {
		return Line{}, false
	}
	line := e.lines[0]
	e.lines = e.lines[1:]
	return line, true
}

// Partial returns the unfinished line, or "" while finished lines wait.
func (e *Editor) Partial() string {
	if len(e.lines) > 0 {
		return ""
	}
	return string(e.line)
}

// Reader reads keys and returns a line at a time. Like the terminal of an operating system, Reader echoes the keys
// and lets the player erase them.
type Reader struct {
	keys   io.Reader
	echoTo io.Writer

	editor Editor
	ready  []byte // unread input
	err    error  // after ready
}

// NewReader returns a reader of a terminal's keys that echoes them to echoTo.
func NewReader(keys io.Reader, echoTo io.Writer) *Reader { return &Reader{keys: keys, echoTo: echoTo} }

// Read waits for the next line.
func (r *Reader) Read(p []byte) (int, error) {
	buffer := make([]byte, 256)
	for len(r.ready) == 0 && r.err == nil {
		n, err := r.keys.Read(buffer)
		var echo bytes.Buffer
		for i := 0; i < n && r.err == nil; i++ {
			r.press(buffer[i], &echo)
		}
		_, _ = r.echoTo.Write(echo.Bytes())
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

// press adds a key and writes the change of the display to echo.
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
