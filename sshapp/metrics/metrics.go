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
	"notakto/sshapp/notify"
)

// Sources holds the counters that a scrape reads. Every field must be set, and no function may block.
type Sources struct {
	Version, Revision, Go string

	Manager *manager.Stats
	Lobby   *lobby.Stats
	Store   *store.Stats
	Server  *sshapp.Stats
	Notices *notify.Stats

	Panics       func() uint64
	DroppedLines func() uint64
	Reload       func() (ok bool, lastSuccess time.Time) // of the settings
}

// Handler serves the metrics as text, or in the OpenMetrics format if the client asks for it.
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

// family holds the metrics of one name.
type family struct {
	name, help string
	kind       kind
	labels     []string
	read       func(s *Sources, out emit)
}

type kind string

const (
	counter   kind = "counter"
	gauge     kind = "gauge"
	histogram kind = "histogram"
)

// emit takes one metric of a family. value is a float64 or a *[stats.Histogram], and labels are the values of the
// labels.
type emit func(value any, labels ...string)

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
func boolean(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
