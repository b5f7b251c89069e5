package puzzle_test

import (
	"fmt"

	"notakto/rules/puzzle"
)

func Example() {
	puzzles, err := puzzle.Day(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range puzzles {
		fmt.Println(p, p.Difficulty())
	}

	p := puzzles[1]
	m, err := p.Position().Variant().ParseMove("A1")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := p.Check(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.IsRight(), answer.Clearest.Move)
	// Output:
	// XX...X... 247
	// ...X.X..X/.X.X.XX.. 364
	// .X.X..X../...X.X.XX/XX.X.X.../XX.X...X. 595
	// false A8
}
