package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anmitsu/go-shlex"
	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/sshapp/cli"
)

var update = flag.Bool("update", false, "renew the files that are made from the table of settings")

func TestSettingsAreDescribed(t *testing.T) {
	const begin, end = "<!-- settings: made by go test ./cmd/notakto -update -->\n", "<!-- end of settings -->\n"
	path := filepath.Join("..", "..", "docs", "configuration.md")
	page, err := os.ReadFile(path)
	testkit.OK(t, err)
	head, rest, found := bytes.Cut(page, []byte(begin))
	_, tail, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		t.Fatalf("%s has no part between %q and %q", path, begin, end)
	}
	upToDate(t, path, string(head)+begin+settingsPage()+end+string(tail))
}

func settingsPage() string {
	var b strings.Builder
	group := ""
	eachSetting(newConfiguration().flags, func(f *pflag.Flag) {
		about := f.Annotations[settingKey]
		if about[0] != group {
			group = about[0]
			b.WriteString("\n### " + group +
				"\n\n| flag | variable | default | SIGHUP | meaning |\n|---|---|---|---|---|\n")
		}
		reload := ""
		if hasAnnotation(f, liveKey) {
			reload = "yes"
		}
		text := strings.TrimSpace(sentence(about[1]) + " " + about[2])
		b.WriteString("| " + strings.Join([]string{
			"`--" + f.Name + "`", "`" + variable(f.Name) + "`", "`" + shownDefault(f) + "`", reload, text,
		}, " | ") + " |\n")
	})
	return b.String() + "\n"
}

func upToDate(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		testkit.OK(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	testkit.OK(t, err)
	if string(got) != want {
		t.Errorf("%s is not what the table makes: run go test ./cmd/notakto -update, and read the diff", path)
	}
}

type pageCommand struct {
	page          string
	line          int
	program, rest string // rest is without a comment
}

func (c pageCommand) String() string { return strings.TrimSpace(c.program + " " + c.rest) }

// isSSH reports whether c is a command of ssh, and whether with a terminal.
func (c pageCommand) isSSH() (yes, terminal bool) {
	options, yes := strings.CutPrefix(c.program, "ssh ")
	return yes, strings.HasPrefix(options, "-t") || c.rest == ""
}

// pageCommands returns the commands of all pages, both on lines of their own and in sentences.
func pageCommands(t *testing.T) (all []pageCommand) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	testkit.OK(t, err)
	pages = append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md")
	const programs = `((?:\./)?notakto|curl|ssh (?:-[tT] )?-p 2222 (?:[a-z]+@)?localhost|ssh (?:-[tT] )?HOST)`
	line, inline := regexp.MustCompile(`^ {4,}(?:\$ )?`+programs+`(?: (.*))?$`),
		regexp.MustCompile("`"+programs+" ([^`]+)`")
	comment := regexp.MustCompile(`(^|\s+)#.*`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		testkit.OK(t, err)
		number := 0
		for typed := range strings.SplitSeq(strings.ReplaceAll(string(text), "\\\n", "\v"), "\n") {
			number++
			found := inline.FindAllStringSubmatch(typed, -1)
			if m := line.FindStringSubmatch(typed); m != nil {
				found = append(found, m)
			}
			for _, m := range found {
				rest := strings.NewReplacer("\v", " ", `\|`, "|").Replace(m[2])
				all = append(all, pageCommand{page, number, m[1],
					strings.TrimSpace(comment.ReplaceAllString(rest, ""))})
			}
			number += strings.Count(typed, "\v")
		}
	}
	if len(all) < 60 {
		t.Errorf("only %d commands are found", len(all))
	}
	return all
}

// isNotRun reports whether c stands for all commands, or needs several servers, PostgreSQL, or a match that waits for
// the player.
func (c pageCommand) isNotRun() bool {
	return c.begins("ssh HOST NAME", "ssh HOST admin drain --node NAME", "ssh HOST move MATCH") ||
		strings.Contains(c.rest, "postgres://")
}

func (c pageCommand) begins(with ...string) bool {
	return slices.ContainsFunc(with, func(begin string) bool { return strings.HasPrefix(c.String(), begin) })
}

// needsStop reports whether c works only while the server is stopped.
func (c pageCommand) needsStop() bool {
	return c.begins("notakto forget", "notakto check", "notakto rebuild", "notakto history", "notakto profile",
		"notakto ladder") || c.begins("notakto") && strings.Contains(c.rest, "--all")
}

// typed has the input of commands that ask. The input of other commands is empty.
var typed = map[string]string{
	"classic three": "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n",
	"me delete":     "carol\r",
}

// A command on a page succeeds, at a running server or, where a command needs that, at a stopped one.
func TestCommandsOfThePagesWork(t *testing.T) {
	t.Parallel()
	s := newPageServer(t)
	var later []pageCommand
	ran := 0
	for _, c := range pageCommands(t) {
		if c.isNotRun() {
			continue
		}
		ran++
		if c.serves() || c.needsStop() {
			later = append(later, c)
		} else {
			s.does(t, c)
		}
	}
	s.signal(t, syscall.SIGTERM)
	s.stopped(t, 5*time.Second)
	for _, c := range later {
		s.does(t, c)
	}
	if ran < 60 {
		t.Errorf("only %d commands are run", ran)
	}
}

func (c pageCommand) serves() bool {
	return strings.HasSuffix(c.program, "notakto") && (c.rest == "" || strings.HasPrefix(c.rest, "--")) &&
		c.rest != "--help" && c.rest != "--version"
}

// pageServer is a server for the commands of pages.
type pageServer struct {
	*server
	env     []string
	words   []string          // pairs of a word on the pages and its replacement here
	dirs    map[string]string // the working directory by page
	players int
	codes   func() string // opens a table and returns its code
}

func newPageServer(t *testing.T) *pageServer {
	t.Helper()
	files, data := t.TempDir(), shortDir(t)
	admins, config := filepath.Join(files, "admins"), filepath.Join(files, "config")
	testkit.OK(t, os.WriteFile(admins, ssh.MarshalAuthorizedKey(newSigner(t, 1).PublicKey()), 0o600))
	s := &pageServer{
		server: start(t, nil, "--listen=127.0.0.1:0", "--status-listen=127.0.0.1:0", "--data="+data,
			"--admin-keys="+admins, "--linger=100ms", "--drain=1s", "--notify-url=http://127.0.0.1:9"),
		env:  []string{"NOTAKTO_CONFIG=" + config},
		dirs: map[string]string{}, players: 10,
	}
	settings := "data = '" + data + "'\nstatus-listen = '" + s.statusAddress + "'\nlisten = '127.0.0.1:0'\nlog-format = " +
		"'json'\n"
	testkit.OK(t, os.WriteFile(config, []byte(settings), 0o600))
	bob := logIn(t, s.server, "bob", 2)
	over := bob.resigns(t)
	logIn(t, s.server, "mallory", 3).says(t, "name mallory")
	logIn(t, s.server, "gus", 4).says(t, "name gus")
	banned, complaint, _ := run(t, s.env, "admin", "ban", "add", "198.51.100.7", "--for", "1h", "--json")
	var ban struct{ Reference string }
	if err := json.Unmarshal([]byte(banned), &ban); err != nil {
		t.Fatalf("%s%s: %v", banned, complaint, err)
	}
	bot, _, _ := bob.playComputer(t) // a match to watch
	s.codes = func() string {
		t.Helper()
		bot.say(t, `{"do":"create","variant":"notakto/1"}`+"\n")
		return bot.event(t, "table").Code
	}
	s.words = []string{
		"analyse …", "analyse notakto/1: 5", "classic …", "classic three", "NAME --data DIR", "bob --data " + data,
		"B17", ban.Reference, "c6zl3rq7s7", over, " MATCH", " " + over, " ID", " " + over,
		"DATA", data, "NEW", filepath.Join(files, "new"), "DIR", filepath.Join(files, "dir"),
		"DRILL", filepath.Join(files, "drill"), "NETWORK", "192.0.2.0/24", "~", files,
		":2222", "127.0.0.1:0", "127.0.0.1:9464", s.statusAddress,
		"COMMAND", "status", "[FILE]", "FILE",
	}
	return s
}

// does runs a command as its page shows it and expects success.
func (s *pageServer) does(t *testing.T, c pageCommand) {
	t.Helper()
	if s.dirs[c.page] == "" {
		s.dirs[c.page] = t.TempDir()
		for _, name := range [...]string{"FILE", "all.jsonl"} { // the settings, and an export
			testkit.OK(t, os.WriteFile(filepath.Join(s.dirs[c.page], name), nil, 0o600))
		}
	}
	line := strings.NewReplacer(s.words...).Replace(c.rest)
	if strings.Contains(line, "join CODE") {
		line = strings.ReplaceAll(line, "CODE", s.codes())
	}
	line, _, _ = strings.Cut(line, " | ")
	in := []byte(typed[line])
	to := ""
	files := regexp.MustCompile(` *([<>]) ?(\S+)`)
	for _, m := range files.FindAllStringSubmatch(line, -1) {
		path := filepath.Join(s.dirs[c.page], m[2])
		if m[1] == ">" {
			to = path
			continue
		}
		text, err := os.ReadFile(path)
		testkit.OK(t, err)
		in = text
	}
	words, err := shlex.Split(files.ReplaceAllString(line, ""), true)
	testkit.OK(t, err)
	var out, complaint bytes.Buffer
	switch isSSH, terminal := c.isSSH(); {
	case c.program == "curl":
		if code, _ := asks(t, http.MethodGet, words[len(words)-1]); code != http.StatusOK {
			err = fmt.Errorf("it is answered by %d", code)
		}
	case isSSH:
		err = s.ssh(t, words, terminal, in, &out, &complaint)
	case c.serves():
		cmd := program(t, s.env, words...)
		cmd.Dir = s.dirs[c.page]
		started := begin(t, cmd)
		started.line(t, "ready")
		started.signal(t, syscall.SIGTERM)
		started.stopped(t, 5*time.Second)
	default:
		cmd := program(t, s.env, words...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.dirs[c.page], bytes.NewReader(in), &out, &complaint
		err = cmd.Run()
	}
	if err != nil {
		t.Errorf("%s:%d: %s: %v: %s", c.page, c.line, c, err, out.String()+complaint.String())
	}
	if to == "" {
		return
	}
	testkit.OK(t, errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, out.Bytes(), 0o600)))
}

// ssh runs a command as a new player, or as an administrator.
func (s *pageServer) ssh(t *testing.T, words []string, terminal bool, in []byte, out, complaint io.Writer) error {
	t.Helper()
	key := 1
	if len(words) == 0 || words[0] != "admin" {
		s.players++
		key = s.players
	}
	client := logIn(t, s.server, "carol", key)
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		return err
	}
	if terminal {
		if err := session.RequestPty("xterm-256color", 24, 80, nil); err != nil {
			return err
		}
	}
	session.Stdin, session.Stdout, session.Stderr = bytes.NewReader(in), out, complaint
	if len(words) > 0 {
		return session.Run(strings.Join(words, " "))
	}
	if err := session.Shell(); err != nil {
		return err
	}
	return session.Wait()
}

// Flags and variables in the files for operators exist in the program.
func TestDeploymentsNameSettingsThatExist(t *testing.T) {
	c := newConfiguration()
	known := map[string]bool{}
	for _, name := range c.names() {
		known["--"+name], known[variable(name)] = true, true
	}
	named := regexp.MustCompile(`(?m)(?:^\s*- |serve )(--[a-z-]+)|\b(NOTAKTO_[A-Z][A-Z_]*)\b`)
	files := []string{"../../Dockerfile"}
	err := filepath.WalkDir("../../deploy", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".json" {
			files = append(files, path)
		}
		return err
	})
	testkit.OK(t, err)
	found := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		testkit.OK(t, err)
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if name := match[1] + match[2]; !known[name] {
				t.Errorf("%s names %s, which is no setting", path, name)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d settings are found", found)
	}
}

// A server can start with the settings of deploy/kubernetes. The only fault here is a missing file.
func TestTheServerInKubernetesHasItsSettings(t *testing.T) {
	text, err := os.ReadFile("../../deploy/kubernetes/deployment.yaml")
	testkit.OK(t, err)
	files, args := t.TempDir(), []string{}
	for _, match := range regexp.MustCompile(`(?m)^        - (--\S+)$`).FindAllStringSubmatch(string(text), -1) {
		arg := match[1]
		if _, path, ok := strings.Cut(arg, "=/secrets/"); ok {
			path = filepath.Join(files, filepath.Base(path))
			testkit.OK(t, os.WriteFile(path, []byte("a secret of more than sixteen characters"), 0o600))
			arg = arg[:strings.Index(arg, "=")+1] + path
		}
		args = append(args, arg)
	}
	_, stderr, status := run(t, nil, append([]string{"config", "--check"}, args...)...)
	testkit.Equal(t, status, cli.ExitOK, args, stderr)
}
