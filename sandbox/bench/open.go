package main

import (
	"fmt"
	"slices"
	"time"
)

// openResult is how fast the order form opens.
type openResult struct {
	Clicks int     `json:"clicks"`
	P50    float64 `json:"p50_ms"` // from the command sent to views.open received
	P99    float64 `json:"p99_ms"`
}

// clicks are how often the form is opened, one after the other.
const clicks = 200

// open measures from a click, which is /order new sent, to views.open received by the pretended
// Slack, on a machine that does nothing else.
func (b *bench) open() error {
	s, err := b.takeSamples()
	if err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	w, err := b.startOutsides()
	if err != nil {
		return err
	}
	defer w.close()
	if err := b.startApp(w, "POLL_SCHEDULE=@every 1h"); err != nil {
		return err
	}
	c := &sender{target: target{addr: w.addr, template: s.open}}
	defer c.close()
	var took []time.Duration
	for n := range int64(clicks + 20) {
		sent, arrived, err := b.click(w, c, n)
		if err != nil {
			return err
		}
		if n >= 20 { // the first ones warm up
			took = append(took, arrived.Sub(sent))
		}
		if err := b.pause(20 * time.Millisecond); err != nil { // the form is being filled in
			return err
		}
	}
	slices.Sort(took)
	b.results.Open = &openResult{Clicks: clicks, P50: ms(percentile(took, 0.5)), P99: ms(percentile(took, 0.99))}
	return nil
}

// click opens the form once.
func (b *bench) click(w *smallWorld, c *sender, n int64) (sent, arrived time.Time, err error) {
	trigger := fmt.Sprintf("1234567890123.%0*d.bench", serialSize, n)
	opened := w.slack.expect(trigger)
	sent = time.Now()
	if err := c.send(b.ctx, n); err != nil {
		return sent, sent, err
	}
	select {
	case arrived = <-opened:
		return sent, arrived, nil
	case <-time.After(3 * time.Second):
		return sent, sent, fmt.Errorf("click %d opened no form", n)
	}
}

// smallWorld is the real binary between the pretended outsides.
type smallWorld struct {
	slack   *pretendSlack
	service *pretendService
	redis   *redisServer
	app     *process
	addr    string
}

// startOutsides starts one without the binary.
func (b *bench) startOutsides() (w *smallWorld, err error) {
	w = &smallWorld{}
	if w.slack, err = startSlack(b.ctx); err != nil {
		return nil, err
	}
	if w.service, err = startService(b.ctx); err != nil {
		return nil, err
	}
	w.redis, err = b.startRedis()
	return w, err
}

// startApp starts the binary and waits until it listens.
func (b *bench) startApp(w *smallWorld, more ...string) (err error) {
	w.app, w.addr, err = b.startDarkroom(environ(w.slack, w.service, w.redis, more...))
	return err
}

func (w *smallWorld) close() {
	if w.app != nil {
		w.app.stop()
	}
	w.redis.stop()
	w.slack.close()
	w.service.close()
}
