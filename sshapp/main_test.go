package sshapp

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil { // those that run beside others wait, and hardly compute
		panic(err)
	}
	goleak.VerifyTestMain(m, endSoon()...)
}
