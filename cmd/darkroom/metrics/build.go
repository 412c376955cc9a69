package metrics

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
)

// Build is the version and the commit of the binary.
type Build struct{ Version, Commit string }

func (b Build) all() []prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "darkroom_build_info", Help: "What runs; always 1.",
		ConstLabels: prometheus.Labels{"version": b.Version, "commit": b.Commit, "go_version": runtime.Version()},
	})
	info.Set(1)
	return []prometheus.Collector{info}
}
