package classic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrInputEnded says that the input ended before the game was over.
var ErrInputEnded = errors.New("input ended before the game did")

// maxLine is the most bytes a line may have, without the newline that ends it.
const maxLine = 4096

// readLine reads a line without the white space around it. The last line needs no newline. A line that is too long is
// skipped to its end and read as an empty one, which no question of any program takes for an answer. The reader's
// buffer has to hold more than maxLine bytes.
func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	long := len(bytes.TrimSuffix(line, []byte{'\n'})) > maxLine
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = in.ReadSlice('\n')
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return "", fmt.Errorf("read the input: %w", err)
	case long:
		return "", nil
	case err != nil && len(line) == 0:
		return "", ErrInputEnded
	}
	return string(bytes.TrimSpace(line)), nil
}
