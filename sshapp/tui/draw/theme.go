package draw

import (
	"image/color"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"notakto/sshapp/render"
)

// Theme holds the styles and glyphs for one kind of terminal. A Theme may be shared by sessions, and never changes but
// for its stills.
type Theme struct {
	kind     Kind
	charset  Charset
	hasAmber bool
	family   *family
	ids      [roles]render.StyleID
	glyphs   *glyphs
	stills   stills
}

type family struct {
	themes [kinds]*Theme
	styles *render.Styles
}

// NewTheme returns the theme of a kind for a terminal with the given colors and characters. The theme uses no escape
// codes with the profile NoTTY, and bold, underlined and reversed text instead of colors with ASCII. An unknown kind
// stands for Auto.
func NewTheme(kind Kind, profile colorprofile.Profile, charset Charset) *Theme {
	family := &family{styles: render.NewStyles()}
	signs := newGlyphs(charset)
	for kind := range kinds {
		theme := &Theme{kind: kind, charset: charset, family: family, glyphs: signs}
		if profile > colorprofile.NoTTY {
			theme.addStyles(paletteOf(kind, profile))
		}
		family.themes[kind] = theme
	}
	if kind >= kinds {
		kind = Auto
	}
	return family.themes[kind]
}

// Kind returns the theme's kind.
func (t *Theme) Kind() Kind { return t.kind }

// Charset returns the set of characters that the terminal can show.
func (t *Theme) Charset() Charset { return t.charset }

// WithKind returns the theme of another kind for this terminal.
func (t *Theme) WithKind(kind Kind) *Theme { return t.family.themes[kind%kinds] }

// Next returns the theme that follows t when a player steps through the themes.
func (t *Theme) Next() *Theme { return t.WithKind(t.kind + 1) }

// HasColors reports whether roles differ by their color.
func (t *Theme) HasColors() bool { return t.hasAmber }

// addStyles sets the styles of all roles. A palette without a grey gets faint text, and a palette without colors gets
// bold, underlined and reversed text.
func (t *Theme) addStyles(p palette) {
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
		{render.Style{Bold: true, Foreground: p.sky}, []Role{Opponent}},
		{render.Style{Bold: true, Foreground: p.amber}, []Role{Chosen, Last, Own, Cursor, Notice}},
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

// Themes makes each theme once. The zero value is ready. Any goroutine may call Get.
type Themes struct {
	mu   sync.Mutex
	made map[terminal]*Theme
}

type terminal struct {
	profile colorprofile.Profile
	charset Charset
}

// Get returns the theme of NewTheme, made by the first call for the terminal.
func (t *Themes) Get(kind Kind, profile colorprofile.Profile, charset Charset) *Theme {
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

// Kind selects the colours of a theme.
type Kind uint8

// The kinds of themes. Auto is legible on light and on dark grounds. Dark and Light have more contrast on their own
// grounds. The first three kinds are safe for color-blind players. Mono has no colors.
const (
	Auto Kind = iota
	Dark
	Light
	Mono
	kinds
)

var kindNames = [kinds]string{"auto", "dark", "light", "mono"}

// String returns the kind's name.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "auto"
}

// ParseKind returns the kind with a name, or Auto if the name is unknown.
func ParseKind(name string) Kind {
	for kind, text := range kindNames {
		if text == name {
			return Kind(kind)
		}
	}
	return Auto
}

// palette holds a color for each meaning. A nil color is the terminal's own.
type palette struct {
	amber  color.Color // the player, here, now, as the cursor and the last move
	sky    color.Color // the opponent, and activity elsewhere
	moss   color.Color // won, kept
	ember  color.Color // a slip
	cinder color.Color // the crosses that killed a board
	plum   color.Color // a lesson
	ash    color.Color // less important text
	slate  color.Color // lines, and the remaining crosses of a dead board
	dead   color.Color // the remaining crosses of a dead board if slate is nil
	onBar  color.Color // text on a ground of amber, moss or ember
}

// paletteOf returns the colors of a kind for a profile. Amber and sky tell the players apart with any kind of color
// vision. Auto uses a middle lightness, with a contrast of at least 3:1 on white and on black.
func paletteOf(kind Kind, profile colorprofile.Profile) palette {
	switch {
	case kind == Mono || profile <= colorprofile.ASCII:
		return palette{}
	case profile == colorprofile.ANSI:
		return basicPalette(kind)
	}
	hex := func(code string) color.Color { return profile.Convert(lipgloss.Color(code)) }
	switch kind {
	case Dark:
		return palette{
			amber: hex("#F2B84B"), sky: hex("#62B6F0"), moss: hex("#5CCB9B"), ember: hex("#FF6B4A"), cinder: hex("#B56A54"),
			plum: hex("#B79CF0"),
			ash:  hex("#8E939C"), slate: hex("#6C7480"), onBar: hex("#14161B"),
		}
	case Light:
		return palette{
			amber: hex("#8F5A00"), sky: hex("#0B66A8"), moss: hex("#005F46"), ember: hex("#AF2A10"), cinder: hex("#A8634F"),
			plum: hex("#6A4BC2"),
			ash:  hex("#646A73"), slate: hex("#767D87"), onBar: hex("#FFFFFF"),
		}
	default:
		return palette{
			amber: hex("#B37E00"), sky: hex("#1F7FBF"), moss: hex("#00926B"), ember: hex("#DB4B12"), cinder: hex("#B0604A"),
			plum: hex("#8B6FD6"),
			ash:  hex("#7A7A7A"), slate: hex("#7A7F88"), onBar: hex("#121212"),
		}
	}
}

// basicPalette returns the colors for a terminal of sixteen colors. Bright black is invisible on some of these
// terminals. Therefore grey text is faint here, and only the crosses of a dead board are bright black.
func basicPalette(kind Kind) palette {
	switch kind {
	case Dark:
		return palette{
			amber: lipgloss.BrightYellow, sky: lipgloss.BrightCyan, moss: lipgloss.BrightGreen, ember: lipgloss.BrightRed,
			cinder: lipgloss.Red, plum: lipgloss.BrightMagenta, onBar: lipgloss.Black, dead: lipgloss.BrightBlack,
		}
	case Light:
		return palette{
			amber: lipgloss.Magenta, sky: lipgloss.Blue, moss: lipgloss.Green, ember: lipgloss.Red, cinder: lipgloss.Red,
			plum: lipgloss.Blue, onBar: lipgloss.BrightWhite, dead: lipgloss.BrightBlack,
		}
	default:
		return palette{
			amber: lipgloss.Magenta, sky: lipgloss.Cyan, moss: lipgloss.Green, ember: lipgloss.Red, cinder: lipgloss.Red,
			plum: lipgloss.Blue, onBar: lipgloss.BrightWhite, dead: lipgloss.BrightBlack,
		}
	}
}

// Role is the purpose of a piece of text. A Theme has a style for each Role.
type Role uint8

// The roles of text.
const (
	Plain  Role = iota
	Faint       // hints, dead boards, digits, and other text of little importance
	Strong      // text of importance
	Brand       // the name of the game, headings
	Keycap      // a key in a hint
	Chosen      // the selected entry of a list
	rule        // lines that part the screen
	Grid        // the lines of a board
	stroke      // a cross
	// The player at this screen, by sign, bars, and mark in tic-tac-toe. To a spectator it is the second side.
	Own
	// The opponent, and activity elsewhere. To a spectator it is the first side.
	Opponent
	Last      // the last move
	fatal     // the crosses that killed a board
	dying     // the crosses that have killed a board just now
	dead      // the remaining crosses of a dead board
	deadly    // the digit of a cell that would kill its board
	Cursor    // the corners of the cell under the cursor
	MyTurn    // the banner in the player's turn
	TheirTurn // the banner in the opponent's turn
	Over      // the banner after the match
	Won       // the banner of the winner
	Lost      // the banner of the loser
	Good
	Bad
	Lesson     // a rule to learn
	LessonHead // the heading of a lesson
	Notice     // a message from the server or the table
	roles
)
