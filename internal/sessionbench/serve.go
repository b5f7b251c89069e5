package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"

	"golang.org/x/crypto/ssh"
)

// serverVariable names the server that a process started by the benchmark runs.
const serverVariable = "NOTAKTO_SESSIONBENCH_SERVER"

// Vitals is what a server process reports about itself, one JSON object per line.
type Vitals struct {
	Address    string `json:",omitempty"`
	Goroutines int
	Heap       int64 // bytes in use
	Stacks     int64 // bytes in use
	Matches    int
	Fault      string `json:",omitempty"` // why the last command failed
}

// served is a server under test. Its serve returns when the listener fails.
type served struct {
	serve   func(net.Listener) error
	matches func() int // in progress; nil if the server has none
}

func newServer(name string) (served, error) {
	key, err := newSigner()
	if err != nil {
		return served{}, err
	}
	switch name {
	case "notakto":
		return newNotakto(key)
	case "echo":
		return newEcho(key), nil
	case "stock":
		return newStock(key)
	}
	return served{}, fmt.Errorf("%w: there is no server %q", errBadOption, name)
}

func newSigner() (ssh.Signer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return ssh.NewSignerFromKey(key)
}

// serve runs a server process: it listens, reports its address, executes the commands on in and ends when in does, so
// that no server outlives its benchmark.
func serve(name string, in io.Reader, out io.Writer) int {
	err := serveUntilEnd(name, in, out)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sessionbench %s: %v\n", name, err)
		return 1
	}
	return 0
}

func serveUntilEnd(name string, in io.Reader, out io.Writer) error {
	if _, err := raiseFileLimit(); err != nil {
		return err
	}
	s, err := newServer(name)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- s.serve(listener) }()
	obeyed := make(chan error, 1)
	go func() { obeyed <- s.handle(listener.Addr().String(), in, out) }()
	select {
	case err = <-failed:
	case err = <-obeyed:
	}
	return err
}

func (s served) handle(address string, in io.Reader, out io.Writer) error {
	answers := json.NewEncoder(out)
	if err := answers.Encode(Vitals{Address: address}); err != nil {
		return err
	}
	commands := bufio.NewScanner(in)
	for commands.Scan() {
		err := do(commands.Text())
		v := s.vitals()
		if err != nil {
			v.Fault = err.Error()
		}
		if err := answers.Encode(v); err != nil {
			return err
		}
	}
	return commands.Err()
}

func (s served) vitals() Vitals {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	v := Vitals{Goroutines: runtime.NumGoroutine(), Heap: int64(m.HeapInuse), Stacks: int64(m.StackInuse)}
	if s.matches != nil {
		v.Matches = s.matches()
	}
	return v
}

// do executes one command: tell, collect, cpu FILE, cpu (which ends it) and heap FILE.
func do(command string) error {
	verb, file, named := strings.Cut(command, " ")
	switch {
	case verb == "tell":
	case verb == "collect":
		for range 5 {
			runtime.GC() // stacks shrink by half in each collection, at most
		}
		debug.FreeOSMemory()
	case verb == "cpu" && !named:
		pprof.StopCPUProfile()
	case verb == "cpu" || verb == "heap":
		return profile(verb, file)
	}
	return nil
}

func profile(verb, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if verb == "cpu" {
		return pprof.StartCPUProfile(file)
	}
	return pprof.WriteHeapProfile(file)
}
