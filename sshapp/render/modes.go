package render

import "github.com/charmbracelet/x/ansi"

// setModes appends what f needs besides its content.
func (s *Screen) setModes(dst []byte, f Frame) []byte {
	if !s.entered {
		dst = s.enter(dst)
	}
	if f.Mouse != s.mouse && s.caps.Mouse {
		dst = append(dst, setting(f.Mouse)(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
		s.mouse = f.Mouse
	}
	if f.Title != s.title && s.caps.Title {
		dst = s.setTitle(dst, f.Title)
	}
	if f.Copy != s.copied && s.caps.Title {
		dst = append(dst, ansi.SetSystemClipboard(f.Copy)...)
		s.copied = f.Copy
	}
	if f.Bell != s.bell {
		dst = append(dst, ansi.BEL)
		s.bell = f.Bell
	}
	return dst
}

func setting(on bool) func(...ansi.Mode) string {
	if on {
		return ansi.SetMode
	}
	return ansi.ResetMode
}

// enter prepares the terminal. The alternate screen comes first: what it saves is as we found it.
func (s *Screen) enter(dst []byte) []byte {
	dst = append(dst, ansi.SetMode(s.entering()...)...)
	dst = append(dst, ansi.ResetMode(s.suspended()...)...)
	s.entered, s.stale = true, true
	return dst
}

// entering are the modes set while a screen is in use.
func (s *Screen) entering() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.Alternate {
		modes = append(modes, ansi.ModeAltScreenSaveCursor)
	}
	if s.caps.Paste {
		modes = append(modes, ansi.ModeBracketedPaste)
	}
	return modes
}

// suspended are the modes, set in any terminal at first, that are not set while a screen is in use.
func (s *Screen) suspended() []ansi.Mode {
	var modes []ansi.Mode
	if s.caps.NoWrap {
		modes = append(modes, ansi.ModeAutoWrap)
	}
	if s.caps.Hide {
		modes = append(modes, ansi.ModeTextCursorEnable)
	}
	return modes
}

// Restore appends what puts the terminal back as it was before the first Draw. A second one appends nothing, and so
// does one before any Draw.
func (s *Screen) Restore(dst []byte) []byte {
	return s.leave(dst, ansi.CursorHomePosition+ansi.EraseScreenBelow)
}

// Leave is Restore, but that what is drawn stays where there is no alternate screen, with the cursor below it.
func (s *Screen) Leave(dst []byte) []byte {
	return s.leave(dst, ansi.CursorPosition(1, s.height+1))
}

// leave appends what puts the terminal back as it was, after last, which is written to the screen.
func (s *Screen) leave(dst []byte, last string) []byte {
	if !s.entered {
		return dst
	}
	if s.style != 0 {
		dst = append(dst, ansi.ResetStyle...)
	}
	dst = append(dst, last...)
	if s.mouse {
		dst = append(dst, ansi.ResetMode(ansi.ModeMouseNormal, ansi.ModeMouseExtSgr)...)
	}
	dst = append(dst, ansi.ResetMode(s.entering()...)...)
	dst = append(dst, ansi.SetMode(s.suspended()...)...)
	dst = s.putTitleBack(dst)
	*s = Screen{caps: s.caps, width: s.width, height: s.height, signals: s.signals}
	return dst
}
