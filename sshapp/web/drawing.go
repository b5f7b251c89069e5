package web

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"strings"

	"notakto/rules"
	"notakto/rules/puzzle"
)

// paint is a color of a drawing, and the class of its shapes in an SVG.
type paint string

const (
	ink   paint = "ink"
	ash   paint = "ash"
	slate paint = "slate"
	ember paint = "ember"
	plum  paint = "plum"
)

// Sizes of a board, in dots.
const (
	cellSize  = 11
	boardSize = 3*cellSize + 2 // with the lines between the cells
	boardGap  = 7
	titleSize = 9 // height of a board's letter, with the space below
)

// dotSize is the size of a dot on the page, in pixels of CSS.
const dotSize = 3

// drawing is a picture of dots, as an SVG or a PNG.
type drawing struct {
	width, height int
	rects         map[paint][]image.Rectangle
}

func newDrawing(width, height int) *drawing {
	return &drawing{width, height, make(map[paint][]image.Rectangle)}
}

func (d *drawing) fill(p paint, x, y, width, height int) {
	d.rects[p] = append(d.rects[p], image.Rect(x, y, x+width, y+height))
}

// stamp draws a shape with its top left corner at x and y. Each dot of the shape is a square of size scale.
func (d *drawing) stamp(p paint, x, y, scale int, shape string) {
	for row, line := range strings.Split(shape, "\n") {
		for from := 0; from < len(line); from++ {
			to := from
			for to < len(line) && line[to] == '#' {
				to++
			}
			if to > from {
				d.fill(p, x+scale*from, y+scale*row, scale*(to-from), scale)
				from = to
			}
		}
	}
}

const cross = "##...##\n###.###\n.#####.\n..###..\n.#####.\n###.###\n##...##"

// write draws text with the characters of letter, each three dots wide and five high.
func (d *drawing) write(p paint, x, y, scale int, text string) {
	for _, character := range text {
		d.stamp(p, x, y, scale, letter(character))
		x += 4 * scale
	}
}

// letter returns the shape of a digit or of one of the letters A–E, I, L and Y. Other characters are blank.
func letter(character rune) string {
	const letters = "0123456789ABCDEILY"
	shapes := [...]string{ // five rows, each an octal digit for three dots
		"75557", "26227", "71747", "71317", "55711", "74717", "74757", "71122", "75757", "75717",
		"25755", "65656", "74447", "65556", "74647", "72227", "44447", "55222",
	}
	i := strings.IndexRune(letters, character)
	if i < 0 {
		return ""
	}
	var b strings.Builder
	for _, row := range shapes[i] {
		for dot := 4; dot > 0; dot /= 2 {
			b.WriteByte(".#"[min(1, int(row-'0')&dot)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// drawLogo draws the name of the game with its two O crossed out, 28 dots wide and 4 high.
func (d *drawing) drawLogo(x, y, scale int) {
	const crossedOut = "#.#\n.#.\n.#.\n#.#"
	for _, l := range [...]struct {
		shape string
		width int
		paint paint
	}{
		{"#..#\n##.#\n#.##\n#..#", 4, ink}, {crossedOut, 3, ember}, {"###\n.#.\n.#.\n.#.", 3, ink},
		{".##\n#.#\n###\n#.#", 3, ink}, {"#.#\n##.\n#.#\n#.#", 3, ink}, {"###\n.#.\n.#.\n.#.", 3, ink},
		{crossedOut, 3, ember},
	} {
		d.stamp(l.paint, x, y, scale, l.shape)
		x += scale * (l.width + 1)
	}
}

func logo() *drawing {
	d := newDrawing(28, 4)
	d.drawLogo(0, 0, 1)
	return d
}

// iconFile returns the icon of the page as an SVG with its own style.
func iconFile() []byte {
	d := newDrawing(9, 9)
	d.stamp(ember, 1, 1, 1, cross)
	return []byte(strings.Replace(string(d.svg("Notakto")), "<path", "<style>.ember{fill:#FF6B4A}</style><path", 1))
}

// boardsSize returns the size of the picture that drawBoards draws at scale 1.
func boardsSize(boards, columns int) (width, height int) {
	rows := (boards + columns - 1) / columns
	return columns*(boardSize+boardGap) - boardGap, rows*(titleSize+boardSize+boardGap) - boardGap
}

// drawBoards draws the boards of a position, columns in a row. Empty cells differ only in their digits, so that no cell
// shows whether its move wins.
func (d *drawing) drawBoards(position rules.Position, x0, y0, columns, scale int) {
	v := position.Variant()
	for board := range v.Boards() {
		x := x0 + scale*(board%columns)*(boardSize+boardGap)
		y := y0 + scale*(board/columns)*(titleSize+boardSize+boardGap)
		d.write(ash, x+scale*(boardSize-3)/2, y, scale, rules.BoardName(board))
		y += scale * titleSize
		for i := 1; i <= 2; i++ {
			line := scale * (i*(cellSize+1) - 1)
			d.fill(slate, x+line, y, scale, scale*boardSize)
			d.fill(slate, x, y+line, scale*boardSize, scale)
		}
		for cell := range v.Cells() {
			row, column := v.Place(cell)
			cx, cy := x+scale*column*(cellSize+1), y+scale*row*(cellSize+1)
			if position.At(board, cell) == rules.Empty {
				d.write(ash, cx+4*scale, cy+3*scale, scale, cell.String())
			} else {
				d.stamp(ink, cx+2*scale, cy+2*scale, scale, cross)
			}
		}
	}
}

// puzzleDrawing draws the position of a puzzle, with at most three boards in a row.
func puzzleDrawing(p puzzle.Puzzle) *drawing {
	boards := p.Position().Variant().Boards()
	columns := boards
	if boards > 3 {
		columns = (boards + 1) / 2
	}
	d := newDrawing(boardsSize(boards, columns))
	d.drawBoards(p.Position(), 0, 0, columns, 1)
	return d
}

// Size of the picture that other sites show with a link to the page.
const previewWidth, previewHeight = 1200, 630

// The space beside and below the boards of the preview, and the space above them for the logo and the day's number.
const previewMargin, previewTop = 60, 150

// previewLayout returns the corner of the boards in the preview, and the size of a dot.
func previewLayout(boards int) (x, y, scale int) {
	width, height := boardsSize(boards, boards)
	below := previewHeight - previewTop - previewMargin
	scale = min((previewWidth-2*previewMargin)/width, below/height)
	return (previewWidth - scale*width) / 2, previewTop + (below-scale*height)/2, scale
}

// preview draws the last puzzle of a day for other sites.
func preview(day int, p puzzle.Puzzle) *drawing {
	d := newDrawing(previewWidth, previewHeight)
	d.drawLogo(previewMargin, previewMargin, 12)
	title := "DAILY " + strconv.Itoa(day)
	d.write(plum, previewWidth-previewMargin-8*(4*len(title)-1), previewMargin+4, 8, title)
	boards := p.Position().Variant().Boards()
	x, y, scale := previewLayout(boards)
	d.drawBoards(p.Position(), x, y, boards, scale)
	return d
}

// svg returns the drawing with one path for each paint, which the page's style colors by its class.
func (d *drawing) svg(label string) markup {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" `+
		`aria-label="%s">`, d.width, d.height, dotSize*d.width, dotSize*d.height, html.EscapeString(label))
	for _, p := range [...]paint{slate, ash, ink, ember, plum} {
		if len(d.rects[p]) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<path class="%s" d="`, p)
		for _, r := range d.rects[p] {
			fmt.Fprintf(&b, "M%d %dh%dv%dh-%dz", r.Min.X, r.Min.Y, r.Dx(), r.Dy(), r.Dx())
		}
		b.WriteString(`"/>`)
	}
	b.WriteString("</svg>")
	return markup(b.String())
}

// png returns the drawing on a dark ground.
func (d *drawing) png() ([]byte, error) {
	paints := [...]paint{"", ink, ash, slate, ember, plum}
	palette := color.Palette{
		color.RGBA{0x14, 0x16, 0x1B, 0xFF}, color.RGBA{0xE8, 0xE4, 0xDA, 0xFF}, color.RGBA{0x8E, 0x93, 0x9C, 0xFF},
		color.RGBA{0x64, 0x6C, 0x78, 0xFF}, color.RGBA{0xFF, 0x6B, 0x4A, 0xFF}, color.RGBA{0xB7, 0x9C, 0xF0, 0xFF},
	}
	picture := image.NewPaletted(image.Rect(0, 0, d.width, d.height), palette)
	for i, p := range paints {
		for _, r := range d.rects[p] {
			draw.Draw(picture, r, image.NewUniform(palette[i]), image.Point{}, draw.Src)
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}
