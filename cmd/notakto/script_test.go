package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"notakto/match/store"
)

// TestScripts runs the scripts of testdata/script: what an operator types, and what the program answers. Each runs in
// an empty directory. Beside the commands of testscript they have:
//
//	server start FLAG…            start a server on a free port
//	server stop                   send SIGTERM, and wait until the server has stopped
//	server kill                   kill the server
//	ssh NAME COMMAND… <FILE       run a command as the player with the key of this name, and type the lines of FILE;
//	                              its status does not count
//	resign NAME                   as this player begin a match against the computer and resign; MATCH is its name
//	refused STATUS TEXT ARG…      the program must exit with STATUS, and print one line with TEXT on standard error
func TestScripts(t *testing.T) {
	testscript.RunT(scriptTest{t}, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(binary)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("GO_VERSION", runtime.Version())
			e.Setenv("SCHEMA", strconv.Itoa(store.Schema))
			e.Setenv("GORACE", "atexit_sleep_ms=10")
			e.Values[scriptKey{}] = &script{T: e.T().(scriptTest).T}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"server": must(serverCommand), "ssh": must(sshCommand), "resign": must(resignCommand),
			"refused": must(refusedCommand),
		},
	})
}

// must makes a script command of run. A ! before the command fails the script.
func must(run func(*testscript.TestScript, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("this command has no form with !")
		}
		run(ts, args)
	}
}

// scriptTest is a test that testscript can divide.
type scriptTest struct{ *testing.T }

func (t scriptTest) Run(name string, run func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { run(scriptTest{t}) })
}

func (scriptTest) Verbose() bool { return testing.Verbose() }

type scriptKey struct{}

// script is a script that runs, and its server.
type script struct {
	*testing.T
	server *server
}

func scriptOf(ts *testscript.TestScript) *script { return ts.Value(scriptKey{}).(*script) }

func serverCommand(ts *testscript.TestScript, args []string) {
	s := scriptOf(ts)
	switch args[0] {
	case "start":
		s.server = start(s.T, []string{"HOME=" + ts.Getenv("WORK")},
			append([]string{"--listen=127.0.0.1:0", "--linger=100ms", "--drain=1s"}, args[1:]...)...)
		ts.Setenv("FINGERPRINT", s.server.fingerprint)
		ts.Setenv("STATUS", s.server.statusAddress)
	case "stop":
		s.server.signal(s.T, syscall.SIGTERM)
		s.server.stopped(s.T, 5*time.Second)
		_, err := fmt.Fprintln(ts.Stderr(), s.server.said())
		ts.Check(err)
	case "kill":
		ts.Check(s.server.process.Stop(syscall.SIGKILL))
	default:
		ts.Fatalf("server start, stop or kill")
	}
}

// player returns the player with the key of a name. Names with the same first letter have one key.
func (s *script) player(name string) *visitor {
	s.Helper()
	return logIn(s.T, s.server, name, int(name[0]))
}

func sshCommand(ts *testscript.TestScript, args []string) {
	s := scriptOf(ts)
	last, lines := len(args)-1, ""
	if file, isRead := strings.CutPrefix(args[last], "<"); isRead {
		args, lines = args[:last], ts.ReadFile(file)
	}
	_, err := fmt.Fprint(ts.Stdout(), s.player(args[0]).types(s.T, strings.Join(args[1:], " "), lines))
	ts.Check(err)
}

func resignCommand(ts *testscript.TestScript, args []string) {
	s := scriptOf(ts)
	ts.Setenv("MATCH", s.player(args[0]).resigns(s.T))
}

func refusedCommand(ts *testscript.TestScript, args []string) {
	err := ts.Exec(binary, args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("it ends with %v, want status %s", err, args[0])
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if stdout != "" {
		ts.Fatalf("it prints %q", stdout)
	}
	if !strings.HasPrefix(stderr, "notakto: ") || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
		ts.Fatalf("it complains %q, want one line that starts with notakto:", stderr)
	}
	plain(scriptOf(ts).T, stderr)
	if !strings.Contains(stderr, args[1]) {
		ts.Fatalf("it complains %q, without %q", stderr, args[1])
	}
}
