package opening_test

import (
	"fmt"

	"notakto/rules/opening"
)

func Example() {
	seed := "a secret until the pair is over"
	fmt.Println(opening.Commitment(seed))
	for _, p := range opening.Draw(seed) {
		fmt.Println(p)
	}
	// Output:
	// 226c7472a0d9a9f6d919aba4a2b3dc3c5c697830f654cd1e4e67946f008c7355
	// .......X./........./.X.....X./.....X...
	// ...X...../........./.X.....X./......X..
}
