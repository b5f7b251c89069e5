package bot

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"notakto/match"
)

// doorEnv is where a process that was started as `ssh` finds the door.
const doorEnv = "NOTAKTO_TEST_DOOR"

// pageBot is the bot that docs/bot.md shows.
func pageBot(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/bot.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatal("the page shows no bot")
	}
	return string(found[1])
}

// The bot of the page plays its match as it stands there. Its `ssh` is this test, which carries the lines to a door; sshapp runs it with
// the real one.
func TestTheBotOfThePage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	code := pageBot(t)
	if lines := strings.Count(code, "\n"); lines > 30 {
		t.Errorf("the bot of thirty lines has %d", lines)
	}
	dir := t.TempDir()
	script, self := filepath.Join(dir, "bot.py"), mustSelf(t)
	if err := os.WriteFile(script, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "ssh")); err != nil {
		t.Fatal(err)
	}
	manager := match.NewManager(match.Config{Seed: 3})
	defer manager.Close()
	served := make(chan error, 1)
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = door.Close() }()
	go func() { served <- serveOne(t, door, manager) }()

	cmd := exec.CommandContext(t.Context(), python, script, "-p", "2222", "localhost")
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), doorEnv+"="+door.Addr().String())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || !regexp.MustCompile(`^(won|lost) by boards\r?\n$`).Match(out) {
		t.Errorf("the bot says %q, and ends with %v\n%s", out, err, errs.String())
	}
	_ = door.Close()
	if err := <-served; err != nil {
		t.Errorf("its session ended with %v", err)
	}
}

func mustSelf(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

func serveOne(t *testing.T, door net.Listener, m *match.Manager) error {
	conn, err := door.Accept()
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	return Serve(t.Context(), Door{Player: guy(), Manager: m, In: conn, Out: conn})
}

// carry is what the process does that was started as `ssh`: it checks what it was told and takes lines to the door and back.
func carry(args []string) (status int) {
	if strings.Join(args, " ") != "-T -p 2222 localhost bot" {
		return 2
	}
	conn, err := net.Dial("tcp", os.Getenv(doorEnv))
	if err != nil {
		return 255
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(os.Stdout, conn)
	return 0
}
