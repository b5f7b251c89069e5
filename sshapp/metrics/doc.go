// Package metrics shows what the server's packages count as Prometheus metrics. It alone knows the Prometheus client.
//
// Nothing is counted here: a scrape reads numbers that [Sources] keep anyway, and takes no lock of a match or a
// session. The table in families.go names each metric with its help, labels and reader; [Handler] serves the table over
// HTTP, and [Page] prints it for the documentation. cmd/notakto uses Handler for its status. Every label has a closed
// set of values, so the number of series is bounded, and no player or address is in them. The package starts no
// goroutine of its own.
package metrics
