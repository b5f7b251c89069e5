package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

const published = "../../docs/table.svg"

// The README shows the present table. If this fails because a screen was changed on purpose: go run ./internal/picture
// >docs/table.svg
func TestThePictureIsTheTable(t *testing.T) {
	var drawn bytes.Buffer
	if err := run(&drawn); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawn.Bytes(), want) {
		t.Errorf("docs/table.svg is not what go run ./internal/picture writes; the first difference is\n%s", difference(drawn.String(), string(want)))
	}
	texts := textsOf(t, drawn.Bytes())
	for _, text := range []string{"● Your turn — Notakto", "ann", "bob", "dead", "turn", "Moves", "C6", "help"} {
		if !strings.Contains(texts, text+"\n") {
			t.Errorf("the picture has no %q", text)
		}
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

// textsOf returns the texts of an SVG, one per line. The SVG must be well-formed.
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
