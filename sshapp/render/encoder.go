package render

import (
	"slices"
	"sync"
)

// encoder is what painting needs for the moment and a [Screen] does not keep. Styles and clusters are interned: cells
// hold their index.
type encoder struct {
	out           []byte
	caps          Caps
	width, height int

	at       cursor
	style    uint16   // the terminal's style
	styles   []style  // 0 is the default
	blank    []uint16 // for each style the one a space has instead
	changes  [32]change
	clusters []string

	prev, next []string // lines of the two frames
	layouts    []layout // what is known of each row

	before, after []cell // rows that have changed, one after the other: as they are, and as they are to be
	runs          []run  // what to write of them
	run
}

// run is a part of a row in which cells change. Its indices are those of before and after.
type run struct {
	row      int
	origin   int // add it to an index for the column
	from, to int // what changes lies between
	start    int // of the row
	end      int
	text     int    // from there to the end there are but empty cells
	redo     int    // up to there cells are written even if they do not change
	goal     target // where it begins
}

// encoders keeps the buffers of painters that are not painting.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// maxKeptCells is the number of cells above which a painter's buffers are not kept.
const maxKeptCells = 1 << 15

func newEncoder(s *Screen, dst []byte) *encoder {
	p := encoders.Get().(*encoder) //nolint:forcetypeassert // the pool holds nothing else
	p.out, p.caps, p.width, p.height = dst, s.caps, s.width, s.height
	p.styles, p.blank = append(p.styles[:0], style{}), append(p.blank[:0], 0)
	p.at, p.style = s.at, p.intern(s.style)
	return p
}

// release gives the buffers back, without holding on to any text.
func (p *encoder) release() {
	clear(p.prev)
	clear(p.next)
	clear(p.clusters)
	clear(p.changes[:])
	p.out, p.prev, p.next, p.clusters = nil, p.prev[:0], p.next[:0], p.clusters[:0]
	p.layouts, p.before, p.after, p.runs = p.layouts[:0], p.before[:0], p.after[:0], p.runs[:0]
	if cap(p.before)+cap(p.after) <= maxKeptCells {
		encoders.Put(p)
	}
}

// intern is the index of a style.
func (p *encoder) intern(s style) uint16 {
	for i, known := range slices.Backward(p.styles) {
		if known == s {
			return uint16(i) //nolint:gosec // bounded below
		}
	}
	if len(p.styles) == 1<<16-1 {
		return 0
	}
	index := uint16(len(p.styles)) //nolint:gosec // bounded above
	p.styles, p.blank = append(p.styles, s), append(p.blank, index)
	if b := s.blank(); b != s {
		blank := p.intern(b)
		p.blank[index] = blank
	}
	return index
}

// change remembers what an SGR sequence made of a style.
type change struct {
	params   string
	from, to uint16
}

// apply is the style that an SGR sequence with these parameters makes of another.
func (p *encoder) apply(from uint16, params string) uint16 {
	if params == "0" {
		return 0
	}
	slot := &p.changes[(uint(from)*7+uint(len(params))*5+uint(params[len(params)/2])*3+uint(params[len(params)-1]))%uint(len(p.changes))]
	if slot.from != from || slot.params != params {
		s := p.styles[from]
		s.apply(params)
		*slot = change{params: params, from: from, to: p.intern(s)}
	}
	return slot.to
}

// cluster is the index of a cluster's text.
func (p *encoder) cluster(text string) uint32 {
	i := slices.Index(p.clusters, text)
	if i < 0 {
		i = len(p.clusters)
		p.clusters = append(p.clusters, text)
	}
	return uint32(i) //nolint:gosec // no more than there are cells
}
