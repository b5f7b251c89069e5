package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
)

func TestNetworksStandForAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7":                              "192.0.2.0/24",
		"[2001:db8:1:2::3]:22":                   "2001:db8:1::/48",
		"[fe80::1%eth0]:22":                      "fe80::/48",
		"::ffff:192.0.2.7":                       "192.0.2.0/24",
		"read tcp 10.1.2.3:22->192.0.2.7:51: no": "read tcp 10.1.2.0/24->192.0.2.0/24: no",
		"17.1":                                   "17.1",
		"SSH-2.0-OpenSSH_10.0":                   "SSH-2.0-OpenSSH_10.0",
		"at 2026-11-25T15:04:05.000Z: bad":       "at 2026-11-25T15:04:05.000Z: bad",
		"to 2001:db8::1: no":                     "to 2001:db8::/48: no",
		"from ::1":                               "from ::/48",
		"failed:192.0.2.7:22":                    "failed:192.0.2.0/24",
		"at 15:04:05":                            "at 15:04:05",
	} {
		testkit.Equal(t, maskAddresses(text, network), want, text)
	}
}

func TestAddressesInGroupsAndListsAreMasked(t *testing.T) {
	v4, v6 := netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("2001:db8::7")
	var written strings.Builder
	logger := clientLog(slog.New(slog.NewJSONHandler(&written, nil)), logSettings{addresses: "none"})
	logger.With(slog.Group("client", "at", v4)).Info("from [2001:db8::7]",
		slog.Group("route", "via", v6, slog.Group("next", "to", v4)),
		"all", []netip.Addr{v6, v4, v6}, "ports", []netip.AddrPort{netip.AddrPortFrom(v6, 22)},
		"named", struct{ Address net.IP }{net.IP(v4.AsSlice())})
	got := written.String()
	testkit.Contains(t, got, `"msg":"from [hidden]"`, `"client":{"at":"hidden"}`,
		`"route":{"via":"hidden","next":{"to":"hidden"}}`, `"all":"[hidden hidden hidden]"`, `"ports":"[hidden]"`,
		`"named":"{hidden}"`)
	if strings.Contains(got, "192.0.2.") || strings.Contains(got, "2001:db8") {
		t.Error(got)
	}
}

func lines(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v in %.200q", err, line)
		}
		all = append(all, fields)
	}
	return all
}

const missingLines = "lines are missing here: the log could not be written"

func counted(all []map[string]any, message, field string) (written, sum int) {
	for _, line := range all {
		if line["msg"] == message {
			written++
			n, _ := line[field].(float64)
			sum += int(n)
		}
	}
	return written, sum
}

// A full pipe must not stop sessions and tables.
func TestNothingWaitsForALogThatIsNotRead(t *testing.T) {
	t.Parallel()
	unread, w, err := os.Pipe()
	testkit.OK(t, err)
	defer unread.Close()
	logger, _, flush := newLogger(w, logSettings{"info", "json", "full"})
	const said = 10_000
	for range said {
		logger.With("player", strings.Repeat("x", 100)).Info("session began")
	}
	began := time.Now()
	flush()
	if took := time.Since(began); took < flushWithin || took > 10*flushWithin {
		t.Errorf("a stop waited %s for a log that is not read", took)
	}
	testkit.OK(t, unread.SetReadDeadline(time.Now().Add(10*time.Second)))
	var written, missing int
	for read := bufio.NewScanner(unread); written+missing < said && read.Scan(); {
		line := lines(t, read.Text())
		more, _ := counted(line, "session began", "")
		_, lost := counted(line, missingLines, "lines")
		written, missing = written+more, missing+lost
	}
	if written+missing != said || written < queuedLines || missing == 0 {
		t.Errorf("%d lines were written and %d are told to be missing of %d", written, missing, said)
	}
	testkit.OK(t, w.Close())
}

// fullDisk takes lines until it is full.
type fullDisk struct {
	strings.Builder
	full bool
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.full {
		return 0, errors.New("no space left on device")
	}
	return d.Builder.Write(b)
}

func jsonQueue(w io.Writer) (*logQueue, *slog.Logger) {
	q := newLogQueue(w, false, func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) })
	return q, slog.New(logHandler{queue: q, level: slog.LevelDebug})
}

// Thousands of failed requests a second from a bot must not fill the disk with warnings.
func TestRepeatedWarningsAreFewLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		q, log := jsonQueue(&text)
		const seconds, rate = 10, 1000
		for range seconds * rate {
			log.With("match", "m").Warn("a bot's request failed", "error", errors.New("full"))
			log.Warn("turned away", "reason", "idle")
			log.Warn("turned away", "reason", "too-slow")
			log.Info("session began")
			<-time.After(time.Second / rate)
		}
		q.flush()
		all := lines(t, text.String())
		failed, more := counted(all, "a bot's request failed", "more")
		refused, _ := counted(all, "turned away", "")
		begun, _ := counted(all, "session began", "")
		const most = repeatsBurst + seconds
		if failed > most || failed+more < 8*rate || refused < 2*repeatsBurst || refused > 2*most ||
			begun != seconds*rate {
			t.Errorf("failures had %d lines, which count %d more; two reasons had %d, sessions %d", failed, more,
				refused, begun)
		}
		text.Reset()
		q, log = jsonQueue(&text)
		for i := range 10_000 {
			log.Error(strings.Repeat("x", i/100) + " failed")
		}
		q.flush()
		if all := lines(t, text.String()); len(all) > warningsBurst {
			t.Errorf("%d lines at once of many kinds of errors", len(all))
		}
	})
}

func TestAFullDiskIsLoggedWhenThereIsSpace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := fullDisk{full: true}
		q, log := jsonQueue(&disk)
		for range 100 {
			log.Info("lost")
		}
		synctest.Wait()
		disk.full = false
		log.Info("kept", "error", errors.New(strings.Repeat("é", longestText)))
		q.flush()
		all := lines(t, disk.String())
		_, missing := counted(all, missingLines, "lines")
		kept, _ := counted(all, "kept", "")
		if len(all) != 2 || missing != 100 || kept != 1 || disk.Len() > 2*longestText {
			t.Errorf("%d are missing in %d bytes: %v", missing, disk.Len(), all)
		}
	})
}

// journald reads the level from the beginning of each line, also inside a stack.
func TestJournaldGetsTheLevel(t *testing.T) {
	for level, want := range map[slog.Level]string{
		slog.LevelDebug: "<7>a\n<7>  b\n", slog.LevelInfo: "<6>a\n<6>  b\n", slog.LevelWarn: "<4>a\n<4>  b\n",
		slog.LevelError: "<3>a\n<3>  b\n",
	} {
		testkit.Equal(t, string(withLevel([]byte("a\n  b\n"), level)), want)
	}
}

// Lines of libraries get an event too. A contained panic is counted wherever it was.
func TestEveryLineHasAnEvent(t *testing.T) {
	var text bytes.Buffer
	q, log := jsonQueue(&text)
	log.Info("of a library")
	log.Error("ssh: panic serving connection")
	log.Error("contained", "event", panicEvent)
	log.Info("ours", "event", "ready")
	q.flush()
	if got := text.String(); strings.Count(got, `"event":"library"`) != 2 || strings.Count(got, `"event":"`) != 4 {
		t.Errorf("it wrote %s", got)
	}
	testkit.Equal(t, q.counts.panics.Load(), 2)
}
