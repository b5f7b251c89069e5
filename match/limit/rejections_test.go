package limit

import (
	"bytes"
	"log/slog"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestReportsComeInTimeAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := NewRejections(slog.New(slog.NewTextHandler(&log, nil)))
		wantReports := func(when string, want int) {
			t.Helper()
			synctest.Wait()
			if got := bytes.Count(log.Bytes(), []byte("turned-away-total")); got != want {
				t.Errorf("%s: %d reports, want %d", when, got, want)
			}
		}
		stop := r.StartReports()
		for i := range 3 {
			r.Reject(Idled, netip.Prefix{}, 0)
			<-time.After(reportEvery + time.Millisecond)
			wantReports("while clients are rejected", i+1)
		}
		<-time.After(reportEvery)
		wantReports("after a time without a rejected client", 3)
		r.Reject(Idled, netip.Prefix{}, 0)
		stop()
		stop()
		wantReports("when stopped", 4)
		r.Reject(Idled, netip.Prefix{}, 0)
		<-time.After(2 * reportEvery)
		wantReports("after the stop", 4)
	})
}
