package strategy

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadLevel says that no level has that name.
var ErrBadLevel = errors.New("no such level: it is novice, learner, steady, careful, sharp or perfect, " +
	"or one of the older levels random, student, centre and club")

// Level is a computer player. The zero value is none. Logs of matches hold the numbers up to [Perfect].
type Level uint8

// The older levels, and the rungs of the [Ladder] below the perfect player.
const (
	Random  Level = iota + 1 // any legal move
	Student                  // a fixed rule over board and cell order
	Center                   // the centre, then cells away from the opponent's last
	Club                     // perfect, but errs one move in four
	Perfect                  // never leaves a won game: the top of the ladder
	Novice
	Learner
	Steady
	Careful
	Sharp
)

var levelNames = [...]string{
	Random: "random", Student: "student", Center: "centre", Club: "club", Perfect: "perfect",
	Novice: "novice", Learner: "learner", Steady: "steady", Careful: "careful", Sharp: "sharp",
}

// Levels lists all levels: the [Ladder], then the older ones.
func Levels() []Level { return append(Ladder(), Random, Student, Center, Club) }

// String returns the level's name in the protocol; empty for none.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// ParseLevel reads a level's name, in either case of letters. The error is [ErrBadLevel].
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels() {
		if strings.ToLower(name) == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("%w (not %.40q)", ErrBadLevel, name)
}
