package render

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

const (
	csi = "\x1b["
	// fromReset opens an SGR sequence whose first parameter, left out, resets everything.
	fromReset = csi + ";"
)

// appendTransition appends the shortest sequence that takes a terminal from one style to another: what changes alone,
// or all of the new style after a reset. A terminal that cannot end single attributes (unset) gets the former only
// where nothing ends.
func appendTransition(dst []byte, from, to style, unset bool) []byte {
	switch {
	case from == to:
		return dst
	case to == style{}:
		return append(dst, ansi.ResetStyle...)
	case !from.ends(to):
		return appendChange(dst, csi, from, to)
	case !unset:
		return appendChange(dst, fromReset, style{}, to)
	}
	start := len(dst)
	dst = appendChange(dst, csi, from, to)
	middle := len(dst)
	if dst = appendChange(dst, fromReset, style{}, to); len(dst)-middle < middle-start {
		return dst[:start+copy(dst[start:], dst[middle:])]
	}
	return dst[:middle]
}

// ends reports whether something of s is not in to.
func (s style) ends(to style) bool {
	return s.attrs&^to.attrs != 0 || s.fg != 0 && to.fg == 0 || s.bg != 0 && to.bg == 0
}

// appendChange appends an SGR sequence of what differs; the styles do differ.
func appendChange(dst []byte, opening string, from, to style) []byte {
	dst = append(dst, opening...)
	if from.attrs != to.attrs {
		dst = appendAttrs(dst, from.attrs, to.attrs)
	}
	if from.fg != to.fg {
		dst = appendColor(dst, 30, to.fg)
	}
	if from.bg != to.bg {
		dst = appendColor(dst, 40, to.bg)
	}
	dst[len(dst)-1] = 'm'
	return dst
}

// appendAttrs ends what is no longer set, of which bold and faint end together, and sets what is missing.
func appendAttrs(dst []byte, from, to attrs) []byte {
	for _, group := range [...]struct {
		set attrs
		end int
	}{{bold | faint, 22}, {underline, 24}, {reverse, 27}} {
		if from&group.set&^to != 0 {
			dst = appendParam(dst, group.end)
			from &^= group.set
		}
	}
	for n, missing := 1, (to&^from)>>1; missing != 0; n, missing = n+1, missing>>1 {
		if missing&1 != 0 {
			dst = appendParam(dst, n)
		}
	}
	return dst
}

// appendColor appends a color's parameters: ground is 30 for the foreground and 40 for the background.
func appendColor(dst []byte, ground int, c rgb) []byte {
	n := int(c &^ kind)
	switch c & kind {
	case basic:
		if n >= 8 {
			return appendParam(dst, ground+60+n-8)
		}
		return appendParam(dst, ground+n)
	case indexed:
		return appendParam(appendParam(appendParam(dst, ground+8), 5), n)
	case direct:
		dst = appendParam(appendParam(dst, ground+8), 2)
		return appendParam(appendParam(appendParam(dst, n>>16), n>>8&0xff), n&0xff)
	}
	return appendParam(dst, ground+9)
}

// appendParam appends n and a separator, of which the last one gives way to the final byte.
func appendParam(dst []byte, n int) []byte {
	return append(strconv.AppendInt(dst, int64(n), 10), ';')
}
