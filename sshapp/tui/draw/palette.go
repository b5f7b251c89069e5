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

// palette is the few colours that a theme is made of; nil is the terminal's own.
type palette struct {
	blue, orange, green, red, gray, line, onBlue color.Color
}

// The hues are those of Okabe and Ito, which people with any kind of colour vision tell apart; Auto keeps to the ones
// of middle lightness, with a contrast of at least 3:1 on white and on black.
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
		return palette{hex("#56B4E9"), hex("#E69F00"), hex("#3FC39A"), hex("#FF8250"), hex("#8A8A8A"), hex("#626262"), hex("#121212")}
	case Light:
		return palette{hex("#005F9E"), hex("#9A4A00"), hex("#00704F"), hex("#B83200"), hex("#6C6C6C"), hex("#A8A8A8"), hex("#FFFFFF")}
	default:
		return palette{hex("#1F7FBF"), hex("#B37E00"), hex("#00926B"), hex("#DB4B12"), hex("#7A7A7A"), hex("#7A7A7A"), hex("#FFFFFF")}
	}
}

// basicPalette serves terminals of sixteen colours. Bright black is no grey on all of them, so what is grey elsewhere
// is faint here.
func basicPalette(kind Kind) palette {
	switch kind {
	case Dark:
		return palette{blue: lipgloss.BrightCyan, orange: lipgloss.BrightYellow, green: lipgloss.BrightGreen, red: lipgloss.BrightRed, onBlue: lipgloss.Black}
	case Light:
		return palette{blue: lipgloss.Blue, orange: lipgloss.Magenta, green: lipgloss.Green, red: lipgloss.Red, onBlue: lipgloss.BrightWhite}
	default:
		return palette{blue: lipgloss.Cyan, orange: lipgloss.Magenta, green: lipgloss.Green, red: lipgloss.Red, onBlue: lipgloss.Black}
	}
}
