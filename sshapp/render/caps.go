package render

import (
	"strings"
)

// Caps says which sequences a terminal is known to understand. The zero value is a terminal that knows cursor
// positions, erasing to the end of a line or of the screen, and SGR, and that shows ASCII.
type Caps struct {
	UTF8       bool // shows more than ASCII, by the client's locale; otherwise question marks replace the rest
	NoWrap     bool // DECAWM: can be kept from wrapping at the right edge
	Hide       bool // DECTCEM: the cursor can be hidden
	Column     bool // CHA: the cursor moves to a column of its line
	Reverse    bool // RI: the cursor goes up a line
	Unset      bool // SGR 22 to 29, 39 and 49 end single attributes
	Erase      bool // ECH: erases characters from the cursor on
	Repeat     bool // REP: repeats the character before
	Alternate  bool // has an alternate screen, mode 1049
	Paste      bool // marks pasted text, mode 2004
	Mouse      bool // reports the mouse, modes 1000 and 1006
	Title      bool // takes a window title, OSC 2
	TitleStack bool // saves its title and restores it, CSI 22 t and CSI 23 t
}

// FromTerm returns the capabilities of a terminal by its TERM. An unknown name gets those of a VT100, without the ones
// that a plainer terminal might print as text. UTF8 is always set, because TERM says nothing about it.
func FromTerm(term string) Caps {
	family, variant, _ := strings.Cut(strings.ToLower(term), "-")
	switch family {
	case "alacritty", "contour", "foot", "ghostty", "kitty", "rio", "st", "tmux", "wezterm":
		return modern()
	case "xterm":
		return xterm(variant)
	case "gnome", "konsole", "mintty", "putty", "rxvt", "vte":
		return xterm("")
	case "screen":
		caps := xterm("")
		caps.Erase, caps.TitleStack = false, false
		return caps
	case "linux":
		return Caps{UTF8: true, NoWrap: true, Hide: true, Column: true, Reverse: true, Unset: true, Erase: true}
	case "vt220", "vt320", "vt340", "vt420", "vt510", "vt520", "vt525":
		return Caps{UTF8: true, NoWrap: true, Hide: true, Reverse: true, Unset: true, Erase: true}
	case "vt100", "vt102":
		return Caps{UTF8: true, NoWrap: true, Reverse: true}
	}
	return Caps{UTF8: true}
}

// xterm leaves REP out, since many terminals that call themselves xterm lack it, unless the variant names one that has
// it.
func xterm(variant string) Caps {
	caps := modern()
	switch variant {
	case "ghostty", "kitty", "rio":
	default:
		caps.Repeat = false
	}
	return caps
}

func modern() Caps {
	return Caps{
		UTF8: true, NoWrap: true, Hide: true, Column: true, Reverse: true, Unset: true, Erase: true, Repeat: true,
		Alternate: true, Paste: true, Mouse: true, Title: true, TitleStack: true,
	}
}
