package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// After an intended change of a screen, make the pictures again with "go run ./internal/picture match
// >docs/match.svg" and "go run ./internal/picture review >docs/review.svg".
func TestThePicturesAreTheScreens(t *testing.T) {
	for name, wanted := range map[string][]string{
		"match":  {"ssh notakto.example", "ann", "bob", "dead", "turn", "Moves", "C5", "help", "slip"},
		"review": {"Review", "Rule", "slip", "C6", "theory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var drawn bytes.Buffer
			if err := run(t.Context(), []string{name}, &drawn); err != nil {
				t.Fatal(err)
			}
			file := "docs/" + name + ".svg"
			want, err := os.ReadFile("../../" + file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(drawn.Bytes(), want) {
				t.Errorf("%s is not what go run ./internal/picture %s writes; the first difference is\n%s", file, name,
					difference(drawn.String(), string(want)))
			}
			texts := textsOf(t, drawn.Bytes())
			for _, text := range wanted {
				if !strings.Contains(texts, text) {
					t.Errorf("the picture has no %q", text)
				}
			}
		})
	}
}

func TestEachMainScreenHasAPictureAtEachSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := run(t.Context(), []string{"screens", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	screens := strings.Fields("home computer howto waiting private table help watch result review")
	if want := 4 * len(screens); err != nil || len(files) != want {
		t.Errorf("%d pictures, want %d: %v", len(files), want, err)
	}
	if err := run(t.Context(), []string{"film"}, io.Discard); err == nil || !strings.Contains(err.Error(), "picture screens DIR") {
		t.Errorf("a wrong command: %v", err)
	}
}

func difference(got, want string) string {
	lines := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			return "drawn: " + line + "\nthere: " + lines[min(i, len(lines)-1)]
		}
	}
	return "only the end"
}

// textsOf returns the texts of svg, one per line, and fails the test if svg is no well-formed XML.
func textsOf(t *testing.T, svg []byte) string {
	t.Helper()
	var texts strings.Builder
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		switch token, err := decoder.Token(); {
		case errors.Is(err, io.EOF):
			return texts.String()
		case err != nil:
			t.Fatal(err)
		default:
			if text, ok := token.(xml.CharData); ok {
				texts.Write(append(text, '\n'))
			}
		}
	}
}
