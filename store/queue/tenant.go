package queue

import (
	"strings"

	"darkroom/store/keyspace"
)

// In is the queue as one of its tenants sees it: it puts that tenant's jobs and finds no others, so that two tenants
// may use equal ids and lanes. The name must hold neither a slash nor a brace. It panics for a queue without tenants,
// but for the tenant "", whose view that queue is.
func (q *Queue) In(tenant string) *Queue {
	if (q.o.Share == 0) != (tenant == "") || strings.ContainsAny(tenant, "/{}") {
		panic("queue: no tenant " + tenant)
	}
	view, space := *q, *q.space
	space.tenant, view.space = tenant, &space
	return &view
}

// Keyspace is where what a queue's jobs are about is kept, so that one step may write it and put a job: the queue's own
// keyspace, or of a tenant's view that tenant's part of it.
func (q *Queue) Keyspace() keyspace.Keyspace { return q.o.Keyspace.In(q.space.tenant) }

// name is what an id or a lane of this view's tenant is called in the queue.
func (s *space) name(own string) string {
	if s.tenant == "" {
		return own
	}
	return s.tenant + "/" + own
}

// own is name the other way round: whose it is, and what its tenant calls it.
func (s *space) own(name string) (tenant, own string) {
	if s.share == 0 {
		return "", name
	}
	tenant, own, _ = strings.Cut(name, "/")
	return tenant, own
}

// deadKey names the set of the dead letters that this view sees.
func (s *space) deadKey() string {
	if s.tenant == "" {
		return s.key("dead")
	}
	return s.key("dead", s.tenant)
}
