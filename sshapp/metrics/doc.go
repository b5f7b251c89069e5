// Package metrics serves the counters of the server's packages as Prometheus metrics. Only this package imports the
// Prometheus client. cmd/notakto serves [Handler] at its status address.
//
// Handler reads the [Sources] at each scrape, and the package counts no events itself. A scrape takes no lock of a
// match or a session. The table in families.go describes each metric.
//
// Every label has a closed set of values, and no value is a player, address, match or code. The number of series is
// therefore bounded. The package starts no goroutine.
package metrics
