// Package metrics shows what the server's packages count as Prometheus metrics. It alone knows the Prometheus client.
// Nothing is counted here: a scrape reads numbers that are kept anyway, and takes no lock of a match or a session.
package metrics
