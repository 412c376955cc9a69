package main

import "context"

// redis is what the store finds.
func (d *doctor) redis(ctx context.Context) []check {
	if lacking := d.lacking("REDIS_URL"); len(lacking) > 0 || d.store == nil {
		return notChecked("connection", "Redis", []string{"REDIS_URL"})
	}
	ctx, cancel := context.WithTimeout(ctx, d.wait.redis)
	defer cancel()
	found, err := d.store.Examine(ctx)
	checks := make([]check, len(found))
	for i, f := range found {
		checks[i] = check{Name: f.About, State: stateOf(f.Level), Says: f.Says, Fix: f.Do}
	}
	if err != nil {
		checks = append(checks, check{
			Name: "everything else", State: yellow, Says: "Its version, persistence, eviction, replication, latency and memory could not be looked at without a connection.",
		})
	}
	return checks
}
