package sshfix

import (
	"testing"
	"testing/synctest"

	"notakto/internal/testkit"
)

// Only the bytes between the key exchange and the login are limited.
func TestThePreauthBudgetIsSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, gone, buffer := NewPreauthBudget(), make(chan struct{}), make([]byte, 4096)
		p.Charge(len(p.Limit(buffer, gone)))
		p.Start()
		read := 0
		for range 10 {
			n := min(100, len(p.Limit(buffer[:4096-read], gone)))
			p.Charge(n)
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
		}{{func() { close(gone) }, 0}, {p.Lift, len(buffer)}} {
			waited := make(chan int, 1)
			go func() { waited <- len(p.Limit(buffer, gone)) }()
			synctest.Wait()
			if len(waited) > 0 {
				t.Fatalf("%d bytes more may be read", <-waited)
			}
			if end.do(); <-waited != end.want {
				t.Errorf("the end lets other than %d bytes be read", end.want)
			}
			gone = make(chan struct{})
		}
		testkit.Equal(t, len(p.Limit(buffer, gone)), len(buffer))
	})
}
