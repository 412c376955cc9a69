package main

import (
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/sandbox/crowd"
	"darkroom/store/conn"
	"darkroom/store/seal"
	"darkroom/store/storetest/topology"
)

// crowdWorld is the real binary between a crowd and a cluster.
type crowdWorld struct {
	*bench
	crowd *crowd.Crowd
	redis *topology.Redis
	rdb   redis.UniversalClient
	app   *process
	admin string // its address for operators
}

// startCrowd starts all of it, and returns when the binary serves.
func (b *bench) startCrowd(o crowd.Options) (w *crowdWorld, err error) {
	w = &crowdWorld{bench: b}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	o.SlackLatency, o.ServiceLatency = crowdLatency, crowdLatency
	if w.crowd, err = crowd.Start(o); err != nil {
		return w, err
	}
	dir, err := b.folder("cluster")
	if err != nil {
		return w, err
	}
	w.redis, err = topology.Start(b.ctx, dir, topology.Options{Kind: topology.Cluster, Fsync: "everysec", Away: 20 * time.Second, Settings: []string{"auto-aof-rewrite-percentage 0"}})
	if err != nil {
		return w, err
	}
	if w.rdb, err = conn.Connect(w.redis.URL(0) + "&pool_size=40"); err != nil {
		return w, err
	}
	keys, err := seal.NewKeys(crowdKey)
	if err != nil {
		return w, err
	}
	if err := w.crowd.Fill(b.ctx, w.rdb, keys); err != nil {
		return w, err
	}
	return w, w.startApp()
}

func (w *crowdWorld) startApp() error {
	addr, err := w.freeAddress()
	if err != nil {
		return err
	}
	if w.admin, err = w.freeAddress(); err != nil {
		return err
	}
	environ := append(w.crowd.Environ(), "REDIS_URL="+w.redis.URL(0), "LISTEN_ADDR="+addr, "ADMIN_ADDR="+w.admin, "PUBLIC_URL=http://"+addr,
		"FILE_SIGNING_KEY=the key that signs files for a crowd", "ENCRYPTION_KEY="+crowdKey, "POLL_SCHEDULE="+crowdSchedule)
	if w.app, err = w.spawn(w.cores.server, "darkroom", environ, w.binary(), "serve"); err != nil {
		return err
	}
	return w.listening(w.app, addr)
}

func (w *crowdWorld) close() {
	if w.app != nil {
		w.app.stop()
	}
	if w.rdb != nil {
		_ = w.rdb.Close()
	}
	if w.redis != nil {
		w.redis.Close()
	}
	if w.crowd != nil {
		w.crowd.Close()
	}
}

// settled waits until each workspace was polled, and for two periods at most until as good as none waits for its turn: what a
// start costs is over then.
func (w *crowdWorld) settled() error {
	soon := time.Now().Add(2 * crowdPeriod)
	return w.until("each workspace polled", 5*crowdPeriod, time.Second, func() bool {
		if len(w.crowd.Polled(time.Time{}.Add(1))) < w.crowd.Len() {
			return false
		}
		metrics, err := w.metrics()
		return err == nil && (sum(metrics, "darkroom_round_waiting ") <= float64(w.crowd.Len())/1000 || time.Now().After(soon))
	})
}
