package strategy

import (
	"errors"
	"fmt"
	"strings"
)

// ErrBadLevel says that no level has that name.
var ErrBadLevel = errors.New("no such level: it is random, student, centre, club or perfect")

// Level is a computer player. The zero value is none.
type Level uint8

// The levels, weakest first.
const (
	Random  Level = iota + 1 // any legal move
	Student                  // a fixed rule over board and cell order
	Center                   // the centre, then cells away from the opponent's last
	Club                     // perfect, but errs one move in four
	Perfect                  // never leaves a won game
)

var levelNames = [...]string{Random: "random", Student: "student", Center: "centre", Club: "club", Perfect: "perfect"}

// Levels lists all levels, weakest first.
func Levels() []Level { return []Level{Random, Student, Center, Club, Perfect} }

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
