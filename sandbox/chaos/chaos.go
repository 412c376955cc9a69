package chaos

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Run plays one run: people act while everything goes wrong, then everything heals, and
// when it is quiet what they did is held against what there is.
func Run(ctx context.Context, o Options) (Report, error) {
	began := time.Now()
	w, err := open(ctx, o)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return Report{}, err
	}
	w.o.Log("chaos: seed %d, logs in %s", o.Seed, w.dir)
	trouble, calm := context.WithCancel(ctx)
	var troubled sync.WaitGroup
	troubled.Go(func() { w.trouble(trouble) })
	troubled.Go(func() { w.unkind(trouble) })
	troubled.Go(func() { w.switchover(trouble) })
	troubled.Go(func() { w.tell(trouble) })
	troubled.Go(func() { w.decideHolds(trouble) })
	troubled.Go(func() { w.ownNames(trouble) })
	open := w.act(ctx)
	w.oblivion(ctx, open)
	calm()
	troubled.Wait()
	w.heal()
	healed := time.Now()
	w.o.Log("chaos: all courses are over after %s", healed.Sub(began).Round(time.Second))
	w.farewell(ctx, open)
	left, err := w.quiet(ctx, max(o.patience(), settlement), !o.Gentle)
	report := w.report(w.compare(healed), left, time.Since(began))
	w.o.Keep = !report.Clean
	return report, errors.Join(err, ctx.Err())
}

// act lets everybody play their course, some at the same time, and returns those whose
// orders stay open.
func (w *world) act(ctx context.Context) []*player {
	turns := make(chan struct{}, w.o.People)
	var playing sync.WaitGroup
	players := make([]*player, w.o.Orders)
	for n := range players {
		players[n] = w.player(n)
		turns <- struct{}{}
		playing.Go(func() {
			defer func() { <-turns }()
			players[n].play(ctx)
		})
	}
	playing.Wait()
	var open []*player
	for _, p := range players {
		if _, shown := p.card(); p.open && shown { // else nobody knows of it, and its person was told
			open = append(open, p)
		}
	}
	return open
}

// farewell has somebody write to the editor of every order that stays open: the answer
// shows the whole conversation, so that nothing the editor wrote may be missing.
func (w *world) farewell(ctx context.Context, open []*player) {
	var writing sync.WaitGroup
	turns := make(chan struct{}, w.o.People)
	for _, p := range open {
		turns <- struct{}{}
		writing.Go(func() {
			defer func() { <-turns }()
			p.message(ctx)
		})
	}
	writing.Wait()
}

// switchover changes from Socket Mode to HTTP when half of the courses are over.
func (w *world) switchover(ctx context.Context) {
	if poll(ctx, time.Hour, time.Second, func() bool { return int(w.progress.Load()) > w.o.Orders*courseSteps/2 }) {
		w.Workspace.SetSocketMode(false)
	}
}

// tell says how far it is, now and then.
func (w *world) tell(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, 15*time.Second)
		w.o.Log("chaos: %d%% of the courses, %d orders at the service, %d kills, %d faults of Redis",
			int(w.progress.Load())*100/(w.o.Orders*courseSteps), len(w.service()), w.conductor.killed(), w.faults.redis())
	}
}
