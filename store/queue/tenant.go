package queue

import (
	"strings"

	"darkroom/store/keyspace"
)

// In returns a tenant's view of the queue: it puts and finds that tenant's jobs only, so that two tenants may use equal ids
// and lanes. The name must have no slash and no brace. In a queue without tenants, In panics unless the name is "".
func (q *Queue) In(tenant string) *Queue {
	if (q.o.Share == 0) != (tenant == "") || strings.ContainsAny(tenant, "/{}") {
		panic("queue: no tenant " + tenant)
	}
	view, space := *q, *q.space
	space.tenant, view.space = tenant, &space
	return &view
}

// Keyspace returns the keyspace of the store over the queue: the queue's own, or the tenant's part of it. One script may
// write there and put a job.
func (q *Queue) Keyspace() keyspace.Keyspace { return q.o.Keyspace.In(q.space.tenant) }

// name returns the name in the queue of an id or a lane of the view's tenant.
func (s *space) name(own string) string {
	if s.tenant == "" {
		return own
	}
	return s.tenant + "/" + own
}

// own inverts name: it returns the tenant, and the tenant's own name.
func (s *space) own(name string) (tenant, own string) {
	if s.share == 0 {
		return "", name
	}
	tenant, own, _ = strings.Cut(name, "/")
	return tenant, own
}

// deadKey names the view's set of dead letters.
func (s *space) deadKey() string {
	if s.tenant == "" {
		return s.key("dead")
	}
	return s.key("dead", s.tenant)
}
