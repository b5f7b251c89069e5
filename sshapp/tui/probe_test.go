package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"notakto/rules"
)

func TestProbe(t *testing.T) {
	for _, utf8 := range []bool{true, false} {
		th := NewTheme(Auto, colorprofile.TrueColor, utf8)
		for _, line := range []string{"X.X.XXX..", ".XX..XXX.", "XXX..X.X.", ".XX.X.XX.", ".X.XX..X.", "X.X.X...X"} {
			p, err := rules.ParsePosition(line + "/" + line)
			if err != nil {
				t.Log(err)
				continue
			}
			s := &sheet{}
			s.clear(150, 24, th)
			x := 0
			for _, size := range boardSizes() {
				s.boardTitle(x, 0, size, boardView{position: p, index: 0, here: true})
				s.board(x, 1, size, boardView{position: p, index: 0, cursor: 8, last: 7, here: true})
				x += size.width() + 2
			}
			fmt.Println(ansi.Strip(s.String()))
		}
		p, _ := rules.ParsePosition("O.X.XO...")
		s := &sheet{}
		s.clear(150, 24, th)
		x := 0
		for _, size := range boardSizes() {
			s.board(x, 1, size, boardView{position: p, index: 0, cursor: 8, last: 6, here: true, digits: phone})
			x += size.width() + 2
		}
		fmt.Println(ansi.Strip(s.String()))
	}
}
