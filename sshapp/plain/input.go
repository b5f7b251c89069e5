package plain

import (
	"context"
	"io"
	"slices"

	"golang.org/x/time/rate"
)

const (
	inputRate  rate.Limit = 1024 // bytes a second, far above what a person types
	inputBurst            = 8192
	readBuffer            = 256
)

// read hands over what is typed, piece by piece: the next is read when the one before was taken, and no faster than inputRate.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	defer close(chunks)
	pace := rate.NewLimiter(inputRate, inputBurst)
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
		if err != nil || pace.WaitN(ctx, n) != nil {
			return
		}
	}
}
