package draw

import (
	"image/color"
	"math"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/lucasb-eyer/go-colorful"

	"notakto/internal/testkit"
)

// contrast returns the WCAG contrast ratio of two colours.
func contrast(a, b color.Color) float64 {
	light, dark := luminance(a), luminance(b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestContrast(t *testing.T) {
	for kind, grounds := range map[Kind][]color.Color{
		Auto: {color.Black, color.White}, Dark: {color.Black, color.Gray{30}}, Light: {color.White, color.Gray{235}},
	} {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			p := paletteOf(kind, profile)
			for name, c := range map[string]color.Color{
				"amber": p.amber, "sky": p.sky, "moss": p.moss, "ember": p.ember, "cinder": p.cinder, "plum": p.plum,
				"ash": p.ash, "slate": p.slate,
			} {
				least := 3.
				if kind != Auto && name != "cinder" && name != "slate" { // both are for marks and lines only
					least = 4.5
				}
				for _, ground := range grounds {
					if got := contrast(c, ground); got < least {
						t.Errorf("%v, %v: %s on %v has a contrast of %.1f", kind, profile, name, ground, got)
					}
				}
			}
			for name, ground := range map[string]color.Color{"amber": p.amber, "moss": p.moss, "ember": p.ember} {
				if got := contrast(p.onBar, ground); got < 4 {
					t.Errorf("%v, %v: a banner on %s has a contrast of %.1f", kind, profile, name, got)
				}
			}
		}
	}
}

func TestStyleRolesShow(t *testing.T) {
	for _, profile := range []colorprofile.Profile{
		colorprofile.Ascii, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
	} {
		for kind := range kinds {
			theme := NewTheme(kind, profile, Unicode)
			for _, role := range []Role{Faint, Strong, Chosen, Last, fatal, MyTurn, Over, Won, Lost, Notice, Cursor} {
				if theme.ids[role] == 0 {
					t.Errorf("%v, %v: style role %d cannot be seen", kind, profile, role)
				}
			}
		}
	}
}

func TestDetectCharset(t *testing.T) {
	for term, want := range map[string]Charset{
		"linux": Console, "linux-16color": Console, "vt100": Console, "VT220": Console,
		"vte-256color": Unicode, "xterm-256color": Unicode, "tmux": Unicode, "": Unicode,
	} {
		testkit.Equal(t, DetectCharset(term, true), want, term)
		testkit.Equal(t, DetectCharset(term, false), ASCII, term)
	}
}

// sight is a kind of colour vision, as a matrix that turns linear red, green and blue into the seen colour. The
// matrices are from Machado, Oliveira and Fernandes, 2009, at full strength.
type sight [3][3]float64

func sights() map[string]sight {
	return map[string]sight{
		"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
			{-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
			{-0.011820, 0.042940, 0.968881}},
		"tritanopia": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
			{0.004733, 0.691367, 0.303900}},
	}
}

func (s sight) sees(c color.Color) colorful.Color {
	seen, _ := colorful.MakeColor(c)
	r, g, b := seen.LinearRgb()
	row := func(i int) float64 { return max(0, min(1, s[i][0]*r+s[i][1]*g+s[i][2]*b)) }
	return colorful.LinearRgb(row(0), row(1), row(2))
}

// For all kinds of colour vision, the colours of the two players must differ, a won position from plain text, and
// amber from the cross around it. A difference of 10 is visible at a glance.
func TestColorBlindness(t *testing.T) {
	for _, kind := range []Kind{Auto, Dark, Light} {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
			p := paletteOf(kind, profile)
			texts := map[Kind][]color.Color{
				Auto: {color.White, color.Gray{208}, color.Black},
				Dark: {color.White, color.Gray{208}}, Light: {color.Black, color.Gray{48}},
			}
			for name, s := range sights() {
				for _, text := range texts[kind] {
					if d := 100 * s.sees(p.amber).DistanceCIEDE2000(s.sees(text)); d < 10 {
						t.Errorf("%v, %v: amber and the text %v differ by %.0f for %s", kind, profile, text, d, name)
					}
				}
				for pair, colors := range map[string][2]color.Color{
					"amber and sky": {p.amber, p.sky}, "amber and ash": {p.amber, p.ash},
					"ember and slate": {p.ember, p.slate},
				} {
					if d := 100 * s.sees(colors[0]).DistanceCIEDE2000(s.sees(colors[1])); d < 10 {
						t.Errorf("%v, %v: %s differ by %.0f for %s", kind, profile, pair, d, name)
					}
				}
			}
		}
	}
}
