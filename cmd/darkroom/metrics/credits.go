package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/shopspring/decimal"
)

// Credits shows the account's remaining credits when this replica last read them. The metrics themselves do not read
// them.
type Credits struct {
	left *prometheus.GaugeVec // absent until they are read
	read *prometheus.GaugeVec
	low  *prometheus.GaugeVec // absent without a limit
}

func newCredits() *Credits {
	return &Credits{
		left: unknownGauge("darkroom_credits", "Credits that the account had left when this replica last read them."),
		read: unknownGauge("darkroom_credits_read_timestamp_seconds", "When this replica last read the credits."),
		low:  unknownGauge("darkroom_credits_low_threshold", "LOW_CREDITS, when it is set."),
	}
}

func (c *Credits) all() []prometheus.Collector {
	return []prometheus.Collector{c.left, c.read, c.low}
}

// Set notes the credits that were just read.
func (c *Credits) Set(left decimal.Decimal) {
	c.left.WithLabelValues().Set(left.InexactFloat64())
	c.read.WithLabelValues().Set(float64(time.Now().Unix()))
}

// WarnBelow shows the credits below which somebody is notified; 0: no limit.
func (c *Credits) WarnBelow(low decimal.Decimal) {
	if low.IsPositive() {
		c.low.WithLabelValues().Set(low.InexactFloat64())
	}
}
