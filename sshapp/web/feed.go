package web

import (
	"encoding/xml"
	"fmt"
	"html"
	"net"
	"strconv"
	"strings"
	"time"

	"notakto/match/history"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/sshapp/wording"
)

// atomFeed is a feed of RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Relation string `xml:"rel,attr"`
	Address  string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Content atomText `xml:"content"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// makeFeed makes the feed of s.puzzles and s.matches, the newest first.
func (s *Site) makeFeed(now time.Time) error {
	feed := atomFeed{
		Title: "Notakto at " + s.hostName(), ID: s.entryID("feed"), Author: "Notakto at " + s.hostName(),
		Links: []atomLink{{"alternate", "."}, {"self", "feed.atom"}},
	}
	// The names are looked up each time, because a player may delete the account or change the name.
	var matches []history.Entry
	for _, e := range s.matches {
		e.Player.Name, e.Opponent.Name = s.config.Listed(e.Player.ID), s.config.Listed(e.Opponent.ID)
		if len(matches) < feedMatches && e.Player.Name != "" && e.Opponent.Name != "" {
			matches = append(matches, e)
		}
	}
	for _, d := range s.puzzles {
		for len(matches) > 0 && matches[0].Ended.After(puzzle.Begin(d.day)) {
			feed.Entries = append(feed.Entries, s.matchEntry(matches[0]))
			matches = matches[1:]
		}
		feed.Entries = append(feed.Entries, s.dayEntry(d))
	}
	for _, e := range matches {
		feed.Entries = append(feed.Entries, s.matchEntry(e))
	}
	feed.Updated = now.UTC().Format(time.RFC3339)
	if len(feed.Entries) > 0 {
		feed.Updated = feed.Entries[0].Updated
	}
	text, err := xml.Marshal(feed)
	if err != nil {
		return err
	}
	s.put("/feed.atom", "application/atom+xml; charset=utf-8", freshFor, append([]byte(xml.Header), text...))
	return nil
}

// hostName returns the public address without its port.
func (s *Site) hostName() string {
	if host, _, err := net.SplitHostPort(s.config.PublicAddress); err == nil {
		return host
	}
	return s.config.PublicAddress
}

// entryID returns the permanent ID of a part of the feed (RFC 4151).
func (s *Site) entryID(name string) string { return "tag:" + s.hostName() + ",2026:" + name }

func (s *Site) dayEntry(d dayPuzzles) atomEntry {
	var text strings.Builder
	text.WriteString("<p>In each of the three positions one move wins.</p>\n")
	for _, p := range d.all {
		text.WriteString("<pre>" + boardsText(p.Position()) + "</pre>\n")
	}
	command := wording.GameCommand(s.host, "daily "+strconv.Itoa(d.day))
	text.WriteString("<p>Answer by <code>" + html.EscapeString(command) + "</code></p>")
	return atomEntry{
		ID: s.entryID("daily-" + strconv.Itoa(d.day)), Title: wording.DailyName(d.day),
		Updated: puzzle.Begin(d.day).Format(time.RFC3339), Link: atomLink{"alternate", "."},
		Content: atomText{"html", text.String()},
	}
}

// boardsText returns the boards of a position side by side. A free cell shows its digit.
func boardsText(p rules.Position) string {
	v := p.Variant()
	lines := make([]string, 1+v.Rows())
	for board := range v.Boards() {
		lines[0] += fmt.Sprintf("%-8s", rules.BoardName(board))
		for cell := range v.Cells() {
			mark := cell.String()
			if p.At(board, cell) != rules.Empty {
				mark = "X"
			}
			row, column := v.Place(cell)
			lines[1+row] += mark + " "
			if column == v.Rows()-1 {
				lines[1+row] += "  "
			}
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func (s *Site) matchEntry(e history.Entry) atomEntry {
	title := e.Player.Name + " " + wording.ResultVerb(e) + " " + e.Opponent.Name
	if e.Winner == e.Side.Other() {
		title = e.Opponent.Name + " beat " + e.Player.Name
	}
	text := wording.Capital(wording.Terms(e.Terms)) + ", " + wording.Count(e.Plies, "move", "moves")
	if how := wording.HowEnded(e); how != "" {
		text += ", " + how
	}
	return atomEntry{
		ID: s.entryID("match-" + string(e.Match)), Title: title, Updated: e.Ended.UTC().Format(time.RFC3339),
		Link: atomLink{"alternate", "."},
		Content: atomText{"html", "<p>" + html.EscapeString(text) + ". Watch it by <code>" +
			html.EscapeString(wording.GameCommand(s.host, "watch "+string(e.Match))) + "</code></p>"},
	}
}
