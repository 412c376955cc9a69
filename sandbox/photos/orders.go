package photos

import (
	"time"

	"github.com/shopspring/decimal"
)

// status is the state of an order.
type status string

const (
	editing   status = "editing"
	revising  status = "revising"
	paused    status = "paused"
	reviewing status = "reviewing"
	closed    status = "closed"
	canceled  status = "canceled"
)

const errUnknownOrder = "invalid order id"

// order is one order; it is guarded by the service's mutex.
type order struct {
	id, project, customer string
	asked                 string // the name that its client gave it

	price    decimal.Decimal
	status   status
	before   status // what a paused order goes back to
	revision int

	orderedAt, estimatedAt, revisionRequestedAt, closedAt, canceledAt time.Time

	forgotten bool // see Forget
	undated   bool // see Undate

	instructions []string
	words        string // what keywords are looked for in, lower case
	sources      []source
	references   []Reference
	looks        []fetchedImage // the pictures of the references
	edited       []edited
	entries      []Entry // oldest first

	revisions    []map[string][]string
	feedback     []string
	cancelReason []string
	approvals    int
	history      []Deed // oldest first

	wanted []int       // the sources of the round that is being worked on
	timer  *time.Timer // the automatic editor's, nil when none
}

// source is a picture as the client sent it.
type source struct {
	Picture
	name    string // unique in the order
	kind    string // media type
	content []byte
}

// edited is a delivered picture.
type edited struct {
	id, name      string
	width, height int
	size          int // bytes
	revision      int
	source        int // index in the order's sources
	uploadedAt    time.Time
	thumb, origin string // paths below the prefix
}

// balance answers the credits of the account.
func (s *Service) balance(*call) answer {
	return success(map[string]any{"credits": number(s.Credits())})
}

// fetch answers one order with its edited images, in an array.
func (s *Service) fetch(c *call) answer {
	return s.aboutOrder(c.id, func(o *order) answer {
		v := o.summary()
		images := make([]imageJSON, 0, len(o.edited))
		for _, e := range o.edited {
			images = append(images, e.view(c.base))
		}
		v.EditedImages = &images
		return success([]orderJSON{v})
	})
}

// withOrder runs do, which may change the order of that id, under the mutex.
func (s *Service) withOrder(id string, do func(*order) answer) answer {
	defer s.change()()
	return s.find(id, do)
}

// aboutOrder runs do, which only looks, under the mutex.
func (s *Service) aboutOrder(id string, do func(*order) answer) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id, do)
}

func (s *Service) find(id string, do func(*order) answer) answer {
	o, ok := s.byID[id]
	if !ok || o.forgotten {
		return refusal(errUnknownOrder)
	}
	return do(o)
}

func (e edited) view(base string) imageJSON {
	return imageJSON{
		ID:         e.id,
		Name:       e.name,
		Width:      e.width,
		Height:     e.height,
		Size:       megabytes(e.size),
		Revision:   e.revision,
		UploadedAt: timestamp(e.uploadedAt),
		Thumb:      base + e.thumb,
		Origin:     base + e.origin,
	}
}

// megabytes is the size for people; a small file is not nothing.
func megabytes(bytes int) string {
	size := decimal.New(int64(bytes), 0).DivRound(decimal.New(1<<20, 0), 2)
	return decimal.Max(size, decimal.New(1, -2)).String() + "MB"
}
