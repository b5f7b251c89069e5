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
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/admin"
	"notakto/sshapp/cli/player"
)

const (
	statusTimeout     = 10 * time.Second // for one request, and for its answer
	statusHeaderRead  = time.Second      // for the head of a request: a silent client holds one of few connections
	statusConnections = 16               // at once; more wait until they are accepted
	statusHeader      = 4 << 10          // bytes
)

// unixPrefix begins a status address that is the path of a Unix socket.
const unixPrefix = "unix:"

// errStarting says that the server has not opened everything yet.
var errStarting = errors.New("the server is starting")

// facts are the answers of a running server for the status. The functions do not wait.
type facts struct {
	checks  func() []admin.Check
	alive   func() error   // an error if only a restart helps
	metrics http.Handler   // may be nil
	version player.Version // the answer to /version
}

// status serves the server's state to load balancers and monitors over plain HTTP. All answers come from memory,
// without waiting. A nil status does nothing.
type status struct {
	listener net.Listener
	server   http.Server
	facts    atomic.Pointer[facts] // nil while the server starts
	profiles bool                  // /debug/pprof/ is served
	served   chan struct{}         // closed after the last request
}

// openStatus serves on an address until close, with /debug/pprof/ if profiles is set. It returns nil for an empty
// address.
func openStatus(address string, profiles bool, log *slog.Logger) (*status, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := listenStatus(address)
	if err != nil {
		return nil, err
	}
	if !isLocal(listener.Addr()) {
		log.Warn("the status is served to every client that reaches its address: it has no password",
			"event", "status-exposed", "address",
			listener.Addr().String())
	}
	s := &status{listener: listener, profiles: profiles, served: make(chan struct{})}
	s.server = http.Server{
		Handler: s.handler(), ReadTimeout: statusTimeout, ReadHeaderTimeout: statusHeaderRead,
		WriteTimeout: statusTimeout, MaxHeaderBytes: statusHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	s.server.SetKeepAlivesEnabled(false) // so that no client holds one of the few connections
	go func() {
		defer close(s.served)
		_ = s.server.Serve(&limited{listener, make(chan struct{}, statusConnections)}) // ends with close
	}()
	return s, nil
}

// listenStatus opens a port or a Unix socket. It replaces a Unix socket on which no process listens any more.
func listenStatus(address string) (net.Listener, error) {
	path, isUnix := strings.CutPrefix(address, unixPrefix)
	if !isUnix {
		return listen(address, "status-listen", ":9465")
	}
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
	} else if stat, lost := os.Lstat(path); lost == nil && stat.Mode().Type() == os.ModeSocket &&
		errors.Is(err, syscall.ECONNREFUSED) {
		_ = os.Remove(path) // the error of Listen says whether that helped
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s; choose another path with --status-listen, or %s: %w", path,
			variable("status-listen"), err)
	}
	return listener, nil
}

// isLocal reports whether only processes of this machine can connect to an address.
func isLocal(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
}

func (s *status) handler() http.Handler {
	mux := http.NewServeMux() // a pattern for GET is also one for HEAD
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		if f := s.facts.Load(); f != nil && f.alive() != nil {
			answer(w, http.StatusServiceUnavailable, f.alive().Error())
			return
		}
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		checks := []admin.Check{{Name: "start", Text: errStarting.Error()}}
		if f := s.facts.Load(); f != nil {
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
		if f := s.facts.Load(); f != nil {
			text, _ = json.Marshal(f.version) // its fields are texts and numbers
		} else {
			text, _ = json.Marshal(version())
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, "%s\n", text) // the client may have disconnected
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if f := s.facts.Load(); f != nil && f.metrics != nil {
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

// readiness reports whether all checks are good. text is "ok", or the lines of the failed checks. With verbose it has a
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

// opened sets the facts for all further answers.
func (s *status) opened(f facts) {
	if s != nil {
		s.facts.Store(&f)
	}
}

// close stops serving, and returns after the last request has ended.
func (s *status) close() {
	if s == nil {
		return
	}
	_ = s.server.Close() // a client without an answer asks again
	<-s.served
}

// limited is a listener that accepts a connection only when there is a free slot.
type limited struct {
	net.Listener
	slots chan struct{}
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	l.slots <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &slotted{Conn: conn, free: sync.OnceFunc(func() { <-l.slots })}, nil
}

type slotted struct {
	net.Conn
	free func()
}

// Close implements net.Conn.
func (s *slotted) Close() error {
	defer s.free()
	return s.Conn.Close()
}

const aboutHealth = `Ask a running server whether it is ready, at its --status-listen.

It exits with 0 if so, and with 1 if not or if there is no answer, after one line that says why.
Without --status it asks the server whose settings it has: by the variables and the file.`

// healthTime is the time limit of the health command.
const healthTime = 5 * time.Second

func healthCommand() cli.Command {
	address, live := "", false
	return cli.Command{
		Use: "health", Short: "Ask a running server whether it is ready", Long: aboutHealth,
		Example: "notakto health --status 127.0.0.1:9464",
		Flags: func(f *pflag.FlagSet) {
			f.Var(optionalOf(httpAddress, &address), "status",
				"`ADDRESS` where the server has its status; that of the settings by default")
			f.BoolVar(&live, "live", false, "ask only whether the process works, not whether it can record moves")
		},
		Run: func(ctx context.Context, _ *cli.Call, _ []string) (cli.Answer, error) {
			if address == "" {
				c, err := configuredOnly("status-listen")
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

// askStatus returns the answer of a server as one line, or an error unless the answer is 200 OK.
func askStatus(ctx context.Context, address, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		if socket, ok := strings.CutPrefix(address, unixPrefix); ok {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", reachable(address))
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
	defer func() { _ = answer.Body.Close() }() // it was read
	text, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	line := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "; ")
	switch {
	case err != nil:
		return "", fmt.Errorf("no whole answer from %s: %w", address, err)
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", answer.Status, line)
	}
	return line, nil
}

// reachable returns an address at which to connect to a server that listens on address. For a server on all addresses
// it is localhost.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return address
}
