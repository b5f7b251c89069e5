package tui

import "time"

// attention tells keys that answer the shown screen from keys that the player meant for an earlier screen.
type attention struct {
	uncoveredAt time.Time // when the screen came up, or when its cover went away
	key         string    // the last key
	heldSince   time.Time // when key was first pressed; its repeats do not change it
	last        time.Time // when key or its latest repeat came
}

// A key that comes again within these times may be held down.
const (
	repeatDelay = 700 * time.Millisecond // before it repeats for the first time
	repeatPause = 250 * time.Millisecond // between its repeats
)

// uncover notes that the player sees another screen from now on, or again the one below a cover.
func (a *attention) uncover() { a.uncoveredAt = time.Now() }

func (a *attention) onKey(name string) {
	now, pause := time.Now(), repeatPause
	if a.heldSince.Equal(a.last) {
		pause = repeatDelay
	}
	if name != a.key || now.Sub(a.last) > pause {
		a.key, a.heldSince = name, now
	}
	a.last = now
}

// beganBefore reports whether the last key was pressed before t, or has been held down since before t.
func (a *attention) beganBefore(t time.Time) bool { return a.heldSince.Before(t) }
