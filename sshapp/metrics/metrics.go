package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/match/stats"
	"notakto/match/store"
	"notakto/sshapp"
)

// Sources are what the metrics are read from. All must be there.
type Sources struct {
	Version, Revision, Go string

	Manager *manager.Stats
	Lobby   *lobby.Stats
	Store   *store.Stats
	Server  *sshapp.Stats

	// These must not block.
	Panics       func() uint64
	DroppedLines func() uint64
	Reload       func() (ok bool, lastSuccess time.Time) // of the settings
}

// Handler serves the metrics, as text or, if the client asks for that, in the OpenMetrics format.
func Handler(s *Sources) http.Handler {
	return promhttp.HandlerFor(s.newRegistry(), promhttp.HandlerOpts{EnableOpenMetrics: true})
}

func (s *Sources) newRegistry() *prometheus.Registry {
	c := &collector{sources: s, families: families()}
	for _, f := range c.families {
		c.descs = append(c.descs, prometheus.NewDesc(f.name, f.help, f.labels, nil))
	}
	r := prometheus.NewRegistry()
	r.MustRegister(c, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// family is all metrics of one name.
type family struct {
	name, help string
	kind       kind
	labels     []string
	read       func(s *Sources, out emit)
}

// kind is a type of metric.
type kind string

const (
	counter   kind = "counter"
	gauge     kind = "gauge"
	histogram kind = "histogram"
)

// emit takes one metric of a family: a float64 or a *[stats.Histogram], with the values of the labels.
type emit func(value any, labels ...string)

// collector reads the sources at each scrape.
type collector struct {
	sources  *Sources
	families []family
	descs    []*prometheus.Desc
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	for i, f := range c.families {
		kind := prometheus.GaugeValue
		if f.kind == counter {
			kind = prometheus.CounterValue
		}
		f.read(c.sources, func(value any, labels ...string) {
			switch value := value.(type) {
			case float64:
				to <- prometheus.MustNewConstMetric(c.descs[i], kind, value, labels...)
			case *stats.Histogram:
				count, sum, buckets := value.Read()
				to <- prometheus.MustNewConstHistogram(c.descs[i], count, sum, buckets, labels...)
			}
		})
	}
}

// Page returns a table of all metrics but those of the process and of Go, as Markdown.
func Page() string {
	page := "| metric | type | labels | what it is |\n|---|---|---|---|\n"
	for _, f := range families() {
		labels := ""
		for i, label := range f.labels {
			if i > 0 {
				labels += ", "
			}
			labels += "`" + label + "`"
		}
		page += "| `" + f.name + "` | " + string(f.kind) + " | " + labels + " | " + f.help + " |\n"
	}
	return page
}

func boolean(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
