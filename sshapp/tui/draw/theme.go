package draw

import (
	"image/color"
	"sync"

	"github.com/charmbracelet/colorprofile"

	"notakto/sshapp/render"
)

// Theme is how everything looks in one kind of terminal: the style roles, already in the terminal's colours, and the
// glyphs it can show. It never changes, so that all sessions with the same kind of terminal share one.
type Theme struct {
	kind     Kind
	charset  Charset
	hasAmber bool
	family   *family
	ids      [roles]render.StyleID
	glyphs   *glyphs
}

// family is all themes of one kind of terminal, and their styles.
type family struct {
	themes [kinds]*Theme
	styles *render.Styles
}

// NewTheme is the theme of a kind for a terminal with the given colours and characters. NoTTY is a terminal that
// understands no escape codes; Ascii one without colours, where bold, underlined and reversed text still shows things
// apart.
func NewTheme(kind Kind, profile colorprofile.Profile, charset Charset) *Theme {
	family := &family{styles: render.NewStyles()}
	signs := newGlyphs(charset)
	for k := range kinds {
		theme := &Theme{kind: k, charset: charset, family: family, glyphs: signs}
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

// Charset is which characters the terminal can show.
func (t *Theme) Charset() Charset { return t.charset }

// WithKind is the same terminal's theme of another kind.
func (t *Theme) WithKind(kind Kind) *Theme { return t.family.themes[kind%kinds] }

// Next is the theme that comes after t when a player goes through them.
func (t *Theme) Next() *Theme { return t.WithKind(t.kind + 1) }

// mix sets the style roles. Where there is no grey, faint stands in for it; where there is no colour at all, bold,
// underline and reverse do.
func (t *Theme) mix(p palette) {
	t.hasAmber = p.amber != nil
	ash := render.Style{Foreground: p.ash, Faint: p.ash == nil}
	slate := render.Style{Foreground: p.slate, Faint: p.slate == nil}
	strokes := render.Style{Bold: p.slate == nil} // stands out from the grey by itself
	cinder := render.Style{Foreground: p.cinder, Faint: p.cinder == nil, Underline: p.cinder == nil}
	old := slate
	if p.dead != nil {
		old = render.Style{Foreground: p.dead}
	}
	bar := func(ground color.Color) render.Style {
		return render.Style{Bold: true, Foreground: p.onBar, Background: ground, Reverse: ground == nil}
	}
	for _, s := range [...]struct {
		style render.Style
		roles []Role
	}{
		{ash, []Role{Faint, TheirTurn}},
		{slate, []Role{Grid, rule}},
		{old, []Role{dead}},
		{render.Style{Bold: true}, []Role{Strong, Keycap, Brand}},
		{strokes, []Role{stroke}},
		{render.Style{Bold: true, Foreground: p.sky}, []Role{Other}},
		{render.Style{Bold: true, Foreground: p.amber}, []Role{Chosen, Last, Here, Cursor, Notice}},
		{cinder, []Role{fatal}},
		{render.Style{Bold: true, Foreground: p.moss}, []Role{Good}},
		{render.Style{Foreground: p.ember}, []Role{Bad}},
		{render.Style{Foreground: p.plum}, []Role{Lesson}},
		{render.Style{Bold: true, Foreground: p.plum}, []Role{LessonHead}},
		{render.Style{Bold: true, Foreground: p.ember, Underline: p.ember == nil}, []Role{deadly}},
		{bar(p.amber), []Role{MyTurn}},
		{bar(p.moss), []Role{Won}},
		{bar(p.ember), []Role{Lost}},
		{render.Style{Foreground: p.ember, Reverse: true}, []Role{dying}},
		{render.Style{Bold: true, Reverse: true}, []Role{Over}},
	} {
		for _, role := range s.roles {
			t.ids[role] = t.family.styles.Add(s.style)
		}
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
	charset Charset
}

// For is the theme of a kind for a terminal, as by [NewTheme].
func (t *Themes) For(kind Kind, profile colorprofile.Profile, charset Charset) *Theme {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := terminal{profile, charset}
	if t.made[key] == nil {
		if t.made == nil {
			t.made = make(map[terminal]*Theme)
		}
		t.made[key] = NewTheme(Auto, profile, charset)
	}
	return t.made[key].WithKind(kind)
}
