package tui

import (
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Theme is how everything looks in one kind of terminal: the style roles, already in the terminal's colours, and the
// glyphs it can show. It never changes, so that all sessions with the same kind of terminal share one.
type Theme struct {
	kind    Kind
	profile colorprofile.Profile
	utf8    bool
	family  *family
	sgrs    [styleRoles]sgr
	glyphs  *glyphs
	keys    *keyMap // named with the signs that the terminal can show
}

// family is all themes of one kind of terminal, and the canvases that are drawn on there, kept for the next frame.
type family struct {
	themes   [kinds]*Theme
	canvases sync.Pool
}

// NewTheme is the theme of a kind for a terminal with the given colours, in ASCII only unless utf8. NoTTY is a terminal
// that understands no escape codes; Ascii one without colours, where bold, underlined and reversed text still tells
// things apart.
func NewTheme(kind Kind, profile colorprofile.Profile, utf8 bool) *Theme {
	family := &family{canvases: sync.Pool{New: func() any { return new(canvas) }}}
	signs := newGlyphs(utf8)
	keys := newKeyMap(signs)
	for k := range kinds {
		theme := &Theme{kind: k, profile: profile, utf8: utf8, family: family, glyphs: signs, keys: keys}
		if profile > colorprofile.NoTTY {
			theme.mix(paletteOf(k, profile))
		}
		family.themes[k] = theme
	}
	if kind >= kinds {
		kind = Auto
	}
	return family.themes[kind]
}

// Kind is the theme's family of colours.
func (t *Theme) Kind() Kind { return t.kind }

// WithKind is the same terminal's theme of another kind.
func (t *Theme) WithKind(kind Kind) *Theme { return t.family.themes[kind%kinds] }

// Next is the theme that comes after t when a player goes through them.
func (t *Theme) Next() *Theme { return t.WithKind(t.kind + 1) }

// mix sets the style roles. Where there is no grey, faint stands in for it; where there is no colour at all, bold,
// underline and reverse do.
func (t *Theme) mix(p palette) {
	base := lipgloss.NewStyle()
	bold := base.Bold(true)
	gray := base.Foreground(p.gray)
	if p.gray == nil {
		gray = base.Faint(true)
	}
	line := base.Foreground(p.line)
	if p.line == nil {
		line = gray
	}
	cross := base // stands out from the grey by itself
	if p.line == nil {
		cross = bold
	}
	bar := bold.Foreground(p.onBlue).Background(p.blue)
	if p.blue == nil {
		bar = bold.Reverse(true)
	}
	t.use(base, plain)
	t.use(gray, faint, theirTurn)
	t.use(line, grid, rule)
	t.use(line.Faint(true), gridDead)
	t.use(bold, strong, keycap)
	t.use(cross, mark)
	t.use(bold.Foreground(p.blue), brand, chosen, markFirst)
	t.use(bold.Foreground(p.orange), last, markSecond, cursor, notice)
	t.use(bold.Foreground(p.red), fatal)
	t.use(bold.Foreground(p.green), good)
	t.use(base.Foreground(p.red), bad)
	t.sgrs[myTurn] = newSGR(bar, true)
	t.sgrs[over] = newSGR(bold.Reverse(true), true)
}

func (t *Theme) use(style lipgloss.Style, roles ...styleRole) {
	for _, role := range roles {
		t.sgrs[role] = newSGR(style, false)
	}
}

// Themes makes each theme once and hands it to everyone who asks. The zero value is ready; it may be used from any
// goroutine.
type Themes struct {
	mu   sync.Mutex
	made map[terminal]*Theme
}

type terminal struct {
	profile colorprofile.Profile
	utf8    bool
}

// For is the theme of a kind for a terminal, as by [NewTheme].
func (t *Themes) For(kind Kind, profile colorprofile.Profile, utf8 bool) *Theme {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := terminal{profile, utf8}
	if t.made[key] == nil {
		if t.made == nil {
			t.made = make(map[terminal]*Theme)
		}
		t.made[key] = NewTheme(Auto, profile, utf8)
	}
	return t.made[key].WithKind(kind)
}
