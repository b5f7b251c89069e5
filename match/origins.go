package match

// origins counts the seats by where their players are, or were when they took them, so that nobody gets round the limits by coming under many
// names, and nobody who plays on elsewhere keeps a place full that others are at. The register's lock guards it.
type origins struct {
	most  int
	of    func(PlayerID) string // where a player is; "" if that is unknown
	from  map[claim]string
	taken map[string]map[claim]struct{}
}

// claim is a seat that somebody has, or is about to take.
type claim struct {
	player PlayerID
	match  ID
}

func newOrigins(most int, of func(PlayerID) string) origins {
	return origins{most: most, of: of, from: make(map[claim]string), taken: make(map[string]map[claim]struct{})}
}

// full reports whether all seats are taken that may be from where p is.
func (o origins) full(p PlayerID) bool {
	from := o.of(p)
	if from == "" || len(o.taken[from]) < o.most {
		return false
	}
	for c := range o.taken[from] {
		if now := o.of(c.player); now != "" && now != from {
			o.give(c)
			o.take(c)
		}
	}
	return len(o.taken[from]) >= o.most
}

// take counts a seat.
func (o origins) take(c claim) {
	from := o.of(c.player)
	if _, taken := o.from[c]; taken || from == "" {
		return
	}
	if o.taken[from] == nil {
		o.taken[from] = make(map[claim]struct{})
	}
	o.from[c], o.taken[from][c] = from, struct{}{}
}

// give counts a seat out.
func (o origins) give(c claim) {
	from, taken := o.from[c]
	if !taken {
		return
	}
	delete(o.from, c)
	if delete(o.taken[from], c); len(o.taken[from]) == 0 {
		delete(o.taken, from)
	}
}
