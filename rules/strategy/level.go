// Package strategy holds the computer players and the theory of Notakto that the best of them plays by.
package strategy

// Level is a computer player. The zero value is none.
type Level uint8

// The levels, weakest first.
const (
	Random  Level = iota + 1 // any legal move
	Student                  // a fixed rule over board and cell order
	Centre                   // the centre, then cells away from the opponent's last
	Club                     // perfect, but errs one move in four
	Perfect                  // never leaves a won game
)

var levelNames = [...]string{Random: "random", Student: "student", Centre: "centre", Club: "club", Perfect: "perfect"}

// String is the level's name in the protocol.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}
