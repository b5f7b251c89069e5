package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/docs"
	"notakto/hostkeys"
	"notakto/match"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules/puzzle"
	"notakto/sshapp"
	"notakto/sshapp/wording"
)

// Config has the sources of a site. All fields but SourceURL must be set.
type Config struct {
	PublicAddress string          // where players connect, HOST or HOST:PORT
	HostKeys      []ssh.PublicKey // the host key, and then perhaps the next one
	SourceURL     string          // of the program, "" for no link

	Manager *manager.Stats
	Server  *sshapp.Stats
	History *store.History
	// Listed returns the name under which the feed may name a player, "" if it may not. Listed must not block.
	Listed func(match.PlayerID) string
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	// freshFor is the time for which all visitors get the same files.
	freshFor = 5 * time.Second
	// readTimeout is the time that the database has to list matches. Without an answer the feed stays as it was.
	readTimeout = 2 * time.Second
)

// Site serves the page and its files. A Site is safe for concurrent use.
type Site struct {
	config Config
	host   string   // as arguments of ssh, such as "-p 2222 play.example.org"
	known  []string // the lines of known_hosts
	mux    http.ServeMux

	mu      sync.Mutex       // protects the fields below
	files   map[string]*file // by path
	made    time.Time        // of the last renew
	today   int              // the day of the latest puzzles, 0 before the first renew
	puzzles []dayPuzzles     // of the last feedDays days, the newest first
	version uint64           // of the history when matches was read
	matches []history.Entry  // for the feed, the newest first
}

// dayPuzzles holds the puzzles of a day.
type dayPuzzles struct {
	day int
	all [puzzle.PerDay]puzzle.Puzzle
}

// file is an answer. It does not change.
type file struct {
	kind, policy   string // Content-Type and Content-Security-Policy
	tag            string // the ETag, weak because plain and gzipped share it
	cacheFor       time.Duration
	plain, gzipped []byte // gzipped is nil for a picture that is compressed already
}

// New returns a site.
func New(c Config) (*Site, error) {
	s := &Site{
		config: c, host: sshapp.SSHArguments(c.PublicAddress), files: make(map[string]*file),
		version: c.History.Version() - 1, // so that the first renew reads the matches
	}
	for _, key := range c.HostKeys {
		s.known = append(s.known, hostkeys.Address(c.PublicAddress).KnownHosts(key))
	}
	const svg, day = "image/svg+xml", 24 * time.Hour
	s.put("/known_hosts", "text/plain; charset=utf-8", time.Hour, []byte(strings.Join(s.known, "\n")+"\n"))
	s.put("/match.svg", svg, day, docs.MatchSVG)
	// Some browsers do not tell a picture in a page that the reader wants less motion. The page then takes still.svg.
	s.put("/still.svg", svg, day, bytes.ReplaceAll(docs.MatchSVG, []byte("@media (prefers-reduced-motion:reduce)"),
		[]byte("@media all")))
	s.put("/icon.svg", svg, day, iconFile())
	s.put(missing, pageKind, freshFor, []byte(missingPage()))
	s.mux.HandleFunc("GET /", s.serve) // any path; a pattern for GET also serves HEAD
	s.mu.Lock()
	defer s.mu.Unlock()
	return s, s.renew()
}

// sourceHash returns a text as a source of a Content-Security-Policy.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// put makes the file at path. Its policy allows the first style in text, and nothing else.
func (s *Site) put(path, kind string, cacheFor time.Duration, text []byte) {
	f := &file{kind: kind, policy: "default-src 'none'; frame-ancestors 'none'", cacheFor: cacheFor, plain: text}
	if styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindSubmatch(text); styles != nil {
		f.policy += "; style-src " + sourceHash(string(styles[1]))
	}
	sum := sha256.Sum256(text)
	f.tag = fmt.Sprintf(`W/"%x"`, sum[:8])
	if kind != "image/png" {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
		_, _ = w.Write(text)                                    // a bytes.Buffer never fails
		_ = w.Close()
		f.gzipped = out.Bytes()
	}
	s.files[path] = f
}

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	s.mux.ServeHTTP(w, r)
}

// takesGzip matches an Accept-Encoding that has gzip with no weight or one above 0 (RFC 9110, section 12.4.2).
var takesGzip = regexp.MustCompile(`(?i)(?:^|,)\s*gzip\s*(?:;\s*q=(?:1[.0]*|0\.\d*[1-9]\d*))?\s*(?:,|$)`)

func (s *Site) serve(w http.ResponseWriter, r *http.Request) {
	f, status := s.file(r.URL.Path), http.StatusOK
	if f == nil {
		f, status = s.file(missing), http.StatusNotFound
	}
	header, body := w.Header(), f.plain
	header.Set("Content-Type", f.kind)
	header.Set("Content-Security-Policy", f.policy)
	header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(f.cacheFor.Seconds())))
	header.Set("ETag", f.tag)
	if f.gzipped != nil {
		header.Set("Vary", "Accept-Encoding")
		if takesGzip.MatchString(r.Header.Get("Accept-Encoding")) {
			header.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	header.Set("Content-Length", fmt.Sprint(len(body)))
	if status == http.StatusOK && r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // the client may have disconnected
	}
}

// file returns the file at path, or nil. If the last renew was freshFor ago, file calls renew first.
func (s *Site) file(path string) *file {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age := s.config.Now().Sub(s.made); age < 0 || age >= freshFor {
		if err := s.renew(); err != nil {
			s.config.Log.Error("the page on the web cannot be made", "event", "web-failed", "error", err)
		}
	}
	return s.files[path]
}

// renew makes the files that change. The caller holds mu. After an error some files stay as they were.
func (s *Site) renew() error {
	now := s.config.Now()
	s.made = now
	if err := s.makePuzzles(puzzle.Number(now)); err != nil {
		return err
	}
	s.readMatches()
	live := s.countLive()
	text, err := json.Marshal(live)
	if err != nil {
		return err
	}
	s.put("/live.json", "application/json", freshFor, text)
	s.makePage(live)
	return s.makeFeed(now)
}

// feedDays is the number of days whose puzzles are in the feed.
const feedDays = 7

// makePuzzles sets s.puzzles and draws the preview, once a day.
func (s *Site) makePuzzles(today int) error {
	if s.today == today {
		return nil
	}
	s.puzzles = nil
	delete(s.files, "/daily.png")
	for day := today; day > max(0, today-feedDays); day-- {
		all, err := puzzle.Day(day)
		if err != nil {
			return err
		}
		s.puzzles = append(s.puzzles, dayPuzzles{day, all})
	}
	if len(s.puzzles) > 0 {
		picture, err := preview(today, s.puzzles[0].all[puzzle.PerDay-1]).png()
		if err != nil {
			return err
		}
		s.put("/daily.png", "image/png", time.Hour, picture)
	}
	s.today = today
	return nil
}

// feedMatches is the number of matches in the feed.
const feedMatches = 20

// readMatches sets s.matches, of which makeFeed takes some, if a match has ended since the last call. After an error,
// the next call tries again.
func (s *Site) readMatches() {
	version := s.config.History.Version()
	if version == s.version {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	all, err := s.config.History.Recent(ctx, history.MaxPage)
	if err != nil {
		s.config.Log.Debug("the matches for the feed cannot be read", "event", "web-feed-old", "error", err)
		return
	}
	s.version, s.matches = version, all
}

// live holds the numbers of now.
type live struct {
	Players int64  `json:"players"` // with a session at this server
	Matches int64  `json:"matches"` // being played at all servers that share the database
	Text    string `json:"text"`    // both as a sentence
}

func (s *Site) countLive() live {
	var l live
	l.Players = s.config.Server.Sessions.PlayersWithKey.Load() + s.config.Server.Sessions.Guests.Load()
	for kind, n := range s.config.Manager.Active.All() {
		if kind.State == "playing" {
			l.Matches += n
		}
	}
	switch {
	case s.config.Manager.Draining.Load():
		l.Text = "The server is about to restart: no new match begins."
	case l.Players == 0:
		l.Text = "No player is here just now. The computer always plays."
	default:
		l.Text = "Here now: " + wording.Count(int(l.Players), "player", "players") + ", " +
			wording.Count(int(l.Matches), "match", "matches") + "."
	}
	return l
}
