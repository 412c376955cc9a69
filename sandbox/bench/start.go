package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// startResult is how fast the servers start and how small they are.
type startResult struct {
	Starts  int                     `json:"starts"`
	Servers map[string]startFigures `json:"servers"` // by name
	Binary  int64                   `json:"binary"`  // bytes, stripped
}

// startFigures are one server's.
type startFigures struct {
	Ready    span   `json:"ready_ms"`    // to the first 200 of /readyz; zero: it has none
	Answered span   `json:"answered_ms"` // to the first answer to /order help
	Idle     memory `json:"idle"`        // after a while of quiet
}

// How often each server is started, and how long it is left alone before its memory is read.
const (
	starts = 10
	quiet  = 10 * time.Second
)

// starts measures how long each server takes to start, and what it holds when nothing happens.
func (b *bench) starts() error {
	s, err := b.takeSamples()
	if err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	w, err := b.startOutsides()
	if err != nil {
		return err
	}
	defer w.close()
	b.results.Start = &startResult{Starts: starts, Servers: map[string]startFigures{}}
	launch := map[string]func() (*process, string, error){
		nameDarkroom: func() (*process, string, error) {
			return b.launchDarkroom(b.binary(), environ(w.slack, w.service, w.redis))
		},
		nameBolt:  func() (*process, string, error) { return b.startBolt(w.slack, s) },
		nameFloor: b.startFloor,
	}
	for _, name := range servers {
		if err := b.startsOf(name, s, launch[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	info, err := os.Stat(b.binary())
	if err == nil {
		b.results.Start.Binary = info.Size()
	}
	return err
}

func (b *bench) startsOf(name string, s samples, launch func() (*process, string, error)) error {
	var ready, answered []float64
	var f startFigures
	for i := range starts {
		began := time.Now()
		p, addr, err := launch()
		if err != nil {
			return err
		}
		if name == nameDarkroom {
			took, err := b.firstReady(p, addr, began)
			if err != nil {
				return err
			}
			ready = append(ready, ms(took))
		}
		took, err := b.firstAnswer(p, target{addr: addr, template: s.help}, began)
		if err != nil {
			return err
		}
		answered = append(answered, ms(took))
		if i == starts-1 {
			if err := b.pause(quiet); err != nil {
				return err
			}
			f.Idle = p.memory()
		}
		p.kill()
	}
	f.Ready, f.Answered = spanOf(ready), spanOf(answered)
	b.results.Start.Servers[name] = f
	return nil
}

// firstReady is when /readyz first says 200, counted from before the program was started.
func (b *bench) firstReady(p *process, addr string, began time.Time) (time.Duration, error) {
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Second}
	defer client.CloseIdleConnections()
	err := b.until("/readyz", 20*time.Second, 300*time.Microsecond, func() bool { return get(b.ctx, client, "http://"+addr+"/readyz") == nil })
	if err != nil {
		err = fmt.Errorf("%w; it says:\n%s", err, p.said())
	}
	return time.Since(began), err
}

// firstAnswer is when the first request is answered.
func (b *bench) firstAnswer(p *process, t target, began time.Time) (time.Duration, error) {
	c := &sender{target: t}
	defer c.close()
	n := int64(0)
	err := b.until("an answer", 20*time.Second, 300*time.Microsecond, func() bool {
		n++
		return c.send(b.ctx, n) == nil
	})
	if err != nil {
		err = fmt.Errorf("%w; it says:\n%s", err, p.said())
	}
	return time.Since(began), err
}

// get reads a page, which must be 200.
func get(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}
