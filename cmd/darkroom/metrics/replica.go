package metrics

import (
	"context"
)

// Replica is the state of this replica, asked when the metrics are read.
type Replica struct {
	Ready   func(ctx context.Context) bool // whether a click would be taken: see /readyz
	Sockets func() int                     // connections of Socket Mode; nil: no Socket Mode
}

// Replica shows the state of this replica.
func (m *Metrics) Replica(r Replica) {
	m.add(
		gaugeFunc("darkroom_ready", "1 when this replica takes requests, as /readyz says.", func() float64 {
			ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
			defer cancel()
			return boolean(r.Ready(ctx))
		}),
	)
	if r.Sockets != nil {
		m.add(gaugeFunc("darkroom_socket_connections", "Connections of Socket Mode by which Slack reaches this replica.", func() float64 { return float64(r.Sockets()) }))
	}
}
