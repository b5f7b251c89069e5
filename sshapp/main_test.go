package sshapp

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "12"); err != nil { // parallel tests mostly wait
		panic(err)
	}
	goleak.VerifyTestMain(m, endSoon()...)
}
