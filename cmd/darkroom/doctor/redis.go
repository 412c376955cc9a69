package doctor

import "context"

// redis returns the findings of the store.
func (d *doctor) redis(ctx context.Context) []Check {
	if lacking := d.lacking("REDIS_URL"); len(lacking) > 0 || d.store == nil {
		return notChecked("connection", "Redis", []string{"REDIS_URL"})
	}
	ctx, cancel := context.WithTimeout(ctx, d.wait.redis)
	defer cancel()
	found, err := d.store.Server.Examine(ctx)
	checks := make([]Check, len(found))
	for i, f := range found {
		checks[i] = Check{Name: f.About, State: stateOf(f.Level), Message: f.Message, Fix: f.Do}
	}
	if err != nil {
		checks = append(checks, Check{
			Name: "everything else", State: Yellow, Message: "Its version, persistence, eviction, replication, latency and memory could not be looked at without a connection.",
		})
	}
	return checks
}
