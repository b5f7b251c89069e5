package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

var errServer = errors.New("server process")

// process is a server under test in a separate process, so that its memory and CPU can be measured.
type process struct {
	cmd      *exec.Cmd
	commands io.WriteCloser
	answers  *json.Decoder
	address  string
}

// start runs this program again as the server called name. The process ends with ctx, on stop, or when this process
// does.
func start(ctx context.Context, name string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), serverVariable+"="+name)
	cmd.Stderr = os.Stderr
	commands, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, commands: commands, answers: json.NewDecoder(bufio.NewReader(out))}
	first, err := p.answer()
	if err != nil {
		p.stop()
		return nil, err
	}
	p.address = first.Address
	return p, nil
}

// ask makes the server execute a command of [do].
func (p *process) ask(command string) (Vitals, error) {
	if _, err := fmt.Fprintln(p.commands, command); err != nil {
		return Vitals{}, fmt.Errorf("%w: %w", errServer, err)
	}
	return p.answer()
}

func (p *process) answer() (Vitals, error) {
	var v Vitals
	if err := p.answers.Decode(&v); err != nil {
		return v, fmt.Errorf("%w ended or said nothing: %w", errServer, err)
	}
	if v.Fault != "" {
		return v, fmt.Errorf("%w: %s", errServer, v.Fault)
	}
	return v, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// stop kills the server and waits for its end.
func (p *process) stop() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
