package main

import "strings"

// meant proposes the name nearest to what was typed, or nothing when all are far away.
func meant(prefix, typed string, names []string) string {
	best, least := "", 1+max(1, len(typed)/2)
	for _, name := range names {
		d := distance(strings.ToLower(typed), name)
		if len(typed) > 1 && strings.HasPrefix(name, strings.ToLower(typed)) {
			d = 0
		}
		if d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + prefix + best + "?"
}

// distance is how many letters have to be put in, left out or changed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
