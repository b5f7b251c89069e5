package command

import "github.com/spf13/cobra"

const (
	// longestMeant is how much of a word is compared: no name is that long.
	longestMeant = 24
	// mostSlips is how many letters may be wrong, in a word that has twice as many.
	mostSlips = 2
)

// Meant proposes the name that was probably meant by what was typed, in words that go behind a refusal; nothing if none is near. The prefix
// stands before the name.
func Meant(prefix, typed string, names []string) string {
	if near := nearest(typed[:min(len(typed), longestMeant)], names); near != "" {
		return "; did you mean " + prefix + near + "?"
	}
	return ""
}

// nearest has cobra compare: first it allows one slip, then more.
func nearest(typed string, names []string) string {
	tree := new(cobra.Command)
	for _, name := range names {
		tree.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for slips := 1; typed != "" && slips <= max(1, min(mostSlips, len(typed)/2)); slips++ {
		tree.SuggestionsMinimumDistance = slips
		if near := tree.SuggestionsFor(typed); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}
