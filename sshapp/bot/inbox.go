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
	maxQueue = 8  // lines that wait for one before them; while there are as many no further line is read
	maxBad   = 20 // bad lines in a row that end a session
)

// inbox owns the lines of a bot that are not done, and counts the bad ones. It touches no other part of the session.
type inbox struct {
	lines   <-chan line // nil once the input has ended
	waiting []line      // read and not begun, because a line before them is not done
	busy    bool        // a line is being done by a goroutine of its own
	done    chan func() // what that goroutine hands back; there is room for it
	bad     int         // bad lines in a row
}

// line is one line of input, parsed; err is why it is a bad one.
type line struct {
	request request
	err     error
}

// input returns the channel of the next line; nil while no more are read.
func (i *inbox) input() <-chan line {
	if len(i.waiting) >= maxQueue {
		return nil
	}
	return i.lines
}

// hasAbout reports whether a line about a match waits.
func (i *inbox) hasAbout(id match.ID) bool {
	return slices.ContainsFunc(i.waiting, func(l line) bool { return l.request.about() == id })
}

// isFinished reports whether the input has ended and all its lines are done.
func (i *inbox) isFinished() bool { return i.lines == nil && len(i.waiting) == 0 && !i.busy }

// countBad counts a line that was answered with err, and returns how many bad ones came in a row.
func (i *inbox) countBad(err error) int {
	if isBadLine(err) {
		i.bad++
	} else {
		i.bad = 0
	}
	return i.bad
}

// isBadLine reports whether a line was refused for what it is, so that it would be refused whatever the match. A move
// that comes too late, or a code that has been used up, can happen to a good bot.
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
	raw, err := botproto.ParseRequest(text)
	return line{request{raw}, err}, true
}
