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
	maxWaiting = 8  // at this number of waiting lines, the session reads no more
	maxBad     = 20 // bad lines in a row that end a session
)

// inbox holds the lines of a bot that are not done.
type inbox struct {
	lines      <-chan line // nil after the end of the input
	waiting    []line      // for an earlier line
	jobRunning bool
	jobDone    chan func() // a function to call after a job, room for one
	badInRow   int
}

// line is a parsed line of the input. A bad line has only err.
type line struct {
	request request
	err     error
}

// input returns the channel of the next line, or nil while maxWaiting lines wait.
func (i *inbox) input() <-chan line {
	if len(i.waiting) >= maxWaiting {
		return nil
	}
	return i.lines
}

func (i *inbox) hasLineAbout(id match.ID) bool {
	return slices.ContainsFunc(i.waiting, func(l line) bool { return l.request.targetMatch() == id })
}

func (i *inbox) isFinished() bool { return i.lines == nil && len(i.waiting) == 0 && !i.jobRunning }

// isBadLine reports whether err shows a faulty bot. A late move, or a code that has been used up, can happen to a
// good bot and does not count.
func isBadLine(err error) bool {
	if err == nil {
		return false
	}
	switch code, _ := codeAndMessage(err, ""); code {
	case botproto.CodeBadJSON, botproto.CodeLineTooLong, botproto.CodeUnknownDo,
		botproto.CodeBadVariant, botproto.CodeBadClock, botproto.CodeBadLevel, botproto.CodeBadMove:
		return true
	default:
		return false
	}
}

// readLines sends the lines of in to lines, and closes lines when in or ctx ends. The last line may lack its line
// break. readLines has one line in memory at a time, and drops the text of a line that is too long.
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
