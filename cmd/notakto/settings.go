package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli/admin"
)

// settings are the options of the server. validate checks them before the server opens any part.
type settings struct {
	listen         string
	publicAddress  string
	statusListen   string
	statusProfiles bool
	web            webSettings
	notifyURL      string // of an endpoint that takes notices, "" if off
	data           string
	config         string
	hostKeyFile    string
	nextKeyFile    string // of the key that will replace the host key
	adminKeysFile  string // clients with one of its keys are administrators
	playerKeysFile string // if set, only clients with one of its keys may play
	database       string // URL of PostgreSQL, "" for SQLite in data
	stop           stopSettings
	managerConfig  manager.Config // only its limits and times are settings
	ssh            limit.Settings
	log            logSettings
}

type stopSettings struct {
	timeout       time.Duration
	finishMatches time.Duration // zero stops without a drain
}

type logSettings struct{ level, format, addresses string }

func defaults() *settings {
	data := filepath.Join(xdg.DataHome, "notakto")
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_DATA_HOME") == "" {
		data = "" // validate asks for --data
	}
	return &settings{
		listen: ":2222",
		data:   data,
		stop:   stopSettings{timeout: 10 * time.Second},
		managerConfig: manager.Config{
			Grace:         time.Minute,
			ComputerPause: 700 * time.Millisecond,
			Linger:        5 * time.Minute,
			MaxMatches:    8,
			MaxMatchRate:  600,
		},
		ssh: limit.DefaultSettings(),
		log: logSettings{"info", "text", "full"},
	}
}

const (
	day      = 24 * time.Hour
	maxCount = 1_000_000
)

// validate returns an error if the server cannot start with s. Values that are invalid by themselves were refused
// before, by Set of their flag.
func (s *settings) validate() error {
	if s.data == "" {
		return errors.New("--data is needed: there is no home directory for the host key and the matches")
	}
	return nil
}

// validateForServer validates s as validate does, and reads the files of keys. Commands on data need no keys, and call
// validate.
func (s *settings) validateForServer() error {
	if err := s.validate(); err != nil {
		return err
	}
	if err := s.web.validate(s.publicAddress); err != nil {
		return err
	}
	return (&admin.Keys{Log: slog.New(slog.DiscardHandler)}).SetFiles(s.adminKeysFile, s.playerKeysFile)
}

func (s *settings) storeConfig(log *slog.Logger) store.Config {
	return store.Config{Dir: s.data, URL: s.database, Log: log}
}

type traits uint8

const (
	common traits = 1 << iota // in the help
	live                      // SIGHUP applies a change
	rare   traits = 0         // not in the help, and not live
)

// Keys of the annotations of flags that are settings. Other flags, such as --help, lack settingKey.
const (
	settingKey = "notakto: setting" // the group, the line of help, the text for the reference
	commonKey  = "notakto: common"
	liveKey    = "notakto: live"
)

type flagTable struct {
	flags *pflag.FlagSet
	group string
}

// add registers one setting. usage is one line of help. more has further sentences for the reference, in Markdown.
func (t *flagTable) add(v pflag.Value, name string, is traits, usage, more string) {
	f := t.flags.VarPF(v, name, "", usage+" ["+variable(name)+"]")
	f.Annotations = map[string][]string{settingKey: {t.group, usage, more}}
	if is&common != 0 {
		f.Annotations[commonKey] = nil
	}
	if is&live != 0 {
		f.Annotations[liveKey] = nil
	}
}

func hasAnnotation(f *pflag.Flag, annotation string) bool {
	_, ok := f.Annotations[annotation]
	return ok
}

func eachSetting(flags *pflag.FlagSet, do func(f *pflag.Flag)) {
	flags.VisitAll(func(f *pflag.Flag) {
		if hasAnnotation(f, settingKey) {
			do(f)
		}
	})
}

// register defines the flag of every setting, with its present value as the default. From this table come the flags,
// the variables, the keys of the file, "notakto config", the reference, the manual page and the completions.
func (s *settings) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	t := &flagTable{flags: flags}
	s.registerBasics(t)
	s.registerMatches(t)
	s.registerLimits(t)
	s.registerTimes(t)
}

func (s *settings) registerBasics(t *flagTable) {
	t.group = "Addresses, data and log"
	t.add(address(&s.listen), "listen", common, "where players connect",
		"`HOST:PORT`, or `:PORT` for every address. With port 0 the system chooses; the ready line shows the port.")
	t.add(optionalOf(publicAddress, &s.publicAddress), "public-address", common,
		"the server's address in commands that players copy",
		"With the port unless it is 22, such as `play.example.org:2222`. By default it is the address that "+
			"the client has dialled. Behind a router, in a container or in a cloud the server does not know that address, "+
			"and the screens name keys to press instead.")
	t.add(networks(&s.ssh.ProxyFrom), "proxy-from", common|live,
		"proxies that send the client's address by the PROXY protocol; may be repeated",
		"Addresses or networks, such as `10.0.0.7,192.168.0.0/16`. A connection from there must begin with the PROXY "+
			"protocol within 3 s, and counts for the address in it.")
	t.add(optionalOf(httpAddress, &s.statusListen), "status-listen", common,
		"where load balancers and monitors ask for the server's state, over HTTP",
		"`HOST:PORT`, or `unix:PATH` for a socket. See [Check that it is ready](operations.md#check-that-it-is-ready).")
	t.add(boolean(&s.statusProfiles), "status-pprof", rare,
		"whether --status-listen serves profiles of the program",
		"Under `/debug/pprof/`, for developers. A profile shows nothing of players, but costs time.")
	t.add(optionalOf(address, &s.web.listen), "web-listen", common,
		"where the server has a page on the web for new players",
		"`HOST:PORT`, or `:PORT` for every address. It needs `public-address`. See "+
			"[A page on the web](operations.md#a-page-on-the-web).")
	t.add(optionalOf(file, &s.web.cert), "web-cert", common, "file with the certificate of the page, as PEM",
		"With the certificates of the authorities below it. Without it the page is served over plain HTTP, for a "+
			"proxy.")
	t.add(optionalOf(secret, &s.web.key), "web-key", common, "file with the private key of web-cert, as PEM",
		"See [Secrets](#secrets).")
	t.add(optionalOf(endpointURL, &s.web.source), "web-source", rare,
		"where the page links to for the source and the documentation", "A URL with `http` or `https`.")
	t.add(optionalOf(endpointURL, &s.notifyURL), "notify-url", common,
		"where the server sends notices to players who are away, such as a server of ntfy",
		"A URL with `http` or `https`. See [Notices to players who are away]("+
			"operations.md#notices-to-players-who-are-away).")
	t.add(directory(&s.data), "data", common, "directory of the host key and of the matches",
		"Created if missing. Without `XDG_DATA_HOME` it is under `~/.local/share`.")
	t.add(optionalOf(databaseURL, &s.database), "database", common,
		"PostgreSQL database for the matches, which several servers can share",
		"A URL, such as `postgres://notakto@db.example.org/notakto`. All servers that name the same database serve the "+
			"same players. Leave the password out of it: see [Name the database](store.md#name-the-database).")
	t.add(optionalOf(file, &s.config), "config", common, "file with settings, as TOML",
		"By default `"+defaultConfig+"`, if that exists. An empty name reads no file.")
	t.add(optionalOf(secret, &s.hostKeyFile), "host-key", common,
		"file with the host key, in place of the one in the data directory",
		"It is never created. See [The host key](operations.md#the-host-key) and [Secrets](#secrets).")
	t.add(optionalOf(secret, &s.nextKeyFile), "next-host-key", rare,
		"file with the key that will replace the host key",
		"OpenSSH's clients learn to trust it when they log in. See [The host key](operations.md#the-host-key).")
	t.add(optionalOf(file, &s.adminKeysFile), "admin-keys", common|live, "file with the keys of administrators",
		"In the format of OpenSSH's `authorized_keys`; `role=\"moderator\"` before a key allows less. It is read again when "+
			"it has changed. See [Administration](operations.md#administration).")
	t.add(optionalOf(file, &s.playerKeysFile), "allow-keys", live, "file with the keys that may play; other keys may not",
		"For a private server, in the format of OpenSSH's `authorized_keys`. All others, guests too, are told to send their "+
			"key to the operator. It is read again when it has changed. Administrators need not be in it.")
	t.add(durationValue(&s.stop.timeout, 0, time.Hour), "drain", common|live, "time that a stop may take", "")
	t.add(durationValue(&s.stop.finishMatches, 0, day), "finish-matches", common|live,
		"time that matches get to finish at SIGTERM, before the server stops",
		"With `0s`, SIGTERM stops it at once. See [Stop](operations.md#stop).")
	t.add(oneOf(&s.log.level, "debug", "info", "warn", "error"), "log-level", common|live,
		"how much is logged: debug, info, warn or error", "")
	t.add(oneOf(&s.log.format, "text", "json", "logfmt"), "log-format", common,
		"format of the log: text, json or logfmt",
		"`text` is for people, `json` and `logfmt` are for programs.")
	t.add(oneOf(&s.log.addresses, "full", "prefix", "none"), "log-addresses", rare,
		"what is logged of clients' addresses: full, prefix or none",
		"`prefix`: the network, an IPv4 /24 or an IPv6 /48, without a port. `none`: `hidden` stands for each.")
}

func (s *settings) registerMatches(t *flagTable) {
	t.group = "Matches"
	m := &s.managerConfig
	t.add(durationValue(&m.Grace, time.Millisecond, day), "grace", common, "how long a player on move may be away",
		"On the opponent's turn there is no limit. A match against the computer is not lost but "+
			"cancelled: after 30 days (a guest's after one), or when the players of an address have left more matches than "+
			"the address may have seats.")
	t.add(durationValue(&m.ComputerPause, 0, time.Minute), "computer-pause", rare,
		"pause before the computer moves", "")
	t.add(durationValue(&m.Linger, time.Millisecond, day), "linger", rare,
		"time that a table stays after a match, for a rematch", "")
	t.add(count(&m.MaxMatches), "max-matches", rare, "matches of one player at once", "")
	t.add(count(&m.MaxMatchRate), "max-match-rate", rare, "matches begun a minute from one address",
		"Burst: five times as many, half of which is shared among its players. Every match is kept.")
}

func (s *settings) registerLimits(t *flagTable) {
	t.group = "Limits"
	t.add(boolean(&s.ssh.Guests), "guests", common|live, "whether clients without a key may play",
		"With `false` they are told that a key is needed, and disconnected.")
	t.add(count(&s.ssh.MaxLogins), "max-logins", live, "connections at once that have no session",
		"They are not logged in, or have begun no session. Above this, the address with the most of them loses its oldest. "+
			"Addresses with four or fewer count as equal; an IPv6 /56 may have four times, a /48 sixteen times as many. The "+
			"total may reach eight times the limit while no address has more than four.")
	t.add(count(&s.ssh.MaxLoginRate), "max-login-rate", live, "logins, and sessions begun, a second from one address",
		"A login is a key exchange. Burst: `max-sessions-per-address`. Excess logins wait up to 5 s.")
	t.add(count(&s.ssh.MaxSessions), "max-sessions", common|live, "sessions in all",
		"About 100 KB of memory each. When all are in use, a session without a match for a minute gives way to the next "+
			"waiting client.")
	t.add(count(&s.ssh.MaxWaiting), "max-waiting", live, "sessions that wait in line when the server is full",
		"A session with a terminal, or `plain`, waits and shows its place; any other is refused.")
	t.add(count(&s.ssh.MaxSessionsPerAddress), "max-sessions-per-address", common|live,
		"sessions from one address, or one IPv6 /64",
		"Its players may have twice as many seats in live matches; that limit changes only at a restart. An IPv6 /56 may "+
			"have four times, a /48 sixteen times as many, since a household may have any of these.")
	t.add(count(&s.ssh.MaxSessionsPerKey), "max-sessions-per-key", live, "sessions of one player", "")
	t.add(count(&s.ssh.MaxInputRate), "max-input-rate", live, "bytes a second that the sessions of one address read",
		"Burst: twice as many; the rest waits. A line costs 160 bytes more, a key on a full screen 32 more, and output a "+
			"sixteenth of its size. Raise it where many bots play from one address: 32768 allows some 200 lines a second for "+
			"all of them. An address that may have N times a hundred sessions (`max-sessions-per-address`) has N times as much.")
}

func (s *settings) registerTimes(t *flagTable) {
	t.group = "Timeouts"
	t.add(durationValue(&s.ssh.Login, time.Millisecond, time.Hour), "login", rare, "time that a login may take",
		"From the connection on, including the time to answer the client's question about the host key or to type a "+
			"passphrase. It is at most 10 s while more than half of `max-logins` connections have no session, or more than "+
			"four from this address (16 from an IPv6 /56, 64 from a /48). A slower player reads \"the login took too long\", "+
			"or at the question \"Broken pipe\" or \"Connection closed\", and succeeds at the next try.")
	t.add(durationValue(&s.ssh.Start, time.Millisecond, time.Hour), "start", live,
		"time from the login to the first session", "")
	t.add(durationValue(&s.ssh.Stall, time.Millisecond, time.Hour), "stall", live,
		"time that one write to a client may take", "A client that reads nothing for that long is disconnected.")
	t.add(durationValue(&s.ssh.KeepAlive, time.Millisecond, day), "keep-alive", live,
		"time between two checks of a silent client", "The client has the same time to answer.")
	t.add(durationValue(&s.ssh.Idle, time.Millisecond, 30*day), "idle", live,
		"time that a session lasts without a key pressed",
		"Or without a bot's line. It does not run on the opponent's turn.")
}
