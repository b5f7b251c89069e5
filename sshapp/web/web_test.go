package web

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"image"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules"
	"notakto/rules/puzzle"
	"notakto/sshapp"
)

// visit is a site with the means to ask it.
type visit struct {
	*testing.T
	*Site
	store *store.Store
	now   time.Time
}

// open returns a site with the matches of journaltest.Season. The host key is the same each time.
func open(t *testing.T) *visit {
	t.Helper()
	m := manager.New(manager.Config{})
	t.Cleanup(m.Close)
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	testkit.OK(t, err)
	log := slog.New(slog.DiscardHandler)
	server, err := sshapp.New(sshapp.Config{Settings: limit.DefaultSettings(), Manager: m, HostKey: key, Log: log})
	testkit.OK(t, err)
	v := &visit{T: t, store: journaltest.Season(t, testkit.Store(t)), now: puzzle.Begin(150).Add(time.Hour)}
	v.Site, err = New(Config{
		PublicAddress: "play.example.org:2222", HostKeys: []ssh.PublicKey{key.PublicKey()}, Manager: m.Stats,
		Server:  server.Stats,
		History: v.store.History(),
		Listed: func(p match.PlayerID) string {
			if name := string(p[:3]); name != "ivy" { // SeasonPlayer repeats the name
				return name
			}
			return ""
		},
		Now: func() time.Time { return v.now }, Log: log,
	})
	testkit.OK(t, err)
	return v
}

func (v *visit) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	v.ServeHTTP(w, r)
	return w
}

// get returns a file, after freshFor.
func (v *visit) get(path string) string {
	v.Helper()
	v.now = v.now.Add(freshFor)
	w := v.ask(http.MethodGet, path)
	testkit.Equal(v.T, w.Code, http.StatusOK, path)
	return w.Body.String()
}

const known = "[play.example.org]:2222 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"

func TestThePageHasAllThatANewPlayerNeeds(t *testing.T) {
	v := open(t)
	v.store.History().SetShown(func(p match.Player) match.Player {
		p.Name = strings.ReplaceAll(p.Name, "hal", `<b onclick="x">&hal`)
		return p
	})
	page := v.get("/")
	testkit.Contains(t, html.UnescapeString(page), `<code id="play">ssh -p 2222 play.example.org</code>`,
		"ssh -t -p 2222 play.example.org daily<", "SHA256:z/fSv0Z0RZS+Lccbc6ZoOWwt/fbj1VFJGSBKQbo4icE", known,
		"Windows", "macOS", "Linux", "Phones", "No player is here just now", "Daily 150, Friday")
	testkit.Contains(t, page, "<bdi>&lt;b onclick=&#34;x&#34;&gt;&amp;hal</bdi></td><td>1598</td><td>36</td>",
		"<bdi>bob</bdi>")
	testkit.Equal(t, strings.Count(page, "<bdi>"), ladderSize)
	testkit.Equal(t, v.get("/known_hosts"), known+"\n")
	for _, hidden := range []string{"halhal", "127.0.0.1", "<b onclick"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the page has %q", hidden)
		}
	}
	// Other hosts stand in the page only as the name of a format.
	for _, url := range regexp.MustCompile(`https?://[^"]*`).FindAllString(page, -1) {
		if url != "http://www.w3.org/2000/svg" && url != "https://play.example.org/daily.png" {
			t.Errorf("the page names %s", url)
		}
	}

	// A visitor's browser loads the page, one of the two pictures and the icon.
	all := 0
	for _, path := range []string{"/", "/match.svg", "/icon.svg", "/live.json"} {
		w := v.ask(http.MethodGet, path, "Accept-Encoding", "br, gzip")
		testkit.Equal(t, w.Header().Get("Content-Encoding"), "gzip", path)
		all += w.Body.Len()
		r, err := gzip.NewReader(w.Body)
		testkit.OK(t, err)
		text, err := io.ReadAll(r)
		testkit.OK(t, err)
		testkit.Equal(t, string(text), v.ask(http.MethodGet, path).Body.String(), path)
	}
	if all > 40_000 {
		t.Errorf("the page takes %d bytes", all)
	}
	// A reader without motion sees the end of the match.
	testkit.Contains(t, v.get("/still.svg"), "@media all{g{animation:none!important}}")
	testkit.Equal(t, strings.Contains(v.get("/match.svg"), "@media all"), false)

	// A client that trusts both keys is not warned when the next one takes its place.
	next, err := ssh.NewPublicKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public())
	testkit.OK(t, err)
	v.config.HostKeys = append(v.config.HostKeys, next)
	v.Site, err = New(v.config)
	testkit.OK(t, err)
	line := "[play.example.org]:2222 " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(next)))
	testkit.Equal(t, v.get("/known_hosts"), known+"\n"+line+"\n")
	testkit.Contains(t, html.UnescapeString(v.get("/")), known+"</code>", line+"</code>", "add these lines")
}

func TestOnlyGetAndHeadOfKnownFiles(t *testing.T) {
	v := open(t)
	for _, test := range []struct {
		method, path string
		code         int
	}{
		{"GET", "/", 200}, {"HEAD", "/", 200}, {"GET", "/?x=1", 200}, {"GET", "/daily.png", 200},
		{"GET", "/still.svg", 200},
		{"GET", "/known_hosts", 200}, {"GET", "/feed.atom", 200}, {"HEAD", "/live.json", 200},
		{"POST", "/", 405}, {"PUT", "/live.json", 405}, {"OPTIONS", "/", 405}, {"DELETE", "/daily.png", 405},
		{"GET", "/page.html", 404}, {"HEAD", "/page.html", 404}, {"GET", "/../site.go", 307},
		{"GET", "/index.html", 404},
	} {
		w := v.ask(test.method, test.path)
		testkit.Equal(t, w.Code, test.code, test)
		testkit.Equal(t, w.Header().Get("X-Content-Type-Options"), "nosniff", test)
		testkit.Equal(t, w.Header().Get("Referrer-Policy"), "no-referrer", test)
		policy := w.Header().Get("Content-Security-Policy")
		testkit.Contains(t, policy, "default-src 'none'", "frame-ancestors 'none'")
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%v: the policy is %s", test, policy)
		}
		if test.code == http.StatusMethodNotAllowed {
			testkit.Equal(t, w.Header().Get("Allow"), "GET, HEAD", test)
		}
		if test.method == http.MethodHead && w.Body.Len() > 0 {
			t.Errorf("%v has a body", test)
		}
	}
	lost := v.ask(http.MethodGet, "/page.html", "If-None-Match", v.file(missing).tag)
	testkit.Equal(t, lost.Code, http.StatusNotFound)
	testkit.Equal(t, lost.Header().Get("Content-Type"), "text/html; charset=utf-8")
	testkit.Contains(t, lost.Header().Get("Content-Security-Policy"), "style-src "+sourceHash(style))
	testkit.Contains(t, lost.Body.String(), `<a href="/">`, style)
	for accepted, encoding := range map[string]string{
		"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "gzip ; q=1.0, *": "gzip", "": "",
		"gzip;q=0": "", "br,gzip;q=0.000": "", "x-notgzip": "", "gzipped": "",
	} {
		w := v.ask(http.MethodGet, "/match.svg", "Accept-Encoding", accepted)
		testkit.Equal(t, w.Header().Get("Content-Encoding"), encoding, accepted)
	}
	tag := v.ask(http.MethodGet, "/match.svg").Header().Get("ETag")
	testkit.Equal(t, v.ask(http.MethodGet, "/match.svg", "If-None-Match", tag).Code, http.StatusNotModified)
}

// A flood of requests costs no more than one: the files are made once in freshFor, and the database is asked only after
// a match.
func TestAFloodOfRequestsMakesThePageOnce(t *testing.T) {
	v := open(t)
	page, feed := v.file("/"), v.file("/feed.atom")
	for range 1000 {
		if v.file("/") != page || v.file("/feed.atom") != feed {
			t.Fatal("a file is made again at once")
		}
	}
	v.now = v.now.Add(freshFor)
	if v.file("/") == page {
		t.Error("the page stays")
	}
	read := &v.matches[0]
	v.get("/feed.atom")
	testkit.Equal(t, &v.matches[0], read)
	journaltest.PlayPair(t, v.store, match.PeoplePool, "late", "ann", "bob", true)
	testkit.Contains(t, v.get("/feed.atom"), "match-late")
	if &v.matches[0] == read {
		t.Error("the new match is not read")
	}

	// When the database is away, the page stays.
	before := v.get("/feed.atom")
	v.version-- // as after another match
	testkit.OK(t, v.store.Close())
	testkit.Equal(t, v.get("/feed.atom"), before)
	testkit.Contains(t, v.get("/"), "<bdi>hal</bdi>")
}

func TestTheNumbersAreThoseOfTheMetrics(t *testing.T) {
	v := open(t)
	playing := manager.ActiveLabels{Variant: "notakto/3", Opponent: "person", State: "playing"}
	v.config.Manager.Active.Add(playing, 2)
	v.config.Manager.Active.Add(manager.ActiveLabels{Variant: "notakto/3", Opponent: "person", State: "waiting"}, 5)
	v.config.Server.Sessions.PlayersWithKey.Store(3)
	v.config.Server.Sessions.Guests.Store(1)
	testkit.Contains(t, v.get("/"), ">Here now: 4 players, 2 matches.<")
	var got live
	testkit.OK(t, json.Unmarshal([]byte(v.get("/live.json")), &got))
	testkit.Equal(t, got, live{4, 2, "Here now: 4 players, 2 matches."})
	v.config.Manager.Draining.Store(true)
	testkit.Contains(t, v.get("/live.json"), "about to restart")
}

func TestTheFeedHasPuzzlesAndListedMatches(t *testing.T) {
	v := open(t)
	listed := v.config.Listed
	v.config.Listed = func(p match.PlayerID) string { return strings.ReplaceAll(listed(p), "bob", `<i>&bob`) }
	journaltest.PlayPair(t, v.store, match.PeoplePool, "newest", "ann", "bob", true)
	journaltest.PlayPair(t, v.store, match.PeoplePool, "hidden", "ann", "ivy", true)
	read := func() (feed atomFeed) {
		t.Helper()
		testkit.OK(t, xml.Unmarshal([]byte(v.get("/feed.atom")), &feed))
		return feed
	}
	feed := read()
	titles, ids := "", map[string]bool{}
	for i, e := range feed.Entries {
		titles += e.Title + "\n"
		ids[e.ID] = true
		at, err := time.Parse(time.RFC3339, e.Updated)
		testkit.OK(t, err)
		if i > 0 && e.Updated > feed.Entries[i-1].Updated || at.IsZero() {
			t.Errorf("entry %d is of %s", i, e.Updated)
		}
	}
	testkit.Equal(t, len(ids), feedDays+feedMatches)
	testkit.Equal(t, feed.Updated, feed.Entries[0].Updated)
	testkit.Contains(t, titles, "Daily 150, Friday\nDaily 149, Thursday\n", "Daily 144", "<i>&bob beat ann",
		"ann beat <i>&bob")
	for _, e := range feed.Entries {
		if strings.Contains(e.Title, "ivy") || strings.Contains(e.Title+e.Content.Text, "annann") ||
			strings.Contains(e.Content.Text, "<i>") {
			t.Errorf("the feed has %+v", e)
		}
		if strings.HasPrefix(e.Title, "Daily") {
			day := strings.Split(e.Title[len("Daily "):], ",")[0]
			testkit.Contains(t, e.Content.Text, "ssh -t -p 2222 play.example.org daily "+day+"<", "<pre>A")
		} else {
			testkit.Contains(t, e.Content.Text, "ssh -t -p 2222 play.example.org watch ")
		}
	}

	v.config.Listed = func(p match.PlayerID) string { // ann has deleted the account, and bob has another name
		return strings.NewReplacer("ann", "", "bob", "rob").Replace(listed(p))
	}
	after := v.get("/feed.atom")
	for _, old := range []string{"<title>ann", "beat ann<", "<title>bob", "beat bob<"} {
		testkit.Equal(t, strings.Contains(after, old), false, old)
	}
	testkit.Contains(t, after, "<title>rob")
	v.config.Listed = listed

	v.now = puzzle.Begin(1).Add(-time.Hour) // before the first puzzle
	testkit.Equal(t, len(read().Entries), feedMatches)
	if page := v.get("/"); strings.Contains(page, "Daily ") || strings.Contains(page, "daily.png") {
		t.Error("the page has a puzzle before the first day")
	}
	testkit.Equal(t, v.ask(http.MethodGet, "/daily.png").Code, http.StatusNotFound)
}

// No file tells a solution. Texts name no move. In pictures an empty cell looks as it does on an empty board, so a
// winning cell looks like any other.
func TestNoFileHasAnAnswer(t *testing.T) {
	v := open(t)
	aMove := regexp.MustCompile(`\b[A-E][1-9]\b`)
	for day := 140; day < 150; day++ {
		v.now = puzzle.Begin(day)
		for _, path := range []string{"/", "/feed.atom", "/live.json"} {
			if found := aMove.FindString(v.get(path)); found != "" {
				t.Errorf("day %d: %s has %s", day, path, found)
			}
		}
		all, err := puzzle.Day(day)
		testkit.OK(t, err)
		for _, p := range all {
			boards := p.Position().Variant().Boards()
			empty := newDrawing(puzzleDrawing(p).width, puzzleDrawing(p).height)
			columns := (empty.width + boardGap) / (boardSize + boardGap)
			empty.drawBoards(p.Position().Variant().Start(), 0, 0, columns, 1)
			same(t, fmt.Sprint(day, p), puzzleDrawing(p), empty, p.Position(), 0, 0, columns, 1)
			if p != all[puzzle.PerDay-1] {
				continue
			}
			drawn, err := preview(day, p).png()
			testkit.OK(t, err)
			testkit.Equal(t, v.get("/daily.png"), string(drawn), day)
			x, y, scale := previewLayout(boards)
			bare := newDrawing(previewWidth, previewHeight)
			bare.drawBoards(p.Position().Variant().Start(), x, y, boards, scale)
			same(t, fmt.Sprint(day, p), preview(day, p), bare, p.Position(), x, y, boards, scale)
		}
	}
}

// same expects the empty cells of a position to look as on empty boards.
func same(t *testing.T, about string, drawn, bare *drawing, p rules.Position, x0, y0, columns, scale int) {
	t.Helper()
	v := p.Variant()
	for board := range v.Boards() {
		for cell := range v.Cells() {
			row, column := v.Place(cell)
			x := x0 + scale*(board%columns*(boardSize+boardGap)+column*(cellSize+1))
			y := y0 + scale*(board/columns*(titleSize+boardSize+boardGap)+titleSize+row*(cellSize+1))
			in := image.Rect(x, y, x+scale*cellSize, y+scale*cellSize)
			for _, c := range [...]paint{ink, ash, slate, ember, plum} {
				has, want := within(drawn.rects[c], in), within(bare.rects[c], in)
				if p.At(board, cell) == rules.Empty && (!slices.Equal(has, want) || c == ash && len(want) == 0) {
					t.Errorf("%s: cell %s of board %s looks special", about, cell, rules.BoardName(board))
				}
			}
		}
	}
}

func within(all []image.Rectangle, in image.Rectangle) (some []image.Rectangle) {
	for _, r := range all {
		if r.Overlaps(in) {
			some = append(some, r)
		}
	}
	return some
}
