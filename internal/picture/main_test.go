package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notakto/internal/testkit"
)

// After an intended change of a screen, make the pictures again with "go run ./internal/picture match
// >docs/match.svg" and "go run ./internal/picture review >docs/review.svg".
func TestThePicturesAreTheScreens(t *testing.T) {
	for _, name := range []string{"match", "review"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var drawn bytes.Buffer
			testkit.OK(t, run(t.Context(), []string{name}, &drawn))
			want, err := os.ReadFile("../../docs/" + name + ".svg")
			testkit.OK(t, err)
			lines := strings.Split(string(want), "\n")
			for i, line := range strings.Split(drawn.String(), "\n") {
				if there := lines[min(i, len(lines)-1)]; i >= len(lines) || line != there {
					t.Fatalf("docs/%s.svg is not what go run ./internal/picture %s writes; the first difference is\n"+
						"drawn: %s\nthere: %s", name, name, line, there)
				}
			}
			testkit.Equal(t, drawn.Len(), len(want))
		})
	}
}

func TestEachMainScreenHasAPictureAtEachSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.OK(t, run(t.Context(), []string{"screens", dir}, io.Discard))
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	testkit.OK(t, err)
	screens := strings.Fields("home computer howto waiting private table help watch result review")
	testkit.Equal(t, len(files), 4*len(screens))
}
