package strategy

// word is a product of powers of the generators of Notakto's misère quotient,
//
//	Q = < a, b, c, d | a² = 1, b³ = b, b²c = c, c³ = ac², b²d = d, cd = ad, d² = c² >
//
// found by Thane Plambeck and Greg Whitehead ("The Secrets of Notakto: Winning at X-only Tic-Tac-Toe", arXiv
// 1301.1672). Every board has a value in it, and boards side by side have the product of their values.
type word struct{ a, b, c, d uint8 }

func (w word) times(v word) word {
	return word{w.a + v.a, w.b + v.b, w.c + v.c, w.d + v.d}.lowest()
}

// lowest returns the one word that stands for w's element of the quotient.
func (w word) lowest() word {
	for ; w.d >= 2; w.d -= 2 { // d² = c²
		w.c += 2
	}
	for ; w.c >= 1 && w.d >= 1; w.c-- { // cd = ad
		w.a++
	}
	for ; w.c >= 3; w.c-- { // c³ = ac²
		w.a++
	}
	for w.b >= 3 || w.b == 2 && w.c+w.d > 0 { // b³ = b, b²c = c, b²d = d
		w.b -= 2
	}
	w.a %= 2 // a² = 1
	return w
}

// lost reports whether a position of that value is lost for the side to move.
func (w word) lost() bool {
	switch w {
	case word{a: 1}, word{b: 2}, word{b: 1, c: 1}, word{c: 2}:
		return true
	default:
		return false
	}
}

// order is the number of elements of the quotient.
const order = 18

// element numbers an element of the quotient.
type element uint8

// one is the value of a dead board, and of no board at all.
const one element = 0

// words lists the elements of the quotient by their numbers: all products of the generators, beginning with the empty
// one.
func words() []word {
	found := []word{{}}
	known := map[word]bool{{}: true}
	for i := 0; i < len(found); i++ {
		for _, generator := range []word{{a: 1}, {b: 1}, {c: 1}, {d: 1}} {
			if w := found[i].times(generator); !known[w] {
				known[w] = true
				found = append(found, w)
			}
		}
	}
	return found
}
