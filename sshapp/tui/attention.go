package tui

import "time"

// attention tells keys that answer what is shown from keys that were meant for what was shown before.
type attention struct {
	from  time.Time // when the screen came up, or when what had covered it went
	key   string    // that was pressed last
	began time.Time // when that was, or when it was pressed that repeats since
	last  time.Time // when it came last
}

// A key that comes again within these times may be one that is held down.
const (
	repeatDelay = 700 * time.Millisecond // before it repeats for the first time
	repeatPause = 250 * time.Millisecond // between its repeats
)

// uncover notes that the player sees another screen from now on, or one that was covered.
func (a *attention) uncover() { a.from = time.Now() }

func (a *attention) onKey(name string) {
	now, pause := time.Now(), repeatPause
	if a.began.Equal(a.last) {
		pause = repeatDelay
	}
	if name != a.key || now.Sub(a.last) > pause {
		a.key, a.began = name, now
	}
	a.last = now
}

// beganBefore reports whether the last key was pressed before t, or has been held down since before t.
func (a *attention) beganBefore(t time.Time) bool { return a.began.Before(t) }
