package tui

import "time"

// attention separates keys that answer the shown screen from keys that the player meant for an earlier screen.
type attention struct {
	uncoveredAt time.Time // the last call of uncover
	key         string    // the last key
	heldSince   time.Time // when key was first pressed, unchanged by its repeats
	last        time.Time // when key or its latest repeat came

	refused, followsRefused bool // key, and the key before it, named a board that cannot be chosen
}

// A key that comes again within these times may be held down.
const (
	repeatDelay = 700 * time.Millisecond // before a held key repeats for the first time
	repeatPause = 250 * time.Millisecond // between its repeats
)

// uncover records that a new screen is shown, or that a dialog, the help or an animation no longer hides the screen. A
// window that was too small counts as hiding.
func (a *attention) uncover() { a.uncoveredAt = time.Now() }

func (a *attention) onKey(name string) {
	now, pause := time.Now(), repeatPause
	if a.heldSince.Equal(a.last) {
		pause = repeatDelay
	}
	if name != a.key || now.Sub(a.last) > pause {
		a.key, a.heldSince = name, now
	}
	a.last, a.followsRefused, a.refused = now, a.refused, false
}

// beganBefore reports whether the last key was pressed before t, or has been held down since before t.
func (a *attention) beganBefore(t time.Time) bool { return a.heldSince.Before(t) }
