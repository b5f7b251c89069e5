package sshapp

import (
	"sync"

	"charm.land/ssh"
)

// maxNotices is the number of notices that are kept for a front end that has not shown those before.
const maxNotices = 4

// inbox holds the newest size of a session's terminal and the latest notices of administrators until the front end
// reads them. Nothing waits for a front end that does not.
type inbox struct {
	windows chan ssh.Window // at most one; closed when the channel is
	notices chan string     // at most maxNotices; the oldest gives way to a new one

	mu      sync.Mutex
	resized func() // says that there is a new size; nil before the front end has begun
	noticed func() // says that there is a new notice; nil for none
}

func newInbox() inbox {
	return inbox{windows: make(chan ssh.Window, 1), notices: make(chan string, maxNotices)}
}

// resize puts a new size in the place of one that was not read yet. Only the request loop calls it.
func (i *inbox) resize(window ssh.Window) {
	select {
	case <-i.windows:
	default:
	}
	i.windows <- window
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.resized != nil {
		i.resized()
	}
}

// onResize registers tell, which the request loop calls for each new size. It must not wait.
func (i *inbox) onResize(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.resized = tell
}

// notify has the front end show a sentence.
func (i *inbox) notify(text string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for {
		select {
		case i.notices <- text:
			if i.noticed != nil {
				i.noticed()
			}
			return
		default:
		}
		select {
		case <-i.notices:
		default: // it was read just now
		}
	}
}

// onNotice registers tell, which is called for each new notice. It must not wait.
func (i *inbox) onNotice(tell func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.noticed = tell
}
