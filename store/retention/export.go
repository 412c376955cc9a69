package retention

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/kv"
)

// ExportVersion is the version of the lines that [Exports.Export] writes. New fields do not change it.
const ExportVersion = 1

// Exported counts the lines of an export.
type Exported struct {
	Orders   int `json:"orders"`
	Events   int `json:"events"`
	Settings int `json:"settings"`
	Presets  int `json:"presets"`
}

// ExportLine is one line of an export: Type says which of the other fields it has.
type ExportLine struct {
	Type    string `json:"type"`              // "export", "order", "event", "settings", "presets", and at last "end"
	Version int    `json:"version,omitempty"` // export

	Order    *ExportedOrder   `json:"order,omitempty"`
	OrderID  string           `json:"order_id,omitempty"` // event
	Event    *ExportedEvent   `json:"event,omitempty"`
	Channel  string           `json:"channel,omitempty"` // settings, presets; "": the workspace's settings
	Settings json.RawMessage  `json:"settings,omitempty"`
	Presets  []ExportedPreset `json:"presets,omitempty"`
	Lines    *Exported        `json:"lines,omitempty"` // end
	Padding  string           `json:"padding,omitempty"`
}

// ExportedOrder is an order in an export. Its fields are chosen one by one. It has no addresses of
// pictures: everybody who knows such an address sees the picture.
type ExportedOrder struct {
	ID          string              `json:"id"`
	Reference   string              `json:"reference,omitempty"`
	Channel     string              `json:"channel"`
	Batch       string              `json:"batch,omitempty"` // orders with the same one were placed together
	Requester   string              `json:"requester,omitempty"`
	ProjectName string              `json:"project_name,omitempty"`
	CustomerID  string              `json:"customer_id,omitempty"`
	Status      order.Status        `json:"status,omitempty"`
	Revision    int                 `json:"revision,omitempty"`
	Price       decimal.NullDecimal `json:"price,omitzero"`
	Images      int                 `json:"images,omitempty"`
	OrderedAt   time.Time           `json:"ordered_at,omitzero"`
	Estimated   time.Time           `json:"estimated_delivery,omitzero"`
	ClosedAt    time.Time           `json:"closed_at,omitzero"`
	CanceledAt  time.Time           `json:"canceled_at,omitzero"`
	Untracked   bool                `json:"untracked,omitempty"`
	Gone        bool                `json:"gone,omitempty"`
	Brief       *ExportedBrief      `json:"brief,omitempty"`
	Edited      []string            `json:"edited_images,omitempty"` // their names
}

// ExportedBrief is the brief of an order or a preset.
type ExportedBrief struct {
	By           string           `json:"by,omitempty"`
	Instructions []string         `json:"instructions,omitempty"`
	Service      string           `json:"service,omitempty"`
	CustomerID   string           `json:"customer_id,omitempty"`
	AllowedBy    string           `json:"allowed_by,omitempty"`
	Preset       string           `json:"preset,omitempty"` // name
	Images       []ExportedSource `json:"images,omitempty"`
}

// ExportedSource is an image that was handed in.
type ExportedSource struct {
	Name        string `json:"name,omitempty"`
	Service     string `json:"service,omitempty"`
	Instruction string `json:"instruction,omitempty"`
}

// ExportedEvent is an event of an order.
type ExportedEvent struct {
	ID       string              `json:"id"`
	Kind     order.EventKind     `json:"kind"`
	Actor    string              `json:"actor,omitempty"`
	At       time.Time           `json:"at"`
	Status   order.Status        `json:"status,omitempty"`
	Revision int                 `json:"revision,omitempty"`
	Words    []string            `json:"words,omitempty"`
	PerImage map[string][]string `json:"per_image,omitempty"`
}

// ExportedPreset is a preset of a channel.
type ExportedPreset struct {
	Name    string         `json:"name"`
	SavedBy string         `json:"saved_by,omitempty"`
	SavedAt time.Time      `json:"saved_at,omitzero"`
	Pinned  bool           `json:"pinned,omitempty"`
	Brief   *ExportedBrief `json:"brief,omitempty"`
}

// exporting is an export that is being written.
type exporting struct {
	*Exports
	lines  *json.Encoder
	counts Exported
}

// Exports writes the data of a workspace for its people.
type Exports struct {
	db      kv.DB
	orders  *store.Orders
	presets *store.Presets
}

// NewExports returns the exports of a store.
func NewExports(s *store.Store) *Exports { return &Exports{s.DB(nil), s.Orders, s.Presets} }

// Export writes the workspace's orders with their events, its settings and its presets, one JSON document a line, in
// arbitrary order. It holds one page of keys, one order, and all ids in memory. Data that changes meanwhile comes in its
// old or its new form. An export has no secrets.
func (s *Exports) Export(ctx context.Context, w io.Writer) (Exported, error) {
	e := &exporting{Exports: s, lines: json.NewEncoder(w)}
	e.lines.SetEscapeHTML(false)
	err := e.lines.Encode(ExportLine{Type: "export", Version: ExportVersion})
	written := map[string]bool{}
	for _, family := range []struct {
		name string
		line func(ctx context.Context, rest string) error
	}{{"order", e.order}, {"settings", e.settings}, {"presets", e.presets}} {
		if err != nil {
			break
		}
		err = s.db.EachPage(ctx, family.name, func(ctx context.Context, keys []string) error {
			for _, key := range keys {
				if written[key] { // SCAN may show a key twice
					continue
				}
				written[key] = true
				if err := family.line(ctx, strings.TrimPrefix(key, s.db.Key(family.name, ""))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return e.counts, fmt.Errorf("export: %w", err)
	}
	return e.counts, nil
}

func (e *exporting) order(ctx context.Context, id string) error {
	t, err := e.orders.Order(ctx, id)
	if errors.Is(err, store.ErrNotTracked) {
		return nil // it was deleted meanwhile
	}
	if err != nil {
		return err
	}
	if err := e.lines.Encode(ExportLine{Type: "order", Order: exportedOrder(t)}); err != nil {
		return err
	}
	e.counts.Orders++
	events, err := e.orders.Events(ctx, id)
	if err != nil {
		return err
	}
	for _, happened := range events {
		line := ExportLine{Type: "event", OrderID: id, Event: &ExportedEvent{
			ID: happened.ID, Kind: happened.Kind, Actor: happened.Actor, At: happened.At, Status: happened.Order.Status,
			Revision: happened.Order.Rev(), Words: happened.Words, PerImage: happened.PerImage,
		}}
		if err := e.lines.Encode(line); err != nil {
			return err
		}
		e.counts.Events++
	}
	return nil
}

func exportedOrder(t store.Tracked) *ExportedOrder {
	o := t.Order
	out := &ExportedOrder{
		ID: t.ID, Reference: t.Reference, Channel: t.Owner.Channel, Batch: t.Batch, Requester: t.Owner.Requester,
		ProjectName: o.ProjectName, CustomerID: o.CustomerID, Status: o.Status, Revision: o.Rev(), Price: o.Price, Images: t.Images,
		OrderedAt: o.OrderedAt, Estimated: o.EstimatedDelivery, ClosedAt: o.ClosedAt, CanceledAt: o.CanceledAt,
		Untracked: t.Untracked, Gone: t.Gone, Brief: exportedBrief(t.Brief),
	}
	for _, image := range o.EditedImages {
		out.Edited = append(out.Edited, image.Name)
	}
	return out
}

func exportedBrief(b *order.Brief) *ExportedBrief {
	if b == nil {
		return nil
	}
	out := &ExportedBrief{By: b.By, Instructions: b.Instructions, Service: string(b.Service), CustomerID: b.CustomerID, AllowedBy: b.AllowedBy, Preset: b.Preset}
	for _, source := range b.Sources {
		out.Images = append(out.Images, ExportedSource{source.Name, string(source.Service), source.Instruction})
	}
	return out
}

func (e *exporting) settings(ctx context.Context, place string) error {
	doc, err := e.db.Redis.Get(ctx, e.db.Key("settings", place)).Bytes()
	if err != nil || !json.Valid(doc) {
		return ignoreAbsent(err)
	}
	_, channel, _ := strings.Cut(place, ":")
	e.counts.Settings++
	return e.lines.Encode(ExportLine{Type: "settings", Channel: channel, Settings: doc})
}

func (e *exporting) presets(ctx context.Context, place string) error {
	team, channel, _ := strings.Cut(place, ":")
	all, err := e.Exports.presets.In(ctx, team, channel)
	if err != nil || len(all) == 0 {
		return err
	}
	line := ExportLine{Type: "presets", Channel: channel}
	for _, p := range all {
		line.Presets = append(line.Presets, ExportedPreset{p.Name, p.SavedBy, p.SavedAt, p.Pinned, exportedBrief(&p.Brief)})
	}
	e.counts.Presets += len(all)
	return e.lines.Encode(line)
}

// ignoreAbsent returns nil for the error of an absent key, else err.
func ignoreAbsent(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// exportSlack is how many bytes an export may grow between counting it and writing it, besides 5%.
const exportSlack = 64 << 10

// ErrExportGrew says that the export is larger than its counted size.
var ErrExportGrew = errors.New("the export has grown")

// ExportSize returns the size of an export in bytes, with some room to grow.
func (s *Exports) ExportSize(ctx context.Context) (int64, error) {
	var n counter
	_, err := s.Export(ctx, &n)
	return int64(n) + int64(n)/20 + exportSlack, err
}

// counter counts the bytes written to it.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// ExportSized is [Exports.Export] with exactly that many bytes: Slack needs a file's size before the upload, and the app
// keeps no file on disk. The last line is padded. [ErrExportGrew]: the export does not fit.
func (s *Exports) ExportSized(ctx context.Context, w io.Writer, size int64) error {
	bounded := &limited{w: w, left: size}
	counts, err := s.Export(ctx, bounded)
	if err != nil {
		return err
	}
	end, err := json.Marshal(ExportLine{Type: "end", Lines: &counts, Padding: "-"})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	more := bounded.left - int64(len(end)) - 1 // with its line break
	if more < 0 {
		return ErrExportGrew
	}
	before, after, _ := strings.Cut(string(end), `"padding":"`)
	for _, part := range []io.Reader{strings.NewReader(before + `"padding":"`), io.LimitReader(dashes{}, more), strings.NewReader(after + "\n")} {
		if _, err := io.Copy(bounded, part); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	return nil
}

// limited fails with [ErrExportGrew] instead of writing more than left bytes.
type limited struct {
	w    io.Writer
	left int64
}

func (l *limited) Write(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		return 0, ErrExportGrew
	}
	l.left -= int64(len(p))
	return l.w.Write(p)
}

// dashes is an endless stream of dashes.
type dashes struct{}

func (dashes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '-'
	}
	return len(p), nil
}
