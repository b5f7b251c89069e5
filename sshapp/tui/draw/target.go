package draw

// Target is a place on a canvas, and what was drawn there that can be clicked. A canvas without one looks for nothing:
// the methods do nothing on nil.
type Target struct {
	X, Y int
	Row  int    // of the screen's list, counted from 1; 0 for none
	Key  string // that stands there, by its name in hints; of several arrows the one at the place. "" for none
}

// OnRow says that a row of the screen's list, counted from 0, takes a part of the canvas.
func (t *Target) OnRow(r Rect, row int) {
	if t.isIn(r) {
		t.Row = row + 1
	}
}

// OnKey says that a part of the canvas stands for a key.
func (t *Target) OnKey(r Rect, name string) {
	if t.isIn(r) {
		t.Key = name
	}
}

// OnEntry says that a row takes a part of the canvas, and that a click there enters it.
func (t *Target) OnEntry(r Rect, row int) {
	t.OnRow(r, row)
	t.OnKey(r, "Enter")
}

// OnValue says that a value is turned down by the arrow in column left, and up by the one in column right and by
// itself.
func (t *Target) OnValue(left, right, y int) {
	t.OnKey(Rect{left - 1, y, 3, 1}, "←")
	t.OnKey(Rect{left + 2, y, right - left, 1}, "→")
}

// onHint says that a hint takes a part of the canvas. One that names several arrows stands for each of them where it is
// named.
func (t *Target) onHint(r Rect, name string) {
	if !t.isIn(r) {
		return
	}
	t.Key = name
	if signs, at := []rune(name), t.X-r.X; at < len(signs) && IsArrow(string(signs[at])) {
		t.Key = string(signs[at])
	}
}

func (t *Target) isIn(r Rect) bool {
	return t != nil && t.X >= r.X && t.X < r.X+r.Width && t.Y >= r.Y && t.Y < r.Y+r.Height
}

// IsArrow reports whether a key is an arrow, by its name.
func IsArrow(name string) bool {
	return name == "←" || name == "↑" || name == "↓" || name == "→"
}
