package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"

	"notakto/match/journal/natsd"
	"notakto/match/manager"
	"notakto/sshapp/limit"
)

// settings are the options of the server. All are checked before anything is opened.
type settings struct {
	listen        string
	publicAddress string
	status        statusSettings
	data          string
	config        string
	keys          keySettings
	sync          string
	cluster       natsd.Cluster
	node          string
	secretFile    string
	outside       natsd.Outside
	stop          stopSettings
	matches       manager.Config // only its limits and times are settings
	ssh           limit.Settings
	log           logSettings
}

// stopSettings are the times of a stop.
type stopSettings struct {
	drain    time.Duration
	lameDuck time.Duration // zero for none
}

type statusSettings struct {
	listen   string
	profiles bool
}

// keySettings are names of files with keys.
type keySettings struct{ host, admins, players string }

type logSettings struct{ level, format, addresses string }

func defaults() *settings {
	return &settings{
		listen:  ":2222",
		data:    dataHome(),
		sync:    "always",
		cluster: natsd.Cluster{Name: "notakto"},
		stop:    stopSettings{drain: 10 * time.Second},
		matches: manager.Config{
			Grace:          time.Minute,
			ComputerPause:  700 * time.Millisecond,
			Linger:         5 * time.Minute,
			JournalTimeout: 10 * time.Second,
			MaxMatches:     8,
			MaxMatchRate:   600,
		},
		ssh: limit.DefaultSettings(),
		log: logSettings{"info", "text", "full"},
	}
}

const (
	day      = 24 * time.Hour
	maxCount = 1_000_000
)

// dataHome returns the default data directory, or "" if the user has no home directory.
func dataHome() string {
	if home, err := os.UserHomeDir(); (err != nil || home == "") && os.Getenv("XDG_DATA_HOME") == "" {
		return ""
	}
	return filepath.Join(xdg.DataHome, "notakto")
}

func (s *settings) validateData() error {
	if s.data == "" {
		return errors.New("--data is needed: there is no home directory to keep the host key and the matches under")
	}
	return nil
}

// validate returns an error if settings conflict, before anything is opened.
func (s *settings) validate() error {
	if err := s.validateData(); err != nil {
		return err
	}
	c := s.cluster
	switch {
	case c.Listen != "" && !slices.ContainsFunc(c.Peers, func(peer string) bool { return peer != c.Listen }):
		return errors.New("--cluster-listen needs --cluster-peer, once for each of the other servers of the cluster")
	case c.Listen == "" && c.Replace != "":
		return errors.New("--replace needs --cluster-listen: only a server of a cluster can take the place of another")
	case c.Listen == "" && len(c.Peers) > 0:
		return errors.New("--cluster-peer needs --cluster-listen: where the other servers connect to this one")
	case c.Listen == "" && (s.secretFile != "" || c.CertFile != "" || c.KeyFile != "" || c.CAFile != ""):
		return errors.New("--cluster-secret-file, --cluster-cert, --cluster-key and --cluster-ca need --cluster-listen:" +
			" without it the server is a single one")
	}
	var err error
	if s.cluster.Secret, err = readSecret(s.secretFile); err != nil {
		return err
	}
	if err := s.cluster.Check(); err != nil {
		return fmt.Errorf("--cluster-listen cannot be like this: %w", err)
	}
	return nil
}
