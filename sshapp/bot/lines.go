package bot

import (
	"bufio"
	"context"
	"errors"
	"io"

	"notakto/sshapp/bot/botproto"
)

// line is one line of input, parsed; err is why it is a bad one.
type line struct {
	request request
	err     error
}

// readLines sends the lines of in and closes the channel at its end, or with ctx. It keeps one line at a time, and
// nothing of one that is too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	reader := bufio.NewReaderSize(in, botproto.MaxLine+1)
	for {
		l, more := readLine(reader)
		if !more {
			return
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
	}
}

// readLine reads one line; the last one may lack its end.
func readLine(in *bufio.Reader) (l line, more bool) {
	text, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		return line{err: errLineTooLong}, true
	case err != nil && len(text) == 0:
		return line{}, false
	}
	l.request, l.err = parse(text)
	return l, true
}
