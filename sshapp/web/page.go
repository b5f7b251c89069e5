package web

import (
	_ "embed" // for the files of the page
	"fmt"
	"html"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/sshapp/wording"
)

// The parts of the page. The style and the script stand in the page, and its policy allows them by their hashes.
var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

const sentence = "Noughts and crosses without the noughts: both players place X, three in a row kills a board, and " +
	"killing the last board loses."

// markup is text of the page that needs no escaping.
type markup string

// appendMarkup appends format, whose verbs are all %v. Every value but a markup is escaped for text and for attributes
// in quotes. Package html/template would escape by itself, but makes the program a tenth larger, as cli.New says.
func appendMarkup(m *markup, format string, values ...any) {
	for i, value := range values {
		if _, isMarkup := value.(markup); !isMarkup {
			values[i] = html.EscapeString(fmt.Sprint(value))
		}
	}
	*m += markup(fmt.Sprintf(format, values...))
}

const pageKind = "text/html; charset=utf-8"

// missing is the key in Site.files of the answer to an unknown path. No request asks for it, because paths begin with a
// slash.
const missing = "missing"

func missingPage() (m markup) {
	appendMarkup(&m, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Notakto: no such page</title>
<style>%v</style>
</head>
<body>
<header><div class="logo">%v</div></header>
<main><div><h1>There is no such page</h1><p class="rules"><a href="/">How to play Notakto here</a></p></div></main>
</body>
</html>
`, markup(style), logo().svg("Notakto"))
	return m
}

// ladderSize is the number of players of the ladder on the page.
const ladderSize = 10

func (s *Site) makePage(l live) {
	host, port := s.hostName(), "22"
	origin := "https://" + host
	if strings.Contains(host, ":") {
		origin = "https://[" + host + "]"
	}
	if _, other, err := net.SplitHostPort(s.config.PublicAddress); err == nil {
		port = other
	}
	var preview, daily, known, source markup
	if len(s.puzzles) > 0 {
		appendMarkup(&preview, `<meta property="og:image" content="%v/daily.png">
<meta property="og:image:width" content="%v">
<meta property="og:image:height" content="%v">
<meta property="og:image:alt" content="The last of today's three puzzles">
<meta name="twitter:card" content="summary_large_image">`, origin, previewWidth, previewHeight)
		daily = s.dailyMarkup()
	}
	lines := "this line"
	if len(s.known) > 1 {
		lines = "these lines"
	}
	for i, line := range s.known {
		appendMarkup(&known, `<div class="command"><code id="known%v">%v</code>`+
			`<button data-copy="known%v" hidden>Copy</button></div>`+"\n", i, line, i)
	}
	if s.config.SourceURL != "" {
		appendMarkup(&source, `<a href="%v">Source and documentation</a> · `, s.config.SourceURL)
	}
	var values []string
	for name, value := range map[string]any{
		"sentence": sentence, "command": "ssh " + s.host, "help": "ssh " + s.host + " help", "host": host, "port": port,
		"fingerprint": ssh.FingerprintSHA256(s.config.HostKeys[0]), "lines": lines, "known": known, "live": l.Text,
		"style": markup(style), "script": markup(script), "logo": logo().svg("Notakto"), "preview": preview,
		"daily": daily, "ladder": s.ladderMarkup(), "source": source,
	} {
		var text markup
		appendMarkup(&text, "%v", value)
		values = append(values, "{{"+name+"}}", string(text))
	}
	s.put("/", pageKind, freshFor, []byte(strings.NewReplacer(values...).Replace(pageText)))
	s.files["/"].policy = fmt.Sprintf("default-src 'none'; img-src 'self'; connect-src 'self'; style-src %s; "+
		"script-src %s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		sourceHash(style), sourceHash(script))
}

// dailyMarkup returns the section with today's puzzles.
func (s *Site) dailyMarkup() (m markup) {
	appendMarkup(&m, `<section class="daily">
<h2>%v</h2>
<div>
<p>Three new puzzles each day. In each position one move wins, and you have one try.</p>
<p>Answer them by <code>ssh</code>:</p>
<div class="command"><code id="answer">%v</code><button data-copy="answer" hidden>Copy</button></div>
</div>
<div class="puzzles">
`, wording.DailyName(s.today), wording.GameCommand(s.host, "daily"))
	for i, puzzle := range s.puzzles[0].all {
		appendMarkup(&m, "<figure><figcaption>Puzzle %v</figcaption>%v</figure>\n", i+1,
			puzzleDrawing(puzzle).svg("Position: "+puzzle.String()))
	}
	appendMarkup(&m, "</div>\n</section>")
	return m
}

func (s *Site) ladderMarkup() (m markup) {
	ladder := s.config.History.Ladder(match.PeoplePool, 0, ladderSize)
	if len(ladder) == 0 {
		appendMarkup(&m, "<p>%v</p>", wording.NoLadder)
		return m
	}
	appendMarkup(&m, `<table>
<thead>
<tr><th scope="col">Rank</th><th scope="col">Player</th><th scope="col">Rating</th><th scope="col">Pairs</th></tr>
</thead>
<tbody>
`)
	for _, p := range ladder {
		appendMarkup(&m, "<tr><td>%v</td><td><bdi>%v</bdi></td><td>%v</td><td>%v</td></tr>\n", p.Rank, p.Player.Name,
			p.Rating, p.Won+p.Split+p.Lost)
	}
	appendMarkup(&m, "</tbody>\n</table>")
	return m
}
