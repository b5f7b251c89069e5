package journal

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/journal/natsd"
)

// keep stores a record of a command.
func keep(t *testing.T, s *Store, command, record string) {
	t.Helper()
	if err := NewAudit(s).Append(t.Context(), command, []byte(record)); err != nil {
		t.Fatal(err)
	}
}

// kept returns the records since a time, of more than most the newest.
func kept(t *testing.T, s *Store, since time.Time, most int) string {
	t.Helper()
	var all []string
	before := since
	err := NewAudit(s).Read(t.Context(), since, most, func(at time.Time, record []byte) error {
		if at.Before(before) || at.After(s.Now()) {
			t.Errorf("%s is of %v, and the one before of %v", record, at, before)
		}
		before = at
		all = append(all, string(record))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func TestTheAuditKeepsWhatWasDone(t *testing.T) {
	cfg := natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval, Log: slog.New(slog.DiscardHandler)}
	s := open(t, cfg)
	long := time.Hour
	if got := kept(t, s, s.Now().Add(-long), 9); got != "" {
		t.Errorf("at first there is %s", got)
	}
	keep(t, s, "status", "one")
	keep(t, s, "ban add", "two")
	info, err := s.node.Streams.Audit.GetMsg(t.Context(), 2)
	if err != nil || info.Subject != "notakto.audit.ban-add" {
		t.Fatalf("%+v, %v", info, err)
	}
	after := info.Time.Add(1) // records have the times of the server
	keep(t, s, "status", "three")
	keep(t, s, "who", "four")
	for _, c := range []struct {
		since time.Time
		most  int
		want  string
	}{
		{s.Now().Add(-long), 9, "one two three four"}, {s.Now().Add(-long), 2, "three four"}, {after, 9, "three four"},
		{after, 1, "four"}, {s.Now().Add(long), 9, ""}, {time.Time{}, 9, "one two three four"},
	} {
		if got := kept(t, s, c.since, c.most); got != c.want {
			t.Errorf("since %v, at most %d: %q, want %q", c.since, c.most, got, c.want)
		}
	}
	if err := s.node.Streams.Audit.DeleteMsg(t.Context(), 1); err == nil {
		t.Error("a record can be deleted")
	}
	enough := errors.New("enough")
	err = NewAudit(s).Read(t.Context(), time.Time{}, 9, func(time.Time, []byte) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("the error of the reader is %v", err)
	}
	var backup bytes.Buffer
	if _, err := Backup(t.Context(), s, &backup, "1.2.3", nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	if _, err := Restore(t.Context(), bytes.NewReader(backup.Bytes()), restored, cfg.Log); err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []natsd.Config{cfg, {Dir: restored, Sync: natsd.Interval}} {
		s := open(t, cfg)
		if got := kept(t, s, time.Time{}, 9); got != "one two three four" {
			t.Errorf("later there is %s", got)
		}
	}
}

// What a program asks every few seconds takes no room from what was done.
func TestACommandTakesNoRoomFromOthers(t *testing.T) {
	s := open(t, natsd.Config{Memory: true})
	cfg := s.node.Streams.Audit.CachedInfo().Config
	if cfg.MaxMsgsPerSubject != 10_000 || cfg.MaxAge != 365*24*time.Hour || !cfg.DenyPurge {
		t.Fatalf("the stream is %+v", cfg)
	}
	cfg.MaxMsgsPerSubject = 3
	if _, err := s.node.JetStream.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	keep(t, s, "kick", "kick")
	for i := range 9 {
		keep(t, s, "status", fmt.Sprint(i))
	}
	if got := kept(t, s, time.Time{}, 99); got != "kick 6 7 8" {
		t.Errorf("left are %s", got)
	}
}

func TestTheAuditNeedsTheDisk(t *testing.T) {
	s := open(t, natsd.Config{Dir: t.TempDir(), Sync: natsd.Interval, Log: slog.New(slog.DiscardHandler)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := NewAudit(s).Append(t.Context(), "status", nil); !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

func (c *nodes) audits(t *testing.T) {
	for i, s := range c.stores {
		keep(t, s, "status", fmt.Sprint("by", i))
	}
	for _, s := range c.stores {
		if got := kept(t, s, s.Now().Add(-time.Hour), 9); got != "by0 by1 by2" {
			t.Errorf("a node reads %s", got)
		}
	}
}
