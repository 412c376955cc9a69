package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// BatchCard is what a channel shows of a batch: one card, with the cards of its orders in the card's thread.
type BatchCard struct {
	ID, Team, Channel, Requester string
	Name                         string    // of the file
	Total                        int       // orders of the batch, placed or not
	Held, Failed                 int       // orders that wait for an approver; that are not placed
	Left                         int       // orders that the channel gave away
	Begun                        time.Time // no message of it is older
	TS                           string    // of the card; "": none yet
	Posting                      time.Time // when a card was perhaps posted; zero: none can be out
	Shown                        string    // hash of the card's content
	ShownAt                      time.Time // when the card was last known to exist
	Compared                     string    // the run of Redis in which the channel was compared with this record
	Deliveries                   Deliveries
}

// Deliveries are the messages that tell a channel of a batch's deliveries.
type Deliveries struct {
	Last     int                 `json:"last"` // number of the newest message, from 1
	Messages []DeliveryMessage   `json:"messages,omitempty"`
	Told     map[string]Delivery `json:"told,omitempty"` // by order: the newest delivery of a message that is no longer kept current
}

// DeliveryMessage tells of deliveries that came close together.
type DeliveryMessage struct {
	Number  int        `json:"number"`
	TS      string     `json:"ts,omitempty"`     // "": not known to be out
	Posting time.Time  `json:"posting,omitzero"` // when it was perhaps posted; zero: it is not out, or TS is known
	At      time.Time  `json:"at"`               // of its newest delivery
	Asks    []string   `json:"asks,omitempty"`   // user ids of whom it calls
	Direct  []string   `json:"direct,omitempty"` // user ids of who is still to get a direct message about it
	Shown   string     `json:"shown,omitempty"`  // hash of its content
	Orders  []Delivery `json:"orders"`
}

// Delivery is one delivery of an order.
type Delivery struct {
	Order string `json:"order"`
	Event string `json:"event"` // its id
	Round int    `json:"round"` // from 0
}

// Drop forgets the messages that are chosen. The channel is not told again of their deliveries.
func (d *Deliveries) Drop(chosen func(i int, m DeliveryMessage) bool) {
	var kept []DeliveryMessage
	for i, m := range d.Messages {
		if !chosen(i, m) {
			kept = append(kept, m)
			continue
		}
		if d.Told == nil {
			d.Told = map[string]Delivery{}
		}
		for _, one := range m.Orders {
			d.Told[one.Order] = one
		}
	}
	d.Messages = kept
}

// Has reports whether a message tells of a delivery.
func (d Deliveries) Has(one Delivery) bool {
	return d.Told[one.Order] == one || slices.ContainsFunc(d.Messages, func(m DeliveryMessage) bool { return slices.Contains(m.Orders, one) })
}

// ErrNoBatchCard says that a batch has no card: it is a single order, or its time is over.
var ErrNoBatchCard = errors.New("no card of a batch")

// emptyBatchLife is how long the card of a batch without orders is saved: while an approver may allow one.
const emptyBatchLife = HeldLife

// BatchKind is the kind of the job that updates the card of a batch, and the messages about its deliveries.
const BatchKind = "batch-card"

// BatchJob is the body of that job; it runs in the channel's lane.
type BatchJob struct {
	Batch   string    `json:"batch"`
	Refresh bool      `json:"refresh,omitempty"` // edit the card even if it is current: it may be gone
	Reach   int       `json:"reach,omitempty"`   // how often the channel was out of reach
	Doubles time.Time `json:"doubles,omitzero"`  // delete doubles of messages posted since; zero: update
}

// BatchCards saves the cards of batches.
type BatchCards struct {
	db      kv.DB
	records *records
}

func (s *BatchCards) keys(id string) script.Keys {
	return script.Keys{"batch": s.db.Key("batch", id), "batch_orders": s.db.Key("batch-orders", id)}
}

// Begin saves the card of a batch, and puts the job that posts it. A card that exists stays as it is. In another run of
// Redis than the batch's own, the card may have been posted and forgotten: it is searched for.
func (s *BatchCards) Begin(ctx context.Context, b OrderBatch) error {
	fields := script.Args{
		"team": b.Team, "channel": b.Channel, "requester": b.User, "name": b.Name, "total": len(b.Drafts()), "begun": inMillis(b.Opened), "compared": b.Run,
	}
	job := s.job(b.Team, b.Channel, BatchJob{Batch: b.ID}, "begin")
	_, err := s.db.Run(ctx, "begin_batch", s.keys(b.ID), script.Args{"fields": fields, "life": emptyBatchLife, "job": s.records.queue.PutArgs(ctx, job)})
	return kv.About("batch", b.ID, err)
}

// Progressed saves how many orders of a batch wait for an approver, and how many are not placed. A change puts the job
// that updates the card.
func (s *BatchCards) Progressed(ctx context.Context, id string, held, failed int) error {
	c, err := s.Card(ctx, id)
	if errors.Is(err, ErrNoBatchCard) || err == nil && c.Held == held && c.Failed == failed {
		return nil
	}
	if err != nil {
		return err
	}
	job, after := BatchUpdate(c.Team, c.Channel, id, time.Now())
	if _, err := s.records.queue.PutAfter(ctx, job, after); err != nil { // first: a repetition finds nothing to save
		return kv.About("batch", id, err)
	}
	return s.edit(ctx, id, script.Args{"held": held, "failed": failed})
}

// job returns the job that updates a batch's card. why makes its id unique.
func (s *BatchCards) job(team, channel string, body BatchJob, why string) queue.Job {
	return channelJob(team, channel, BatchKind, BatchKind+":"+body.Batch+":"+why, body)
}

// CardDeleted puts the job that posts a card again that was deleted in Slack.
func (s *BatchCards) CardDeleted(ctx context.Context, id, ts string) error {
	c, err := s.Card(ctx, id)
	if errors.Is(err, ErrNoBatchCard) || err == nil && c.TS != ts {
		return nil
	}
	if err == nil {
		_, err = s.records.queue.Put(ctx, s.job(c.Team, c.Channel, BatchJob{Batch: id, Refresh: true}, "deleted:"+ts))
	}
	return kv.About("batch", id, err)
}

// edit writes fields of a batch's card that exists.
func (s *BatchCards) edit(ctx context.Context, id string, fields script.Args) error {
	_, err := s.db.Run(ctx, "edit_batch", s.keys(id), script.Args{"fields": fields})
	return kv.About("batch", id, err)
}

// Posting leaves a mark before the card is posted.
func (s *BatchCards) Posting(ctx context.Context, id string, at time.Time) error {
	return s.edit(ctx, id, script.Args{"posting": inMillis(at)})
}

// CardPosted records the card: its timestamp, the hash of its content, and when it was known to exist.
func (s *BatchCards) CardPosted(ctx context.Context, id, ts, shown string, at time.Time) error {
	return s.edit(ctx, id, script.Args{"card_ts": ts, "shown": shown, "shown_at": inMillis(at), "posting": 0})
}

// SaveDeliveries saves the messages about a batch's deliveries.
func (s *BatchCards) SaveDeliveries(ctx context.Context, id string, d Deliveries) error {
	return s.edit(ctx, id, script.Args{"deliveries": kv.Encode(d)})
}

// Compared notes that the channel was compared with the record in this run of Redis.
func (s *BatchCards) Compared(ctx context.Context, id, run string) error {
	return s.edit(ctx, id, script.Args{"compared": run})
}

// Card returns the card of a batch, or [ErrNoBatchCard].
func (s *BatchCards) Card(ctx context.Context, id string) (BatchCard, error) {
	h, err := s.db.Redis.HGetAll(ctx, s.db.Key("batch", id)).Result()
	if err == nil && h["channel"] == "" {
		err = ErrNoBatchCard
	}
	if err != nil {
		return BatchCard{}, kv.About("batch", id, err)
	}
	fields := orderHash{fields: h}
	c := BatchCard{
		ID: id, Team: h["team"], Channel: h["channel"], Requester: h["requester"], Name: h["name"],
		Total: int(fields.number("total")), Held: int(fields.number("held")), Failed: int(fields.number("failed")), Left: int(fields.number("left")),
		Begun: moment(fields.number("begun")), TS: h["card_ts"], Posting: moment(fields.number("posting")),
		Shown: h["shown"], ShownAt: moment(fields.number("shown_at")), Compared: h["compared"],
	}
	if doc := h["deliveries"]; doc != "" {
		fields.errs = append(fields.errs, json.Unmarshal([]byte(doc), &c.Deliveries))
	}
	return c, kv.About("batch", id, errors.Join(fields.errs...))
}

// Of returns the batch whose card has the card of a draft's order in its thread, or "": a form that was opened again may
// name another channel.
func (s *BatchCards) Of(ctx context.Context, d Draft) (id string, err error) {
	if d.Batch == "" {
		return "", nil
	}
	c, err := s.Card(ctx, d.Batch)
	if errors.Is(err, ErrNoBatchCard) {
		return "", nil
	}
	if err != nil || c.Team != d.Team || c.Channel != d.Channel {
		return "", err
	}
	return c.ID, nil
}

// Orders returns the batch's orders in its channel, newest first, as lists show them: see [Orders.Requested].
func (s *BatchCards) Orders(ctx context.Context, c BatchCard) ([]Tracked, error) {
	ids, err := s.db.Redis.ZRevRange(ctx, s.db.Key("batch-orders", c.ID), 0, -1).Result()
	if err != nil {
		return nil, kv.About("batch", c.ID, err)
	}
	orders, err := s.records.summaries(ctx, ids)
	return orders, kv.About("batch", c.ID, err)
}

// Full returns some orders with their threads.
func (s *BatchCards) Full(ctx context.Context, ids []string) ([]Tracked, error) {
	return s.records.all(ctx, ids)
}

// InThread records that an order's card and replies are in the thread of that message.
func (s *Announcements) InThread(ctx context.Context, id string, generation int, root string) error {
	_, err := s.announcer(ctx, "in_thread", id, generation, s.records.keys(Tracked{ID: id}), script.Args{"root": root})
	return err
}

// batchBucket is the time within which all updates of a batch's card become one job.
const batchBucket = 3 * time.Second

// BatchUpdate returns the job that updates a batch's card, and when it is due. All updates of three seconds are one job.
func BatchUpdate(team, channel, batch string, now time.Time) (queue.Job, time.Duration) {
	due := now.Truncate(batchBucket).Add(batchBucket)
	id := BatchKind + ":" + batch + ":" + strconv.FormatInt(due.Unix(), 10)
	return channelJob(team, channel, BatchKind, id, BatchJob{Batch: batch}), due.Sub(now)
}
