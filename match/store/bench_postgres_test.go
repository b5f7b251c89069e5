//go:build postgres

package store

import (
	"strconv"
	"testing"
)

// BenchmarkPostgres is BenchmarkAppend on PostgreSQL, with one server and with two.
func BenchmarkPostgres(b *testing.B) {
	for _, writers := range []int{1, 8, 64, 500} {
		b.Run("one/"+strconv.Itoa(writers), func(b *testing.B) { benchmarkAppend(b, writers, share(b, database(b))) })
		b.Run("two/"+strconv.Itoa(writers), func(b *testing.B) {
			url := database(b)
			benchmarkAppend(b, writers, share(b, url), share(b, url))
		})
	}
}

func BenchmarkSharedArchive(b *testing.B) {
	c := Config{URL: database(b)}
	s := openWith(b, c)
	fill(b, s, 1_000_000)
	benchmarkQueries(b, s)
	b.Run("start", func(b *testing.B) { benchmarkStart(b, c, func() error { return nil }) })
}
