package upstream

import (
	"slices"
	"strings"
	"time"

	"darkroom/order"
)

// wireOrder is an order in an answer.
type wireOrder struct {
	OrderID             text            `json:"order_id"`
	ProjectName         text            `json:"project_name"`
	CustomerID          text            `json:"customer_id"`
	Price               amount          `json:"price"`
	Status              text            `json:"status"`
	Revision            count           `json:"revision"`
	OrderedAt           moment          `json:"ordered_at"`
	EstimatedDelivery   moment          `json:"estimated_delivery"`
	RevisionRequestedAt moment          `json:"revision_requested_at"`
	ClosedAt            moment          `json:"closed_at"`
	CanceledAt          moment          `json:"canceled_at"`
	EditedImages        many[wireImage] `json:"edited_images"`
	Conversations       many[wireEntry] `json:"conversations"`
}

type wireImage struct {
	ID         text   `json:"id"`
	Name       text   `json:"name"`
	Width      count  `json:"width"`
	Height     count  `json:"height"`
	Size       text   `json:"size"`
	Revision   count  `json:"revision"`
	UploadedAt moment `json:"uploaded_at"`
	Thumb      text   `json:"thumb"`
	Origin     text   `json:"origin"`
}

type wireEntry struct {
	From      text   `json:"from"`
	Content   text   `json:"content"`
	Revision  count  `json:"revision"`
	CreatedAt moment `json:"created_at"`
}

// present reports whether the answer has any field of an order.
func (w wireOrder) present() bool {
	return w.OrderID != "" || w.ProjectName != "" || w.Status != "" || w.Price.Valid || w.Revision.present ||
		!w.OrderedAt.IsZero() || !w.EstimatedDelivery.IsZero() || !w.RevisionRequestedAt.IsZero() ||
		!w.ClosedAt.IsZero() || !w.CanceledAt.IsZero() || len(w.EditedImages) > 0 || len(w.Conversations) > 0
}

func (w wireOrder) order() order.Order {
	o := order.Order{
		ID:                  strings.TrimSpace(whole(w.OrderID, longestID)),
		ProjectName:         plainOf(w.ProjectName, longestName),
		CustomerID:          clip(string(w.CustomerID), longestID),
		Price:               w.Price.NullDecimal,
		Status:              status(w.Status),
		OrderedAt:           w.OrderedAt.Time,
		EstimatedDelivery:   w.EstimatedDelivery.Time,
		RevisionRequestedAt: w.RevisionRequestedAt.Time,
		ClosedAt:            w.ClosedAt.Time,
		CanceledAt:          w.CanceledAt.Time,
	}
	o.Conversation, o.CutEntries = conversation(w.Conversations)
	o.EditedImages, o.Cut = images(w.EditedImages)
	if w.Revision.present {
		o.Revision = &w.Revision.n
	}
	return o
}

// The most bytes of each kind of text. Longer texts are cut, longer IDs and addresses dropped.
const (
	longestID      = 255
	longestName    = 1000
	longestLabel   = 100
	longestAddress = 8000
	longestEntry   = 4 * order.MaxMessage
)

// plainOf returns the unescaped text, cut to its longest length.
func plainOf(t text, longest int) string {
	return clip(Unescape(clip(string(t), 8*longest)), longest) // an escaped character takes eight bytes at most
}

// whole returns the text, or "" if it is too long: a cut text would be useless.
func whole(t text, longest int) string {
	if len(t) > longest {
		return ""
	}
	return string(t)
}

// status ignores the case of known statuses and keeps all others as they are.
func status(t text) order.Status {
	plain := order.Status(strings.ToLower(strings.TrimSpace(string(t))))
	switch plain {
	case order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled:
		return plain
	}
	return order.Status(clip(string(t), longestLabel))
}

// images returns the images to keep; cut says that there are more.
func images(sent many[wireImage]) (kept []order.EditedImage, cut bool) {
	if sent == nil {
		return nil, false
	}
	all := make([]order.EditedImage, 0, len(sent))
	for _, w := range sent {
		all = append(all, order.EditedImage{
			ID: whole(w.ID, longestID), Name: plainOf(w.Name, longestName), Size: clip(string(w.Size), longestLabel),
			Width: w.Width.n, Height: w.Height.n, Revision: w.Revision.n,
			UploadedAt: w.UploadedAt.Time, Thumb: Unescape(whole(w.Thumb, longestAddress)), Origin: Unescape(whole(w.Origin, longestAddress)),
		})
	}
	kept = order.KeptImages(all)
	return kept, len(kept) < len(all)
}

// conversation returns the entries to keep, oldest first; cut says that there are more. The service sends the
// newest first, so entries of the same second, or without times, are reversed. The newest have priority.
func conversation(sent []wireEntry) (kept []order.Entry, cut bool) {
	if sent == nil {
		return nil, false
	}
	all := make([]order.Entry, 0, len(sent))
	var times []time.Time
	for _, w := range sent {
		e := order.Entry{From: clip(string(w.From), longestLabel), Content: plainOf(w.Content, longestEntry), CreatedAt: w.CreatedAt.Time}
		if w.Revision.present {
			e.Revision = new(w.Revision.n)
		}
		if all = append(all, e); !e.CreatedAt.IsZero() {
			times = append(times, e.CreatedAt)
		}
	}
	if len(times) == 0 || !times[0].Before(times[len(times)-1]) {
		slices.Reverse(all)
	}
	if len(times) == len(all) {
		slices.SortStableFunc(all, func(a, b order.Entry) int { return a.CreatedAt.Compare(b.CreatedAt) })
	}
	kept = order.KeptEntries(all)
	return kept, len(kept) < len(all)
}
