package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
)

// OrderBatch is a set of orders that were checked together and are placed one by one, each as its own
// draft. It never changes: its drafts hold the progress.
type OrderBatch struct {
	ID      string           `json:"id"`
	Team    string           `json:"team"`
	User    string           `json:"user"`
	Channel string           `json:"channel"` // Post to
	From    string           `json:"from"`    // the conversation where it was handed in
	Name    string           `json:"name"`    // of the file that it was read from
	Run     string           `json:"run"`     // the run of Redis in which it was first asked for
	Opened  time.Time        `json:"opened"`  // when it was first asked for
	Rows    []order.BatchRow `json:"rows"`
	Photos  []DraftFile      `json:"photos,omitempty"` // the rows' images that are photos in Slack
}

// ErrNoBatch says that a batch does not exist or has expired.
var ErrNoBatch = errors.New("no such batch")

// Drafts returns the batch's orders as drafts that were not submitted yet. Each call returns the same drafts.
func (b OrderBatch) Drafts() []Draft {
	photos := map[string]DraftFile{}
	for _, f := range b.Photos {
		photos[f.URL] = f
	}
	var drafts []Draft
	for _, row := range b.Rows {
		for _, part := range row.Parts() {
			drafts = append(drafts, b.draft(len(drafts)+1, part, photos))
		}
	}
	return drafts
}

func (b OrderBatch) draft(number int, row order.BatchRow, photos map[string]DraftFile) Draft {
	var files []DraftFile
	addresses := []string{}
	for _, address := range row.Images {
		if f, ok := photos[address]; ok {
			files = append(files, f)
		} else {
			addresses = append(addresses, address)
		}
	}
	d := Draft{
		ID: b.ID + "-" + strconv.Itoa(number), Batch: b.ID, Team: b.Team, User: b.User, Channel: b.Channel, From: b.From, Run: b.Run, OpenedAt: b.Opened,
		ProjectName: row.Name, Service: row.Service, Instructions: row.Instructions, CustomerID: row.CustomerID,
		URLs: append(addresses, row.References...), Files: files, Attempt: 1, State: DraftOpen,
	}
	for _, address := range row.References {
		if d.Each == nil {
			d.Each = map[string]PerImage{}
		}
		d.Each[address] = PerImage{Service: order.ServiceReference}
	}
	return d
}

func batchDoc(id string) string { return "batch:" + id }

// Batches saves batches of orders.
type Batches struct{ docs *DocumentStore }

// SaveBatch saves a batch for as long as one of its orders may wait for an approver.
func (s *Batches) SaveBatch(ctx context.Context, b OrderBatch) error {
	return s.docs.PutPersonal(ctx, b.User, batchDoc(b.ID), b, HeldLife)
}

// Batch returns a saved batch, or [ErrNoBatch].
func (s *Batches) Batch(ctx context.Context, id string) (b OrderBatch, err error) {
	err = s.docs.Get(ctx, batchDoc(id), &b)
	if errors.Is(err, ErrAbsent) {
		err = kv.About("batch", id, ErrNoBatch)
	}
	return b, err
}
