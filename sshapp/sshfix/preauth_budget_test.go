package sshfix

import (
	"testing"
	"testing/synctest"
)

// What is read before the exchange of keys has no limit of this kind, nor has what is read after the login has begun.
func TestThePreauthBudgetIsSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, gone, buffer := NewPreauthBudget(), make(chan struct{}), make([]byte, 4096)
		p.Took(len(p.Part(buffer, gone)))
		p.Begin()
		read := 0
		for range 10 {
			n := min(100, len(p.Part(buffer[:4096-read], gone)))
			p.Took(n)
			if read += n; read == preauthBytes {
				break
			}
		}
		if read != preauthBytes {
			t.Fatalf("%d bytes were read", read)
		}
		for _, end := range []struct {
			do   func()
			want int
		}{{func() { close(gone) }, 0}, {p.End, len(buffer)}} {
			waited := make(chan int, 1)
			go func() { waited <- len(p.Part(buffer, gone)) }()
			synctest.Wait()
			if len(waited) > 0 {
				t.Fatalf("%d bytes more may be read", <-waited)
			}
			if end.do(); <-waited != end.want {
				t.Errorf("the end lets other than %d bytes be read", end.want)
			}
			gone = make(chan struct{})
		}
		if n := len(p.Part(buffer, gone)); n != len(buffer) {
			t.Errorf("%d bytes may be read in the login", n)
		}
	})
}

// A packet that fits is at least this long: of 17 the library looks at one and keeps 16; the 18th must not fit beside
// the end of the exchange.
func TestNoPacketBehindTheSixteenthFitsThePreauthBudget(t *testing.T) {
	const newKeys, smallest, kept = 16, 28, 1 + 16
	if preauthBytes < newKeys+kept*smallest || preauthBytes >= newKeys+(kept+1)*smallest {
		t.Errorf("%d bytes", preauthBytes)
	}
}
