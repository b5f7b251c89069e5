package draw

import (
	"sync"

	"notakto/sshapp/render"
)

// Still runs paint, which draws a picture into area, and returns how many rows it took. If the page and area have sizes
// that Still has seen before, it copies the cells instead. The area must be blank.
//
// A theme has one picture: all calls must paint the same one, which depends on nothing but those sizes and the theme.
func (c *Canvas) Still(area Rect, paint func() (rows int)) (rows int) {
	key := stillKey{area.Width, area.Height, c.Size}
	if seen, ok := c.theme.stills.get(key); ok {
		c.grid.Paste(c.left+area.X, c.top+area.Y, seen.cells)
		return seen.rows
	}
	rows = paint()
	if cells := c.grid.Part(c.left+area.X, c.top+area.Y, area.Width, rows); cells != nil {
		c.theme.stills.put(key, still{cells, rows})
	}
	return rows
}

type stillKey struct {
	width, height int // of the area
	page          Size
}

type still struct {
	cells *render.Grid
	rows  int
}

// maxStills limits the memory of a theme to about 300 KB, since a client can have windows of thousands of sizes.
const maxStills = 32

// stills holds the pictures of a theme. The zero value is ready. Any goroutine may call the methods.
type stills struct {
	mu  sync.RWMutex
	all map[stillKey]still
}

func (s *stills) get(key stillKey) (still, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	seen, ok := s.all[key]
	return seen, ok
}

func (s *stills) put(key stillKey, made still) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil || len(s.all) == maxStills {
		s.all = make(map[stillKey]still)
	}
	s.all[key] = made
}
