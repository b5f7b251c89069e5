package picture

// stroke is a line in a cell: its start, from the cell's top left, and its course as an SVG path.
type stroke struct {
	x, y   float64
	path   string
	weight weight
}

type weight int

const (
	thin weight = iota
	heavy
	half // as high as half a cell
	full
	weights
)

func (w weight) width(bold bool) float64 {
	switch {
	case w == half:
		return 10
	case w == full:
		return 20
	case w == heavy && bold:
		return 3
	case w == heavy:
		return 2.4
	case bold:
		return 1.8
	default:
		return 1.2
	}
}

// strokesOf returns the lines of a character, or nil if it is a letter. They reach the cell's edges, where those of the
// next begin.
func strokesOf(character string) []stroke {
	switch character {
	case "─":
		return []stroke{{0, 10, "h9", thin}}
	case "│":
		return []stroke{{4.5, 0, "v20", thin}}
	case "┼":
		return []stroke{{0, 10, "h9", thin}, {4.5, 0, "v20", thin}}
	case "▀":
		return []stroke{{0, 5, "h9", half}}
	case "▄":
		return []stroke{{0, 15, "h9", half}}
	case "█":
		return []stroke{{0, 10, "h9", full}}
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
