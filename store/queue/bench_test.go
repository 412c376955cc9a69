package queue

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func benchRedis(b *testing.B) *redis.Client {
	b.Helper()
	s, err := startServer(b.TempDir())
	if err != nil {
		b.Skip("no redis-server: ", err)
	}
	rdb := s.client()
	b.Cleanup(func() {
		_ = rdb.Close()
		s.kill()
	})
	return rdb
}

// BenchmarkPickUp measures from the call of Put to the first line of the handler.
func BenchmarkPickUp(b *testing.B) {
	q := New(benchRedis(b), Options{})
	got := make(chan time.Time)
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *Delivery) error { got <- time.Now(); return nil })
	}()
	var total, worst time.Duration
	n := 0
	for b.Loop() {
		n++
		start := time.Now()
		if _, err := q.Put(ctx, Job{ID: strconv.Itoa(n), Lane: strconv.Itoa(n % 50), Kind: "bench"}); err != nil {
			b.Fatal(err)
		}
		took := (<-got).Sub(start)
		total, worst = total+took, max(worst, took)
	}
	b.ReportMetric(float64(total.Microseconds())/float64(n), "us/pickup")
	b.ReportMetric(float64(worst.Microseconds()), "us/worst")
	cancel()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

// BenchmarkThroughput measures how long a job takes when many lanes are full.
func BenchmarkThroughput(b *testing.B) {
	q := New(benchRedis(b), Options{})
	done := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *Delivery) error { done <- struct{}{}; return nil })
	}()
	n := 0
	for b.Loop() {
		for range 100 {
			n++
			if _, err := q.Put(ctx, Job{ID: strconv.Itoa(n), Lane: strconv.Itoa(n % 50), Kind: "bench"}); err != nil {
				b.Fatal(err)
			}
		}
		for range 100 {
			<-done
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "us/job")
	cancel()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}
