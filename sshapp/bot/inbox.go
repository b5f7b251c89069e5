package bot

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

const (
	maxWaiting = 8  // lines that may wait for an earlier line; at this number, the session reads no further line
	maxBad     = 20 // bad lines in a row that end a session
)

// inbox holds the lines of a bot that are not done.
type inbox struct {
	lines   <-chan line // nil once the input has ended
	waiting []line      // read but not begun, because an earlier line is not done
	busy    bool        // a job is under way
	done    chan func() // receives the function that the session calls after a job; has room for one
	bad     int         // bad lines in a row
}

// line is one parsed line of input. err is set for a bad line.
type line struct {
	request request
	err     error
}

// input returns the channel of the next line, or nil while the session reads no further line.
func (i *inbox) input() <-chan line {
	if len(i.waiting) >= maxWaiting {
		return nil
	}
	return i.lines
}

// hasLineAbout reports whether a line about a match waits.
func (i *inbox) hasLineAbout(id match.ID) bool {
	return slices.ContainsFunc(i.waiting, func(l line) bool { return l.request.about() == id })
}

// isFinished reports whether the input has ended and all its lines are done.
func (i *inbox) isFinished() bool { return i.lines == nil && len(i.waiting) == 0 && !i.busy }

// isBadLine reports whether a line would be refused at any match. A move that comes too late, or a code that has been
// used up, can happen to a good bot, so neither is bad.
func isBadLine(err error) bool {
	if err == nil {
		return false
	}
	switch code, _ := codeAndMessage(err); code {
	case botproto.CodeBadJSON, botproto.CodeLineTooLong, botproto.CodeUnknownDo,
		botproto.CodeBadVariant, botproto.CodeBadClock, botproto.CodeBadLevel, botproto.CodeBadMove:
		return true
	default:
		return false
	}
}

// readLines sends the lines of in to lines, and closes lines when in or ctx ends. The last line may lack its end. It
// keeps one line in memory at a time, and nothing of a line that is too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	reader := bufio.NewReaderSize(in, botproto.MaxLine+1)
	for {
		var l line
		switch text, err := reader.ReadSlice('\n'); {
		case errors.Is(err, bufio.ErrBufferFull):
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = reader.ReadSlice('\n')
			}
			l.err = errLineTooLong
		case err != nil && len(text) == 0:
			return
		default:
			l.request.RawRequest, l.err = botproto.ParseRequest(text)
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
	}
}
