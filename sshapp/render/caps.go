package render

import (
	"strings"
)

// Caps lists the sequences that a terminal is known to understand. The zero value is a terminal for ASCII with
// cursor positions, erasing to the end of a line or of the screen, and SGR.
type Caps struct {
	UTF8       bool // by the client's locale, false to replace all but ASCII with question marks
	NoWrap     bool // can stop wrapping at the right edge (DECAWM)
	Hide       bool // hides the cursor (DECTCEM)
	Column     bool // moves the cursor to a column of its line (CHA)
	Reverse    bool // moves the cursor up a line (RI)
	Unset      bool // ends single attributes (SGR 22 to 29, 39 and 49)
	Erase      bool // erases characters from the cursor on (ECH)
	Repeat     bool // repeats the last character (REP)
	Alternate  bool // has an alternate screen (mode 1049)
	Paste      bool // marks pasted text (mode 2004)
	Mouse      bool // reports the mouse (modes 1000 and 1006)
	Title      bool // takes a window title (OSC 2) and text for the clipboard (OSC 52)
	TitleStack bool // saves and restores its title (CSI 22 t and CSI 23 t)
	Focus      bool // reports when its window gets the focus (mode 1004)
	Notify     Notify
}

// Notify is the sequence that makes a terminal show a notification on the desktop. If a terminal's sequence is unknown,
// Notify is the usual one of its family, because terminals ignore sequences that they do not know.
type Notify uint8

// The sequences of notifications.
const (
	NoNotify          Notify = iota
	NotifyITerm              // OSC 9
	NotifyURxvt              // OSC 777
	NotifyThroughTmux        // OSC 9, passed on to the terminal around tmux
)

// FromTerm returns the capabilities of a terminal by its TERM. An unknown name gets what a VT100 has, except
// sequences that a plainer terminal might print as text. UTF8 is always true, because TERM does not tell the locale.
func FromTerm(term string) Caps {
	family, variant, _ := strings.Cut(strings.ToLower(term), "-")
	switch family {
	case "ghostty", "kitty", "rio", "wezterm":
		return modern(NotifyITerm)
	case "contour", "foot":
		return modern(NotifyURxvt)
	case "tmux":
		return modern(NotifyThroughTmux)
	case "alacritty", "st":
		return modern(NoNotify)
	case "xterm":
		return xterm(variant, NotifyITerm)
	case "gnome", "konsole", "mintty", "rxvt", "vte":
		return xterm("", NotifyURxvt)
	case "putty":
		return xterm("", NoNotify)
	case "screen":
		caps := xterm("", NoNotify)
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

// xterm returns the capabilities of a variant of xterm. Many terminals call themselves xterm and lack REP.
func xterm(variant string, notify Notify) Caps {
	caps := modern(notify)
	switch variant {
	case "ghostty", "kitty", "rio":
	default:
		caps.Repeat = false
	}
	return caps
}

func modern(notify Notify) Caps {
	return Caps{
		UTF8: true, NoWrap: true, Hide: true, Column: true, Reverse: true, Unset: true, Erase: true, Repeat: true,
		Alternate: true, Paste: true, Mouse: true, Title: true, TitleStack: true,
		Focus: true, Notify: notify,
	}
}
