package lineedit

import "unicode/utf8"

// MaxLine is the longest line that is kept, in bytes.
const MaxLine = 4096

// The keys that mean something in a line.
const (
	keyInterrupt = 0x03 // Ctrl-C
	keyEnd       = 0x04 // Ctrl-D
	keyBackspace = 0x08
	keyErase     = 0x15 // Ctrl-U
	keyEscape    = 0x1b
	keyDelete    = 0x7f // what most terminals send for the backspace key
)

// Editor makes lines of what is typed. What is no text and no key of a line is dropped, whole cursor keys among it. The
// zero value is an empty line. It is for one goroutine.
type Editor struct {
	line    []byte // the one that is being typed
	long    bool   // whether it has more than was kept
	escape  escape
	pressed bool // whether the last byte was a carriage return, so that a line feed is part of it
	lines   []Line
}

// Line is a line that was finished.
type Line struct {
	Text string
	Long bool // it had more than is kept
	End  bool // the player wants to go instead
}

// escape is how much of a cursor key has come.
type escape uint8

const (
	noEscape escape = iota
	escaped         // the escape byte
	sequence        // and the bracket
)

// Feed takes in what was typed next.
func (e *Editor) Feed(chunk []byte) {
	for _, b := range chunk {
		e.key(b)
	}
}

func (e *Editor) key(b byte) {
	pressed := e.pressed
	e.pressed = b == '\r'
	switch {
	case b == '\r', b == '\n' && !pressed:
		e.enter()
	case b == '\n':
	case e.escape != noEscape:
		e.skip(b)
	case b == keyEscape:
		e.escape = escaped
	case b == keyBackspace, b == keyDelete:
		_, size := utf8.DecodeLastRune(e.line)
		e.line = e.line[:len(e.line)-size]
	case b == keyErase:
		e.line = e.line[:0]
	case b == keyInterrupt, b == keyEnd && len(e.line) == 0:
		e.line = e.line[:0]
		e.lines = append(e.lines, Line{End: true})
	case b == '\t':
		e.add(' ')
	case b >= ' ':
		e.add(b)
	}
}

func (e *Editor) skip(b byte) {
	switch {
	case e.escape == escaped && (b == '[' || b == 'O'):
		e.escape = sequence
	case e.escape == escaped, '@' <= b && b <= '~':
		e.escape = noEscape
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

// Finish makes a line of what was typed last, when no more will come.
func (e *Editor) Finish() {
	if len(e.line) > 0 {
		e.enter()
	}
}

// Next is the oldest line that was finished and not taken.
func (e *Editor) Next() (Line, bool) {
	if len(e.lines) == 0 {
		return Line{}, false
	}
	line := e.lines[0]
	e.lines = e.lines[1:]
	return line, true
}

// Partial is what stands in the line that is being typed.
func (e *Editor) Partial() string {
	if len(e.lines) > 0 {
		return ""
	}
	return string(e.line)
}
