package main

import (
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"syscall"
)

// place is a network for programs and connections: this process's, or a new namespace with only a loopback interface.
// One operating system thread belongs to it; everything in the network starts on that thread.
type place struct{ work chan func() }

// newPlace creates a new namespace if own is set, which needs root and the program ip. It lasts as long as this
// process.
func newPlace(own bool) (*place, error) {
	p := &place{work: make(chan func())}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		if own {
			if err := leaveNetwork(); err != nil {
				begun <- err
				return
			}
		}
		begun <- nil
		for do := range p.work {
			do()
		}
	}()
	return p, <-begun
}

func leaveNetwork() error {
	if err := syscall.Unshare(syscall.CLONE_NEWNET); err != nil {
		return fmt.Errorf("make a network namespace: %w", err)
	}
	if out, err := exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("bring its loopback interface up: %w: %s", err, out)
	}
	return nil
}

func (p *place) do(f func()) {
	done := make(chan struct{})
	p.work <- func() { defer close(done); f() }
	<-done
}

// start runs a program, which ends with this process.
func (p *place) start(cmd *exec.Cmd) (err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.do(func() { err = cmd.Start() })
	return err
}

func (p *place) dial(port int) (conn net.Conn, err error) {
	p.do(func() { conn, err = net.DialTCP("tcp4", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}) })
	return conn, err
}

func (p *place) listen(port int) (l net.Listener, err error) {
	p.do(func() { l, err = net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}) })
	return l, err
}
