package match

// origins counts the matches of all who come from one place, so that nobody gets round the limits by coming under many names. The
// register's lock guards it.
type origins struct {
	most    int
	of      func(PlayerID) string // where a player is; "" if that is unknown
	players map[string]map[PlayerID]struct{}
}

func newOrigins(most int, of func(PlayerID) string) origins {
	return origins{most: most, of: of, players: make(map[string]map[PlayerID]struct{})}
}

// full reports whether the players from where p is have all the seats that they may have; seats tells how many one of them has. If not, p
// counts among them from now on.
func (o origins) full(p PlayerID, seats func(PlayerID) int) bool {
	from := o.of(p)
	if from == "" {
		return false
	}
	taken := 0
	for other := range o.players[from] {
		n := seats(other)
		if taken += n; n == 0 && o.of(other) != from {
			delete(o.players[from], other)
		}
	}
	if len(o.players[from]) == 0 {
		delete(o.players, from)
	}
	if taken >= o.most {
		return true
	}
	if o.players[from] == nil {
		o.players[from] = make(map[PlayerID]struct{})
	}
	o.players[from][p] = struct{}{}
	return false
}
