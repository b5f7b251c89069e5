package plain

import (
	"context"
	"io"
	"slices"
	"time"
)

const (
	inputRate  = 1024 // bytes a second, far above what a person types
	inputBurst = 8192
	readBuffer = 256
)

// read hands over what is typed, piece by piece: the next is read when the one before was taken, and no faster than inputRate.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	defer close(chunks)
	var p pace
	buffer := make([]byte, readBuffer)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			select {
			case chunks <- slices.Clone(buffer[:n]):
			case <-ctx.Done():
				return
			}
		}
		if err != nil || !p.keep(ctx, n) {
			return
		}
	}
}

// pace is when all that was read would have come at inputRate.
type pace struct{ due time.Time }

// keep waits until n more bytes are no burst beyond inputBurst. False means that ctx has ended first.
func (p *pace) keep(ctx context.Context, n int) bool {
	if now := time.Now(); p.due.Before(now) {
		p.due = now
	}
	p.due = p.due.Add(time.Duration(n) * time.Second / inputRate)
	early := time.Until(p.due) - inputBurst*time.Second/inputRate
	if early <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(early)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
