package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"notakto/match"
	"notakto/sshapp/web"
)

// webSettings are the settings of the page on the web. An empty listen means no page.
type webSettings struct{ listen, cert, key, source string }

// validate returns an error if no page can be served with w.
func (w webSettings) validate(publicAddress string) error {
	switch {
	case w.listen != "" && publicAddress == "":
		return errors.New("--web-listen needs --public-address: the page shows the command that players copy")
	case w.cert == "" && w.key != "":
		return errors.New("--web-key needs --web-cert: name the file with the certificate of the key")
	case w.cert != "" && w.key == "":
		return errors.New("--web-cert needs --web-key: name the file with the private key of the certificate")
	case w.cert == "":
		return nil
	}
	return (&certificate{cert: w.cert, key: w.key}).load()
}

// openWeb serves the page on the web. It returns nil without --web-listen.
func (a *app) openWeb(s *settings) (*httpServer, error) {
	if s.web.listen == "" {
		return nil, nil
	}
	site, err := web.New(web.Config{
		PublicAddress: s.publicAddress, HostKeys: a.server.HostKeys(), SourceURL: s.web.source,
		Manager: a.manager.Stats, Server: a.server.Stats, History: a.store.History(),
		Listed: func(p match.PlayerID) string {
			if a.accounts.IsProgram(p) {
				return ""
			}
			return a.accounts.ClaimedName(p)
		},
		Now: time.Now, Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	var secure *tls.Config
	if s.web.cert != "" {
		c := &certificate{cert: s.web.cert, key: s.web.key, log: a.log}
		if err := c.load(); err != nil {
			return nil, err
		}
		secure = &tls.Config{GetCertificate: c.current, NextProtos: []string{"http/1.1"}}
	}
	listener, err := listen(s.web.listen, "web-listen", ":8080")
	if err != nil {
		return nil, err
	}
	return serveHTTP(listener, secure, site, httpLimits{
		conns: webConnections, headerRead: 5 * time.Second, serveRate: webRate,
	}, a.log), nil
}

const (
	// webConnections fits into the descriptors that package limit reserves.
	webConnections = 32
	// webRate limits the requests a second, each of which has its own connection and perhaps a TLS handshake. A flood
	// then takes a small part of one processor.
	webRate = 200
	// certificateAge is the time between two reads of the certificate's files.
	certificateAge = time.Minute
)

// certificate is a TLS certificate whose files are read again, because a program renews it.
type certificate struct {
	cert, key string // the files of the certificate and of its private key
	log       *slog.Logger

	mu     sync.Mutex // guards the fields below
	loaded *tls.Certificate
	tried  time.Time // when the files were last read, perhaps without success
}

// load reads the files into loaded. After the first load, the caller holds mu.
func (c *certificate) load() error {
	c.tried = time.Now()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("--web-cert %s and --web-key %s cannot be used: %w", c.cert, c.key, err)
	}
	c.loaded = &pair
	return nil
}

// current is the GetCertificate of the TLS server. While the files cannot be used, current returns the certificate that
// was loaded last.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.tried) < certificateAge {
		return c.loaded, nil
	}
	if err := c.load(); err != nil {
		c.log.Error("the files of the certificate cannot be used, and the last certificate stays",
			"event", "web-certificate-failed", "error", err)
	}
	return c.loaded, nil
}
