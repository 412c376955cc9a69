package chaos

import (
	"context"
	"sync/atomic"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// faultCount counts what was done to the world.
type faultCount struct {
	redisKills, redisFreezes, retired, stalled, slack, service, acks atomic.Int64
}

func (f *faultCount) redis() int { return int(f.redisKills.Load() + f.redisFreezes.Load()) }

// trouble makes everything go wrong until ctx ends: as much of it as people have got on
// with their courses.
func (w *world) trouble(ctx context.Context) {
	share := func() float64 { return float64(w.progress.Load()) / float64(w.o.Orders*courseSteps) }
	w.conductor.conduct(func() int { return int(float64(w.o.Kills)*share()*1.03) + 1 })
	for _, lost := range lostAnswers(photos.Create) { // some orders are out and nobody knows, in every run
		w.Photos.Misbehave(photos.Create, lost, 1)
	}
	next := time.Now().Add(5 * time.Second)
	for ctx.Err() == nil {
		pause(ctx, 50*time.Millisecond)
		if w.rand.IntN(100) < 3 {
			w.killSomebody()
		}
		if float64(w.faults.redis()) < float64(w.o.RedisFaults)*share()*1.03 {
			w.hurtRedis(ctx)
		}
		if int(w.faults.retired.Load()) < int(share()*float64(w.o.Kills)/15) {
			w.retireSomebody()
		}
		if int(w.faults.stalled.Load()) < int(share()*(1+float64(w.o.Kills)/12)+0.6) {
			w.stallSomebody()
		}
		if w.o.Network > 0 && time.Now().After(next) {
			w.hurtNetwork()
			next = time.Now().Add(w.o.Network/2 + time.Duration(w.rand.Int64N(int64(w.o.Network))))
		}
	}
	w.conductor.conduct(func() int { return 0 })
}

// killSomebody kills a replica at whatever it is doing.
func (w *world) killSomebody() {
	one := w.replicas.all[w.rand.IntN(len(w.replicas.all))]
	if w.conductor.random(one.name) {
		one.kill()
	}
}

// stallSomebody makes a replica outlive its lease asleep, at the very moment at which it is
// about to write under a claim.
func (w *world) stallSomebody() {
	n := w.faults.stalled.Add(1)
	asleep := 9*time.Second + time.Duration(w.rand.Int64N(int64(3*time.Second)))
	w.conductor.sleep(dozy[(n+1)%int64(len(dozy))], func(name string) {
		for _, one := range w.replicas.all {
			if one.name == name {
				one.stall(asleep)
			}
		}
	})
}

// retireSomebody is a rolling restart.
func (w *world) retireSomebody() {
	if w.o.Gentle && !w.placing.TryLock() {
		return
	}
	if w.o.Gentle {
		defer w.placing.Unlock()
	}
	w.replicas.all[w.rand.IntN(len(w.replicas.all))].retire()
	w.faults.retired.Add(1)
}

// hurtRedis kills or freezes Redis.
func (w *world) hurtRedis(ctx context.Context) {
	if w.rand.IntN(2) == 0 || !w.kill(ctx) {
		w.freeze(ctx)
	}
}

func (w *world) freeze(ctx context.Context) {
	if w.o.Gentle && w.o.several() { // it may be a failover as well
		if !w.placing.TryLock() {
			return
		}
		defer w.placing.Unlock()
	}
	w.faults.redisFreezes.Add(1)
	w.redis.freeze(ctx, 200*time.Millisecond+time.Duration(w.rand.Int64N(int64(3500*time.Millisecond))))
}

func (w *world) kill(ctx context.Context) bool {
	if w.o.Gentle { // who places an order while Redis restarts waits for its settlement
		if !w.placing.TryLock() {
			return false
		}
		defer w.placing.Unlock()
	}
	w.faults.redisKills.Add(1)
	if err := w.redis.bounce(ctx, time.Duration(w.rand.Int64N(int64(1500*time.Millisecond))), nil); err != nil {
		w.o.Log("redis: %v", err)
	}
	return true
}

// hurtNetwork makes the next call of something go wrong.
func (w *world) hurtNetwork() {
	if w.rand.IntN(3) == 0 { // what nobody ran into would pile up while Redis is away
		w.heal()
	}
	switch n := w.rand.IntN(100); {
	case n < 50:
		w.hurtSlack()
	case n < 92:
		w.hurtService()
	default:
		w.faults.acks.Add(1)
		w.Workspace.Tamper([]workspace.Tampering{workspace.LoseAck, workspace.CutSocket}[w.rand.IntN(2)], 1)
	}
}

// slackMethods are what goes wrong at Slack; posts more often.
var slackMethods = []string{
	"chat.postMessage", "chat.postMessage", "chat.postMessage", "chat.update", "chat.update", "views.open", "views.update",
	"chat.postEphemeral", "conversations.replies", "conversations.history", "*",
}

func (w *world) hurtSlack() {
	w.faults.slack.Add(1)
	faults := []workspace.Fault{
		workspace.ResetBefore, workspace.ResetAfter, workspace.Error500, workspace.Error500After, workspace.HTML,
		workspace.TooMany(time.Second), workspace.Slow(2 * time.Second), workspace.Slow(12 * time.Second),
	}
	if w.o.Gentle { // nobody waits for Slack's ten seconds
		faults = faults[:len(faults)-1]
	}
	w.Workspace.Misbehave(slackMethods[w.rand.IntN(len(slackMethods))], faults[w.rand.IntN(len(faults))], 1)
}

// serviceOps are what goes wrong at the service.
var serviceOps = []photos.Op{
	photos.Create, photos.Create, photos.Message, photos.References, photos.Revise, photos.Approve, photos.Cancel, photos.Fetch, photos.List,
}

// lostAnswers are the faults after which it is done and nobody was told.
func lostAnswers(op photos.Op) []photos.Fault {
	return []photos.Fault{photos.ResetAfterCommit(), vague(op, photos.VagueAfterCommit, photos.Error500AfterCommit), photos.HTMLAfterCommit(), photos.Truncated()}
}

// vague is an inner failure that sounds like one of the operation's refusals, where there are such.
func vague(op photos.Op, says func(...string) photos.Fault, otherwise func() photos.Fault) photos.Fault {
	if words := photos.VagueWords()[op]; len(words) > 0 {
		return says(words...)
	}
	return otherwise()
}

func (w *world) hurtService() {
	w.faults.service.Add(1)
	op := serviceOps[w.rand.IntN(len(serviceOps))]
	after := lostAnswers(op)
	before := []photos.Fault{photos.ResetBeforeCommit(), vague(op, photos.Vague, photos.Error500), photos.HTML(), photos.TooMany(time.Second), photos.Slow(2 * time.Second), photos.Slow(32 * time.Second)}
	if op == photos.Create { // settled two minutes later: not too many of these
		before = []photos.Fault{photos.TooMany(time.Second), photos.Slow(time.Second)}
		if !w.o.Gentle && w.rand.IntN(6) == 0 {
			before = []photos.Fault{photos.ResetBeforeCommit(), vague(op, photos.Vague, photos.Error500)}
		}
	}
	if w.o.Gentle { // nobody waits for the service's half minute
		before = before[:min(len(before), 5)]
	}
	all := append(after, before...)
	w.Photos.Misbehave(op, all[w.rand.IntN(len(all))], 1)
}

// heal ends all trouble.
func (w *world) heal() {
	w.Photos.Behave()
	w.Photos.Release()
	w.Workspace.Behave()
}
