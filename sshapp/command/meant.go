package command

import "strings"

// mostEdits is how many slips a word may hold that still says what was meant.
const mostEdits = 2

// Meant proposes the name that was probably meant by what was typed, in words that go behind a refusal; nothing if none is near. The prefix
// stands before the name.
func Meant(prefix, typed string, names []string) string {
	if name := nearest(strings.ToLower(typed), names); name != "" {
		return "; did you mean " + prefix + name + "?"
	}
	return ""
}

// nearest is the name that a word begins, or else the one with the fewest edits, which are less than half of the word.
func nearest(word string, names []string) string {
	for _, name := range names {
		if word != "" && strings.HasPrefix(name, word) {
			return name
		}
	}
	for edits := 1; edits <= mostEdits && 2*edits < len(word); edits++ {
		for _, name := range names {
			if within(edits, word, name) {
				return name
			}
		}
	}
	return ""
}

// within reports whether so many edits make one word of the other: a letter put in, left out, replaced, or swapped with the next.
func within(edits int, one, other string) bool {
	for one != "" && other != "" && one[0] == other[0] {
		one, other = one[1:], other[1:]
	}
	switch left := edits - 1; {
	case one == other:
		return true
	case left < 0:
		return false
	case one == "":
		return within(left, one, other[1:])
	case other == "":
		return within(left, one[1:], other)
	case within(left, one[1:], other), within(left, one, other[1:]), within(left, one[1:], other[1:]):
		return true
	default:
		swapped := len(one) > 1 && len(other) > 1 && one[0] == other[1] && one[1] == other[0]
		return swapped && within(left, one[2:], other[2:])
	}
}
