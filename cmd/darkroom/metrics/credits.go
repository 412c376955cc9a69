package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/shopspring/decimal"
)

// Credits shows what the account had left when anybody on this replica last read it. Nobody reads it for the
// sake of the metrics.
type Credits struct {
	left *prometheus.GaugeVec // shows nothing until it is known
	read *prometheus.GaugeVec
	low  *prometheus.GaugeVec // shows nothing when there is no such limit
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

// Set notes what somebody just read.
func (c *Credits) Set(left decimal.Decimal) {
	c.left.WithLabelValues().Set(left.InexactFloat64())
	c.read.WithLabelValues().Set(float64(time.Now().Unix()))
}

// WarnBelow shows the credits below which somebody is to hear of it; 0: there is no such limit.
func (c *Credits) WarnBelow(low decimal.Decimal) {
	if low.IsPositive() {
		c.low.WithLabelValues().Set(low.InexactFloat64())
	}
}
