package plain

import (
	"context"
	"io"
	"slices"
)

const readBuffer = 256

// read hands over what is typed, piece by piece: the next is read when the one before was taken.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	defer close(chunks)
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
		if err != nil {
			return
		}
	}
}
