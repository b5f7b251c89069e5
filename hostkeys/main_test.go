package hostkeys

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// startIn names the directory in which a copy of this test binary acts as a starting server.
const startIn = "HOSTKEYS_START_IN"

func TestMain(m *testing.M) {
	dir, ok := os.LookupEnv(startIn)
	if !ok {
		os.Exit(m.Run())
	}
	fmt.Println("here")
	_, _ = io.Copy(io.Discard, os.Stdin) // the end of input starts all copies at once
	signer, err := Load(dir)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(Fingerprint(signer))
}
