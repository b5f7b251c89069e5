package strategy

// pattern is the crosses on a board as [rules.Position.Crosses] has them: three octal digits, of which the last is the
// top row.
type pattern = uint16

const patterns = 512

// class is the live patterns of one value, one of each set of rotations and mirror images.
type class struct {
	value    word
	patterns []pattern
}

// classes lists the 46 live patterns there are up to symmetry. Every other pattern is dead.
func classes() []class {
	return []class{
		{word{}, []pattern{0o001, 0o002, 0o142}},
		{word{a: 1}, []pattern{
			0o012, 0o015, 0o025, 0o033, 0o034, 0o050, 0o053, 0o104, 0o141, 0o146, 0o154, 0o163, 0o252, 0o255, 0o345,
			0o356, 0o505,
		}},
		{word{b: 1}, []pattern{
			0o005, 0o013, 0o014, 0o021, 0o022, 0o035, 0o036, 0o052, 0o055, 0o143, 0o145, 0o156, 0o161, 0o162, 0o253,
		}},
		{word{a: 1, b: 1}, []pattern{0o023, 0o032, 0o105, 0o116, 0o152}},
		{word{c: 1}, []pattern{0o000}},
		{word{c: 2}, []pattern{0o020}},
		{word{d: 1}, []pattern{0o003}},
		{word{a: 1, d: 1}, []pattern{0o016, 0o051, 0o106}},
	}
}

// images returns the eight rotations and mirror images of a pattern, itself among them; some may be equal.
func images(p pattern) [8]pattern {
	var all [8]pattern
	for i := range all {
		all[i] = p
		p = turned(p)
		if i == 3 {
			p = mirrored(p)
		}
	}
	return all
}

// turned returns the pattern after a quarter turn.
func turned(p pattern) pattern {
	var q pattern
	for row := range 3 {
		for column := range 3 {
			if p>>(3*row+column)&1 == 1 {
				q |= 1 << (3*column + 2 - row)
			}
		}
	}
	return q
}

// mirrored returns the pattern with its top and bottom rows exchanged.
func mirrored(p pattern) pattern { return p&0o070 | p>>6 | p<<6&0o700 }
