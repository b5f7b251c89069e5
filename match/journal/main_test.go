package journal

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil { // the tests of clusters wait for elections, and hardly compute
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
