package draw

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Kind is a family of colours.
type Kind uint8

// The kinds. Auto reads on light and on dark grounds and is safe for the colour-blind, like Dark and Light, which have
// more contrast on theirs; Mono has no colours.
const (
	Auto Kind = iota
	Dark
	Light
	Mono
	kinds
)

var kindNames = [kinds]string{"auto", "dark", "light", "mono"}

// String is the kind's name.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "auto"
}

// KindOf is the kind of a name; Auto if no other has it.
func KindOf(name string) Kind {
	for kind, text := range kindNames {
		if text == name {
			return Kind(kind)
		}
	}
	return Auto
}

// palette is the few colours that a theme is made of, each with one meaning; nil is the terminal's own.
type palette struct {
	amber  color.Color // the player, here, now: the cursor, the last move
	sky    color.Color // the other player, what goes on elsewhere
	moss   color.Color // won, kept
	ember  color.Color // a slip
	cinder color.Color // what killed a board
	plum   color.Color // what is to be learnt
	ash    color.Color // what may be overlooked
	slate  color.Color // lines, and the other crosses of a dead board
	dead   color.Color // of these crosses where there is no slate
	onBar  color.Color // text on a ground of amber, moss or ember
}

// Amber and sky, which tell the players apart, differ for people with any kind of colour vision. Auto keeps to middle
// lightness, with a contrast of at least 3:1 on white and on black.
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

// basicPalette serves terminals of sixteen colours. Bright black is no grey on all of them, so what is grey elsewhere
// is faint here, but for crosses that do no harm where they cannot be seen.
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
