package command

import "github.com/spf13/cobra"

// longestMeant is how much of a word is compared: no name is that long.
const longestMeant = 24

// Meant proposes the name nearest to what was typed, in words that go behind a refusal; nothing if nothing was typed. The prefix stands
// before the name.
func Meant(prefix, typed string, names []string) string {
	if typed == "" || len(names) == 0 {
		return ""
	}
	return "; did you mean " + prefix + nearest(typed[:min(len(typed), longestMeant)], names) + "?"
}

// nearest has cobra compare, allowing it one more difference at a time. There must be a name.
func nearest(typed string, names []string) string {
	tree := new(cobra.Command)
	for _, name := range names {
		tree.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for {
		tree.SuggestionsMinimumDistance++
		if near := tree.SuggestionsFor(typed); len(near) > 0 {
			return near[0]
		}
	}
}
