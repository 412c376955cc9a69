package queue

import (
	"context"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"darkroom/store/storetest"

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

// BenchmarkJob is one job from put to done, each step by itself and one after the other, so that
// what it takes of Redis, and of our memory, is the same each time.
func BenchmarkJob(b *testing.B) {
	rdb := benchRedis(b)
	q := New(rdb, Options{Logger: slog.New(slog.DiscardHandler)})
	r := byHand(b, q)
	body := []byte(`{"order":"84521","team":"T0STUDIO","channel":"C0PHOTOS","actor":"U0MARIA","words":["Brighter, please"]}`)
	n := 0
	b.ReportAllocs()
	before := storetest.Spending(b, rdb)
	for b.Loop() {
		n++
		id := "job-" + strconv.Itoa(n)
		jobDone(b, r, Job{ID: id, Lane: "lane-" + strconv.Itoa(n%50), Kind: "bench", Body: body})
	}
	spent := storetest.Spending(b, rdb).Less(before)
	b.ReportMetric(float64(spent.Commands)/float64(n), "redis-commands/op")
	b.ReportMetric(float64(spent.Time.Microseconds())/float64(n), "redis-us/op")
}

// BenchmarkPickUp measures from the call of Put to the first line of the handler.
func BenchmarkPickUp(b *testing.B) {
	q := New(benchRedis(b), Options{Logger: slog.New(slog.DiscardHandler)})
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

// BenchmarkLate measures how late a job begins that was put for later by the process that does it.
func BenchmarkLate(b *testing.B) {
	q := New(benchRedis(b), Options{Logger: slog.New(slog.DiscardHandler)})
	got := make(chan time.Time)
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *Delivery) error { got <- time.Now(); return nil })
	}()
	const delay = 10 * time.Millisecond
	var late time.Duration
	n := 0
	for b.Loop() {
		n++
		due := time.Now().Add(delay)
		if _, err := q.PutAfter(ctx, Job{ID: strconv.Itoa(n), Lane: strconv.Itoa(n % 50), Kind: "bench"}, delay); err != nil {
			b.Fatal(err)
		}
		late += (<-got).Sub(due)
	}
	b.ReportMetric(float64(late.Microseconds())/float64(n), "us/late")
	cancel()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

// BenchmarkThroughput measures how long a job takes when many lanes are full.
func BenchmarkThroughput(b *testing.B) {
	q := New(benchRedis(b), Options{Logger: slog.New(slog.DiscardHandler)})
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
