package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/time/rate"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
)

// statusHeaderRead is the time that a client of the status has for the head of its request.
const statusHeaderRead = time.Second

// unixPrefix begins a status address that is the path of a Unix socket.
const unixPrefix = "unix:"

var errStarting = errors.New("the server is starting")

// statusSources holds the sources of the status answers. Its functions never block.
type statusSources struct {
	checks  func() []admin.Check
	alive   func() error   // an error if only a restart helps
	metrics http.Handler   // may be nil
	version player.Version // the answer to /version
}

// status serves the server's state to load balancers and monitors over plain HTTP. Answers come from memory, without
// waiting. setSources and close accept a nil status.
type status struct {
	*httpServer
	sources  atomic.Pointer[statusSources] // nil while the server starts
	profiles bool                          // /debug/pprof/ is served
}

// openStatus serves on address until close, with /debug/pprof/ if profiles is set. For an empty address it returns
// nil.
func openStatus(address string, profiles bool, log *slog.Logger) (*status, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := listenStatus(address)
	if err != nil {
		return nil, err
	}
	if !isLocal(listener.Addr()) {
		log.Warn("the status has no password: every client that reaches its address can read it",
			"event", "status-exposed", "address",
			listener.Addr().String())
	}
	s := &status{profiles: profiles}
	s.httpServer = serveHTTP(listener, nil, s.handler(), httpLimits{
		conns: 16, headerRead: statusHeaderRead, serveRate: rate.Inf,
	}, log)
	return s, nil
}

// listenStatus opens a port or a Unix socket. A socket file without a listening process is replaced.
func listenStatus(address string) (net.Listener, error) {
	path, isUnix := strings.CutPrefix(address, unixPrefix)
	if !isUnix {
		return listen(address, "status-listen", ":9465")
	}
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
	} else if stat, lost := os.Lstat(path); lost == nil && stat.Mode().Type() == os.ModeSocket &&
		errors.Is(err, syscall.ECONNREFUSED) {
		_ = os.Remove(path) // the error of Listen below tells a failure
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s; choose another path with --status-listen, or %s: %w", path,
			variable("status-listen"), err)
	}
	return listener, nil
}

func isLocal(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
}

func (s *status) handler() http.Handler {
	mux := http.NewServeMux() // a pattern for GET also serves HEAD
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		if f := s.sources.Load(); f != nil {
			if err := f.alive(); err != nil {
				answer(w, http.StatusServiceUnavailable, err.Error())
				return
			}
		}
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		checks := []admin.Check{{Name: "start", Text: errStarting.Error()}}
		if f := s.sources.Load(); f != nil {
			checks = f.checks()
		}
		text, ok := readiness(checks, r.URL.Query().Has("verbose"))
		code := http.StatusOK
		if !ok {
			code = http.StatusServiceUnavailable
		}
		answer(w, code, text)
	})
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) {
		var text []byte
		if f := s.sources.Load(); f != nil {
			text, _ = json.Marshal(f.version)
		} else {
			text, _ = json.Marshal(version())
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, "%s\n", text) // the client may have disconnected
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if f := s.sources.Load(); f != nil && f.metrics != nil {
			f.metrics.ServeHTTP(w, r)
			return
		}
		answer(w, http.StatusServiceUnavailable, errStarting.Error())
	})
	if s.profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// readiness reports whether all checks are good. text is "ok", or a line for each failed check. With verbose it has a
// line for each check.
func readiness(all []admin.Check, verbose bool) (text string, ok bool) {
	ok = true
	var lines []string
	for _, c := range all {
		switch {
		case !c.OK:
			ok = false
			lines = append(lines, fmt.Sprintf("[-]%s: %s", c.Name, c.Text))
		case verbose:
			lines = append(lines, fmt.Sprintf("[+]%s %s", c.Name, c.Text))
		}
	}
	if ok && !verbose {
		return "ok", true
	}
	return strings.Join(lines, "\n"), ok
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = fmt.Fprintln(w, text) // the client may have disconnected
}

func (s *status) setSources(from statusSources) {
	if s != nil {
		s.sources.Store(&from)
	}
}

// close stops serving.
func (s *status) close() {
	if s != nil {
		s.httpServer.close()
	}
}

const aboutHealth = `Ask a running server whether it is ready, at its --status-listen.

The exit status is 0 if the server is ready. It is 1 if not, or without an answer, after one line that says why.
Without --status, the address comes from the settings: the variables and the file.`

const healthTime = 5 * time.Second

func healthCommand() cli.Command {
	address, live := "", false
	return cli.Command{
		Use: "health", Short: "Ask a running server whether it is ready", Long: aboutHealth,
		Example: "notakto health --status 127.0.0.1:9464",
		Flags: func(f *pflag.FlagSet) {
			f.Var(optionalOf(httpAddress, &address), "status",
				"`ADDRESS` of the server's status (default: --status-listen of the settings)")
			f.BoolVar(&live, "live", false, "ask only whether the process works, not whether it can record moves")
		},
		Run: func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			if address == "" {
				c, err := readSetting("status-listen")
				if err == nil && c.statusListen == "" {
					err = errors.New("name the server's --status-listen with --status: the settings have none")
				}
				if err != nil {
					return cli.Answer{}, cli.Usage(err)
				}
				address = c.statusListen
			}
			path := "/readyz"
			if live {
				path = "/livez"
			}
			text, err := askStatus(ctx, address, path)
			return cli.Line("%s", text), err
		},
	}
}

// askStatus returns the server's answer as one line. An answer other than 200 OK is an error.
func askStatus(ctx context.Context, address, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		if socket, ok := strings.CutPrefix(address, unixPrefix); ok {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", dialAddress(address))
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://notakto"+path, nil)
	if err != nil {
		return "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("no answer from %s: %w", address, errors.Unwrap(err))
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	line := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "; ")
	switch {
	case err != nil:
		return "", fmt.Errorf("incomplete answer from %s: %w", address, err)
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", answer.Status, line)
	}
	return line, nil
}

// dialAddress returns the address for clients of a server that listens on address. A server on all addresses is
// reached at localhost.
func dialAddress(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return address
}
