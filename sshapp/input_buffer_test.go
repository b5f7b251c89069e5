package sshapp

import (
	"bufio"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// What a client sent just slowly enough was never held up, and kept for a front end that did not read it: a hundred
// megabytes a session in some hours, byte by byte.
func TestUnreadInputIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const packet, carried = 36, 1
		a, library := newByteBudget(), make(libraryBuffer, 1<<20)
		b := newInputBuffer(library, a)
		sent := 0
		for a.wait(nil) && sent < 1<<20 {
			a.take(packet)
			library <- make([]byte, carried)
			sent += packet
			<-time.After(packet * time.Second / (inputPace - 1000))
		}
		if waiting := len(library) * packet; waiting > inputAtOnce+packet {
			t.Errorf("%d bytes wait in the library", waiting)
		}
		if sent >= 1<<20 {
			t.Error("the client is not hung up on")
		}
		close(library)
		b.close()
	})
}

func TestAnInputBufferKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, library := newByteBudget(), make(libraryBuffer, 1<<10)
		b := newInputBuffer(library, a)
		const pieces, size = 200, 250
		for i := range pieces {
			piece := make([]byte, size)
			for k := range piece {
				piece[k] = byte(i)
			}
			library <- piece
		}
		synctest.Wait()
		if kept := (pieces - len(library)) * size; kept < maxInputBuffer || kept > maxInputBuffer+size {
			t.Errorf("%d bytes were taken", kept)
		}
		close(library)
		all, err := io.ReadAll(b)
		if len(all) != pieces*size || err != nil {
			t.Fatalf("%d bytes were read, %v", len(all), err)
		}
		for i, c := range all {
			if int(c) != i/size {
				t.Fatalf("byte %d is of piece %d", i, c)
			}
		}
		if a.take(2 * inputAtOnce); !a.wait(nil) { // it grows again
			t.Error("the client is hung up on")
		}
	})
}

// A door that has gone leaves no goroutine that waits for it.
func TestAFullInputBufferEnds(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		library := make(libraryBuffer, 1)
		b := newInputBuffer(library, newByteBudget())
		library <- make([]byte, inputPiece)
		for range maxInputBuffer / inputPiece {
			library <- make([]byte, inputPiece)
			synctest.Wait()
		}
		b.close() // synctest waits for the goroutine's end
	})
}

// A door whose session had ended went on reading, and with it everything of its connection stayed, if the client sent
// one byte more before it closed the channel.
func TestAReaderEndsWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		library := make(libraryBuffer, 1)
		b := newInputBuffer(library, newByteBudget())
		ended := make(chan error, 1)
		go func() {
			_, err := bufio.NewReader(b).ReadSlice('\n')
			ended <- err
		}()
		synctest.Wait()
		b.close()
		library <- []byte("y")
		synctest.Wait()
		close(library)
		if err := <-ended; !errors.Is(err, io.EOF) {
			t.Errorf("it ends with %v", err)
		}
	})
}

// libraryBuffer is input that is kept until it is read, in pieces as it came, of no more than a reader's buffer.
type libraryBuffer chan []byte

func (b libraryBuffer) Read(p []byte) (int, error) {
	piece, open := <-b
	if !open {
		return 0, io.EOF
	}
	return copy(p, piece), nil
}
