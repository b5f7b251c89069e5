package sshapp

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// maxGoroutines limits the goroutines of a session in the lobby. A bare echo on x/crypto/ssh has seven. A goroutine
// costs a stack, and a thousand sessions wait in all of theirs.
const maxGoroutines = 8

func TestASessionInTheLobbyHasFewGoroutines(t *testing.T) {
	const sessions = 4
	h := startServer(t)
	for i := range sessions {
		p := h.sit("alice", newKey(t, byte(i+1)))
		p.press("j") // the key reader and the program run by then
		p.sees("Play someone")
	}
	var left []string
	defer func() {
		if t.Failed() {
			t.Logf("the goroutines are\n%s", strings.Join(left, "\n\n"))
		}
	}()
	eventually(t, fmt.Sprintf("%d goroutines a session", maxGoroutines), func() bool { // Bubble Tea starts some that end
		left = connectionGoroutines()
		return len(left) <= sessions*maxGoroutines
	})
	if least := sessions * 6; len(left) < least {
		t.Errorf("only %d goroutines of %d sessions are found", len(left), sessions)
	}
}

var goroutineID = regexp.MustCompile(`^goroutine (\d+) |in goroutine (\d+)\n`)

// connectionGoroutines returns the stacks of the goroutines that serve connections, and of their children.
func connectionGoroutines() []string {
	text := make([]byte, 8<<20)
	stacks := strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n")
	serving := map[string]bool{}
	var found []string
	for more := true; more; {
		more = false
		for _, stack := range stacks {
			var id, parent string
			for _, match := range goroutineID.FindAllStringSubmatch(stack, -1) {
				id, parent = id+match[1], parent+match[2]
			}
			if !serving[id] && (serving[parent] || strings.Contains(stack, "ssh.(*Server).HandleConn(")) {
				serving[id], more = true, true
				found = append(found, stack)
			}
		}
	}
	return found
}
