package classic

import (
	"bufio"
	"fmt"
	"io"
)

// dialogue is a program's side of the conversation. Output is buffered until the program waits for a reply; a failed
// write is detected there and ends the program.
type dialogue struct {
	in  *bufio.Reader
	out *bufio.Writer
}

func newDialogue(in io.Reader, out io.Writer) *dialogue {
	return &dialogue{in: bufio.NewReaderSize(in, maxLine+1), out: bufio.NewWriter(out)}
}

// say writes a line.
func (d *dialogue) say(line string) { fmt.Fprintln(d.out, line) }

// sayf writes a line after a format.
func (d *dialogue) sayf(format string, values ...any) { fmt.Fprintf(d.out, format+"\n", values...) }

// promptf writes a text after a format, without ending its line.
func (d *dialogue) promptf(format string, values ...any) { fmt.Fprintf(d.out, format, values...) }

// reply waits for the next line that the player types.
func (d *dialogue) reply() (string, error) {
	if err := d.flush(); err != nil {
		return "", err
	}
	return readLine(d.in)
}

func (d *dialogue) flush() error {
	if err := d.out.Flush(); err != nil {
		return fmt.Errorf("write the game: %w", err)
	}
	return nil
}
