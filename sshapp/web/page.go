package web

import (
	"bytes"
	_ "embed" // for the files of the page
	"html/template"
	"net"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"

	"notakto/match"
	"notakto/match/history"
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

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})

const sentence = "Noughts and crosses without the noughts: both players place X, three in a row kills a board, and " +
	"killing the last board loses."

// page holds what the template shows.
type page struct {
	Sentence, Command, DailyCommand, HelpCommand string

	HostName, Port, Origin, SourceURL string
	Fingerprint                       string
	KnownHosts                        []string

	Style  template.CSS
	Script template.JS
	Logo   template.HTML
	Live   live

	Daily         string
	Puzzles       []pagePuzzle
	PreviewWidth  int
	PreviewHeight int

	Ladder   []rank
	NoLadder string
}

type pagePuzzle struct {
	Number  int
	Drawing template.HTML
}

// rank is a row of the ladder.
type rank struct {
	history.Standing
	Pairs int
}

// ladderSize is the number of players of the ladder on the page.
const ladderSize = 10

func (s *Site) makePage(l live) error {
	p := page{
		Sentence: sentence, Command: "ssh " + s.host, DailyCommand: wording.GameCommand(s.host, "daily"),
		HelpCommand: "ssh " + s.host + " help",
		HostName:    s.hostName(), Port: "22", Origin: "https://" + s.hostName(), SourceURL: s.config.SourceURL,
		Fingerprint: ssh.FingerprintSHA256(s.config.HostKeys[0]), KnownHosts: s.known,
		Style: template.CSS(style), Script: template.JS(script), Logo: logo().svg("Notakto"), Live: l,
		PreviewWidth: previewWidth, PreviewHeight: previewHeight, NoLadder: wording.NoLadder,
	}
	if strings.Contains(p.HostName, ":") {
		p.Origin = "https://[" + p.HostName + "]"
	}
	if _, port, err := net.SplitHostPort(s.config.PublicAddress); err == nil {
		p.Port = port
	}
	if len(s.puzzles) > 0 {
		p.Daily = wording.DailyName(s.today)
		for i, puzzle := range s.puzzles[0].all {
			drawing := puzzleDrawing(puzzle).svg("Position: " + puzzle.String())
			p.Puzzles = append(p.Puzzles, pagePuzzle{i + 1, drawing})
		}
	}
	for _, standing := range s.config.History.Ladder(match.PeoplePool, 0, ladderSize) {
		p.Ladder = append(p.Ladder, rank{standing, standing.Won + standing.Split + standing.Lost})
	}
	var text bytes.Buffer
	if err := pageTemplate().Execute(&text, p); err != nil {
		return err
	}
	s.put("/", "text/html; charset=utf-8", freshFor, text.Bytes())
	s.files["/"].policy = s.policy
	return nil
}
