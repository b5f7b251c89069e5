package main

// stroke is a line in a cell: where it begins, counted from the cell's top left, and how it goes on, as an SVG path has
// it.
type stroke struct {
	x, y   float64
	path   string
	weight weight
}

type weight int

const (
	thin weight = iota
	heavy
	weights
)

func (w weight) width(bold bool) float64 {
	width := 1.2
	if w == heavy {
		width = 2.4
	}
	if bold {
		width += 0.6
	}
	return width
}

// strokesOf are the lines that a character is made of, or nil if it is a letter. They reach the cell's edges, where
// those of the next begin.
func strokesOf(character string) []stroke {
	switch character {
	case "─":
		return []stroke{{0, 10, "h9", thin}}
	case "━":
		return []stroke{{0, 10, "h9", heavy}}
	case "│":
		return []stroke{{4.5, 0, "v20", thin}}
	case "┃":
		return []stroke{{4.5, 0, "v20", heavy}}
	case "┼":
		return []stroke{{0, 10, "h9", thin}, {4.5, 0, "v20", thin}}
	case "┿":
		return []stroke{{0, 10, "h9", heavy}, {4.5, 0, "v20", thin}}
	case "╂":
		return []stroke{{0, 10, "h9", thin}, {4.5, 0, "v20", heavy}}
	case "╲":
		return []stroke{{0, 0, "l9 20", thin}}
	case "╱":
		return []stroke{{0, 20, "l9-20", thin}}
	case "╳":
		return []stroke{{0, 0, "l9 20", thin}, {0, 20, "l9-20", thin}}
	default:
		return cornerOf(character)
	}
}

func cornerOf(character string) []stroke {
	switch character {
	case "┏":
		return []stroke{{4.5, 20, "v-10h4.5", heavy}}
	case "┓":
		return []stroke{{4.5, 20, "v-10h-4.5", heavy}}
	case "┗":
		return []stroke{{4.5, 0, "v10h4.5", heavy}}
	case "┛":
		return []stroke{{4.5, 0, "v10h-4.5", heavy}}
	case "╭":
		return []stroke{{4.5, 20, "v-5q0-5 4.5-5", thin}}
	case "╮":
		return []stroke{{4.5, 20, "v-5q0-5-4.5-5", thin}}
	case "╰":
		return []stroke{{4.5, 0, "v5q0 5 4.5 5", thin}}
	case "╯":
		return []stroke{{4.5, 0, "v5q0 5-4.5 5", thin}}
	default:
		return nil
	}
}
