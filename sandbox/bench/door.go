package main

import (
	"errors"
	"fmt"
	"log"
	"time"
)

// doorResult is what the door was measured to do.
type doorResult struct {
	Rounds      int                        `json:"rounds"`
	Seconds     float64                    `json:"seconds"`
	FormBytes   int                        `json:"form_bytes"`   // of the submission's JSON
	HelpBytes   int                        `json:"help_bytes"`   // of the answer to /order help
	HelpRate    float64                    `json:"help_rate"`    // of the open loop
	FormRate    float64                    `json:"form_rate"`    // of the open loop
	Servers     map[string]serverFigures   `json:"servers"`      // by name: medians
	Ratios      map[string]map[string]span `json:"ratios"`       // Darkroom's against the others, by figure: from each round
	Background  float64                    `json:"background"`   // CPU ms a second while 64 jobs wait for the service
	Checked     int                        `json:"checked"`      // submissions found in Redis with their jobs
	WithJobs    *withJobs                  `json:"with_jobs"`    // the form while the jobs are done too
	GeneratorUS float64                    `json:"generator_us"` // CPU of the harness for a request to the floor, /order help
}

// withJobs is the form submitted while the service answers at once.
type withJobs struct {
	PerSecond float64 `json:"per_second"`
	P99       float64 `json:"p99_ms"`
	CPU       float64 `json:"cpu_us"`          // of a submission, with all that follows it
	Done      float64 `json:"done_per_second"` // orders placed meanwhile
}

// serverFigures are one server's medians.
type serverFigures struct {
	Help kindFigures `json:"help"`
	Form kindFigures `json:"form"`
}

// kindFigures are those of one kind of request.
type kindFigures struct {
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	CPU       float64 `json:"cpu_us"`        // of the server, for a request
	OpenP50   float64 `json:"open_p50_ms"`   // at the rate that is equal for all
	OpenP99   float64 `json:"open_p99_ms"`   // at the rate that is equal for all
	OpenGot   float64 `json:"open_answered"` // of what was sent in the open loop, the part that was answered
	Wrong     int     `json:"wrong"`         // in all rounds
}

// The servers, in the order of the tables.
const (
	nameFloor    = "floor"
	nameBolt     = "Bolt"
	nameDarkroom = "Darkroom"
)

// warmUp is how long each kind of request is sent before it is measured: Node compiles meanwhile.
const warmUp = 2 * time.Second

var servers = []string{nameFloor, nameBolt, nameDarkroom}

// doorRun is one run of the door.
type doorRun struct {
	*bench
	samples samples
	slack   *pretendSlack
	service *pretendService
	result  *doorResult
	rounds  map[string][]serverFigures // by server, one of each round
	serial  int64                      // of the next draft
	pace    float64                    // submissions a second, as far as seen: how many drafts are needed
}

// door measures /order help and the order form at the three servers, round by round.
func (b *bench) door() error {
	r := &doorRun{bench: b, rounds: map[string][]serverFigures{}, serial: 1, pace: 6000}
	r.result = &doorResult{Rounds: b.o.rounds, Seconds: b.o.seconds, Servers: map[string]serverFigures{}}
	if err := r.outsides(); err != nil {
		return err
	}
	defer r.slack.close()
	defer r.service.close()
	if err := r.calibrate(); err != nil {
		return err
	}
	for round := range b.o.rounds {
		for i := range servers {
			name := servers[(i+round)%len(servers)]
			figures, err := r.round(name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.rounds[name] = append(r.rounds[name], figures)
			log.Printf("round %d  %-8s  help %6.0f/s p99 %5.2f ms  form %6.0f/s p99 %6.2f ms %4.0f µs", round+1, name,
				figures.Help.PerSecond, figures.Help.P99, figures.Form.PerSecond, figures.Form.P99, figures.Form.CPU)
		}
	}
	r.conclude()
	var err error
	if r.result.WithJobs, err = r.withJobs(); err != nil {
		return fmt.Errorf("with the jobs done: %w", err)
	}
	b.results.Door = r.result
	return nil
}

func (r *doorRun) outsides() (err error) {
	if r.samples, err = r.takeSamples(); err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	r.result.FormBytes, r.result.HelpBytes = r.samples.formSize, len(r.samples.helpAnswer)
	if r.slack, err = startSlack(r.ctx); err != nil {
		return err
	}
	r.service, err = startService(r.ctx)
	return err
}

// calibrate sees what Bolt does, so that the open loop has one rate for all: half of it. It also
// sees what the generator costs.
func (r *doorRun) calibrate() error {
	p, addr, err := r.open(nameBolt, nil)
	if err != nil {
		return err
	}
	defer p.kill()
	_ = closedLoop(r.ctx, r.help(nameBolt, addr), warmUp)
	r.result.HelpRate = closedLoop(r.ctx, r.help(nameBolt, addr), 2*time.Second).perSecond() / 2
	_ = closedLoop(r.ctx, r.form(nameBolt, addr, 0), warmUp)
	r.result.FormRate = closedLoop(r.ctx, r.form(nameBolt, addr, 0), 2*time.Second).perSecond() / 2
	if r.result.HelpRate == 0 || r.result.FormRate == 0 {
		return errors.New("no answer from Bolt; it says:\n" + p.said())
	}
	return nil
}

// open starts one server; Darkroom needs a Redis.
func (r *doorRun) open(name string, redis *redisServer) (p *process, addr string, err error) {
	switch name {
	case nameDarkroom:
		return r.startDarkroom(environ(r.slack, r.service, redis, "UPSTREAM_RATE=1000", "POLL_SCHEDULE=@every 1h"))
	case nameBolt:
		p, addr, err = r.startBolt(r.slack, r.samples)
	default:
		p, addr, err = r.startFloor()
	}
	if err != nil {
		return nil, "", err
	}
	return p, addr, r.listening(p, addr)
}

func (r *doorRun) help(name, addr string) target {
	t := target{addr: addr, template: r.samples.help}
	if name != nameFloor {
		t.wants = []byte("/order new")
	}
	return t
}

// form is the order form; below to, Darkroom has its drafts.
func (r *doorRun) form(name, addr string, to int64) target {
	t := target{addr: addr, template: r.samples.form, from: r.serial, to: to}
	if name != nameFloor {
		t.wants = []byte(`"response_action":"update"`)
	}
	return t
}

// round measures one server once. Each begins anew, and is warm when it is measured.
func (r *doorRun) round(name string) (f serverFigures, err error) {
	var redis *redisServer
	if name == nameDarkroom {
		if redis, err = r.startRedis(); err != nil {
			return f, err
		}
		defer redis.stop()
	}
	p, addr, err := r.open(name, redis)
	if err != nil {
		return f, err
	}
	defer p.kill()
	d := time.Duration(r.o.seconds * float64(time.Second))
	_ = closedLoop(r.ctx, r.help(name, addr), warmUp)
	own := selfCPU()
	f.Help = r.figures(p, func() outcome { return closedLoop(r.ctx, r.help(name, addr), d) })
	if name == nameFloor {
		r.result.GeneratorUS = float64((selfCPU() - own).Microseconds()) / max(f.Help.PerSecond*r.o.seconds, 1)
	}
	f.Help.open(openLoop(r.ctx, r.help(name, addr), r.result.HelpRate, d), r.result.HelpRate*d.Seconds())
	forms := &formRound{doorRun: r, name: name, addr: addr, redis: redis}
	if err := forms.measure(p, d, &f.Form); err != nil {
		return f, err
	}
	if redis != nil {
		return f, forms.check(p)
	}
	return f, nil
}

// figures are what one closed loop came to.
func (r *doorRun) figures(p *process, load func() outcome) kindFigures {
	before := p.cpu()
	o := load()
	used := p.cpu() - before
	return kindFigures{
		PerSecond: o.perSecond(), P50: ms(o.percentile(0.5)), P99: ms(o.percentile(0.99)),
		CPU: float64(used.Nanoseconds()) / 1e3 / float64(max(o.answered, 1)), Wrong: o.wrong,
	}
}

// open adds those of the open loop, in which so many were sent.
func (k *kindFigures) open(o outcome, sent float64) {
	k.OpenP50, k.OpenP99, k.OpenGot = ms(o.percentile(0.5)), ms(o.percentile(0.99)), min(float64(o.answered)/sent, 1)
	k.Wrong += o.wrong
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// conclude takes the medians of the rounds, and of the ratios of each round.
func (r *doorRun) conclude() {
	for _, name := range servers {
		r.result.Servers[name] = serverFigures{
			Help: medians(r.rounds[name], func(f serverFigures) kindFigures { return f.Help }),
			Form: medians(r.rounds[name], func(f serverFigures) kindFigures { return f.Form }),
		}
	}
	r.result.Ratios = map[string]map[string]span{}
	ratio := func(what, other string, of func(serverFigures) float64) {
		var all []float64
		for round := range r.o.rounds {
			all = append(all, of(r.rounds[nameDarkroom][round])/of(r.rounds[other][round]))
		}
		if r.result.Ratios[what] == nil {
			r.result.Ratios[what] = map[string]span{}
		}
		r.result.Ratios[what][other] = spanOf(all)
	}
	for _, other := range []string{nameFloor, nameBolt} {
		ratio("help per second", other, func(f serverFigures) float64 { return f.Help.PerSecond })
		ratio("help p99", other, func(f serverFigures) float64 { return f.Help.P99 })
		ratio("help p99 at one rate", other, func(f serverFigures) float64 { return f.Help.OpenP99 })
		ratio("form per second", other, func(f serverFigures) float64 { return f.Form.PerSecond })
		ratio("form p99", other, func(f serverFigures) float64 { return f.Form.P99 })
		ratio("form p99 at one rate", other, func(f serverFigures) float64 { return f.Form.OpenP99 })
	}
}

// medians are those of each figure by itself.
func medians(rounds []serverFigures, of func(serverFigures) kindFigures) kindFigures {
	middle := func(figure func(kindFigures) float64) float64 {
		var all []float64
		for _, f := range rounds {
			all = append(all, figure(of(f)))
		}
		return spanOf(all).Median
	}
	wrong := 0
	for _, f := range rounds {
		wrong += of(f).Wrong
	}
	return kindFigures{
		PerSecond: middle(func(k kindFigures) float64 { return k.PerSecond }),
		P50:       middle(func(k kindFigures) float64 { return k.P50 }),
		P99:       middle(func(k kindFigures) float64 { return k.P99 }),
		CPU:       middle(func(k kindFigures) float64 { return k.CPU }),
		OpenP50:   middle(func(k kindFigures) float64 { return k.OpenP50 }),
		OpenP99:   middle(func(k kindFigures) float64 { return k.OpenP99 }),
		OpenGot:   middle(func(k kindFigures) float64 { return k.OpenGot }),
		Wrong:     wrong,
	}
}
