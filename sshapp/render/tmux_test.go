//go:build e2e

package render

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"notakto/internal/testkit"
)

// tmux is a real terminal, is in wide use, and has its own widths. An earlier version repeated box-drawing
// characters with REP, as the standard allows, and tmux left them out.
func TestTmuxShowsTheFrame(t *testing.T) {
	m := newMux(t)
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // a test
		s := NewScreen(FromTerm("tmux-256color"), muxWidth, muxHeight)
		p := newPage(rng, s.caps)
		var drawn []byte
		var text string
		for range 20 {
			p.edit()
			text = p.content()
			drawn = s.Draw(drawn, contentIn(text, muxWidth-3, muxHeight))
		}
		got, want := m.show(t, drawn), m.show(t, []byte(placeClusters(s, text)))
		testkit.Equal(t, got, want)
	}
}

const muxWidth, muxHeight = 60, 16

// mux is a tmux server of the test.
type mux struct{ dir string }

func newMux(t *testing.T) *mux {
	t.Helper()
	m := &mux{dir: t.TempDir()}
	m.run(t, "new-session", "-d", "-s", "keep", "cat")
	t.Cleanup(func() { m.run(t, "kill-server") })
	return m
}

func (m *mux) run(t *testing.T, args ...string) string {
	t.Helper()
	args = append([]string{"-S", filepath.Join(m.dir, "socket"), "-f", "/dev/null", "-u"}, args...)
	output, err := exec.Command("tmux", args...).CombinedOutput() //nolint:gosec // a test
	if err != nil {
		t.Fatalf("tmux %q: %v: %s", args, err, output)
	}
	return string(output)
}

// show returns the text of the screen after output, without spaces at the ends of lines. A title at the end of the
// output tells that tmux has read it all.
func (m *mux) show(t *testing.T, output []byte) string {
	t.Helper()
	file := filepath.Join(m.dir, "output")
	testkit.OK(t, os.WriteFile(file, append(output, ansi.SetWindowTitle("all read")...), 0o600))
	m.run(t, "new-session", "-d", "-s", "shown", "-x", fmt.Sprint(muxWidth), "-y", fmt.Sprint(muxHeight+1),
		"stty raw -echo; cat '"+file+"' -")
	defer m.run(t, "kill-session", "-t", "shown")
	for title := ""; !strings.Contains(title, "all read"); {
		title = m.run(t, "display-message", "-p", "-t", "shown", "#{pane_title}")
	}
	lines := strings.Split(m.run(t, "capture-pane", "-p", "-t", "shown"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// placeClusters writes every cluster of a text to its own place after erasing that.
func placeClusters(s *Screen, text string) string {
	var out strings.Builder
	out.WriteString(ansi.SetMode(ansi.ModeAltScreenSaveCursor) + ansi.ResetMode(ansi.ModeAutoWrap))
	left, top := s.origin.x, s.origin.y
	lines := strings.Split(text, "\n")
	for y, line := range lines[:min(len(lines), muxHeight)] {
		line, x := ansi.Truncate(ansi.Strip(line), muxWidth-3, ""), left
		for line != "" {
			cluster, width := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
			at := ansi.CursorPosition(x+1, top+y+1)
			out.WriteString(at + strings.Repeat(" ", width) + at + cluster)
			line, x = line[len(cluster):], x+width
		}
		if x < muxWidth {
			out.WriteString(ansi.CursorPosition(x+1, top+y+1) + ansi.EraseLineRight)
		}
	}
	return out.String()
}
