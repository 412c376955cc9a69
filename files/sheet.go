package files

import (
	"context"
	"fmt"
	"image"
	"io"
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

const (
	// SheetRows is how many images a contact sheet has at most.
	SheetRows = 6
	// MaxPhoto is the largest file that is read for a contact sheet, in bytes.
	MaxPhoto = 20 << 20
	// photoTime is what it may take to come.
	photoTime = 45 * time.Second
	// mostDecodes are under way at once.
	mostDecodes = 2
)

// SheetRow is one image of a contact sheet: two pictures of it, side by side.
type SheetRow struct {
	Label         string // "1 · beach.jpg"
	Before, After SheetPicture
}

// SheetPicture is one picture of a row.
type SheetPicture struct {
	Title string  // "original"
	From  []Photo // where it may be, best first; the first that can be shown is
}

// Photo is where a picture is.
type Photo struct {
	URL  string // an address that others chose; "": it is a file of Slack's
	File string // its id
}

// Sheets makes contact sheets: one at a time, and of it few pictures at once, so that their memory is bounded whatever
// the pictures are.
type Sheets struct {
	fetcher   *Fetcher
	workspace string // whose turn it is when others want sheets, too
	source    Source // nil: files of Slack's cannot be shown
	log       *slog.Logger
	line      *sheetLine
	memory    *semaphore.Weighted
}

// From is the same maker, for pictures of another workspace's Slack: both together do no more at once than one, and take turns.
func (s *Sheets) From(workspace string, source Source) *Sheets {
	its := *s
	its.workspace, its.source = workspace, source
	return &its
}

// NewSheets returns a maker of sheets, of which a process has one. It fetches as [NewFetcher] does.
func NewSheets(allowPrivate bool, source Source, log *slog.Logger) *Sheets {
	fetcher := NewFetcher(FetcherConfig{AllowPrivate: allowPrivate, MaxBytes: MaxPhoto, Timeout: photoTime, Photos: true})
	return &Sheets{fetcher: fetcher, source: source, log: log, line: &sheetLine{wait: map[string]sheetWait{}}, memory: semaphore.NewWeighted(MaxDecoded)}
}

// Begin claims the only place there is for a sheet to be made; false: another one is, or a workspace that has waited longer comes
// first. Whoever got it calls done; whoever did not asks again within seconds.
func (s *Sheets) Begin() (done func(), ok bool) { return s.line.begin(s.workspace) }

// Make makes a sheet of the first [SheetRows] rows, a JPEG of a megabyte at most. A picture that cannot be shown is an
// empty tile with its name; it is an error when none can.
func (s *Sheets) Make(ctx context.Context, rows []SheetRow) ([]byte, error) {
	rows = rows[:min(SheetRows, len(rows))]
	drawn := make([]drawnRow, len(rows))
	var making errgroup.Group
	making.SetLimit(mostDecodes)
	for i, row := range rows {
		drawn[i] = drawnRow{label: row.Label, titles: [2]string{row.Before.Title, row.After.Title}}
		for side, picture := range []SheetPicture{row.Before, row.After} {
			making.Go(func() error {
				drawn[i].tiles[side] = s.tile(ctx, picture)
				return nil
			})
		}
	}
	_ = making.Wait() // what cannot be shown was said
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !anyTile(drawn) {
		return nil, fmt.Errorf("contact sheet: %w: none of its pictures can be shown", ErrNotPicture)
	}
	sheet, err := drawSheet(drawn)
	if err != nil {
		return nil, fmt.Errorf("contact sheet: %w", err)
	}
	return encodeSheet(sheet)
}

func anyTile(rows []drawnRow) bool {
	for _, row := range rows {
		if row.tiles[0] != nil || row.tiles[1] != nil {
			return true
		}
	}
	return false
}

// tile is the first of a picture's places that can be shown, small; nil: none can.
func (s *Sheets) tile(ctx context.Context, picture SheetPicture) *image.RGBA {
	for _, photo := range picture.From {
		small, err := s.small(ctx, photo)
		if err == nil {
			return small
		}
		s.log.DebugContext(ctx, "picture not on a contact sheet", "err", err)
	}
	return nil
}

func (s *Sheets) small(ctx context.Context, photo Photo) (*image.RGBA, error) {
	data, err := s.fetch(ctx, photo)
	if err != nil {
		return nil, err
	}
	picture, err := examine(data)
	if err != nil {
		return nil, err
	}
	if err := s.memory.Acquire(ctx, picture.cost); err != nil {
		return nil, err
	}
	defer s.memory.Release(picture.cost)
	return picture.scaled(ctx, image.Pt(tileWidth, tileHeight))
}

func (s *Sheets) fetch(ctx context.Context, photo Photo) ([]byte, error) {
	switch {
	case photo.URL != "":
		return s.fetcher.Fetch(ctx, photo.URL)
	case photo.File == "" || s.source == nil:
		return nil, ErrGone
	}
	ctx, cancel := context.WithTimeout(ctx, photoTime)
	defer cancel()
	resp, err := s.source.Open(ctx, photo.File, "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("source: status %d", resp.StatusCode)
	}
	var data []byte
	err = s.fetcher.take(resp, photos, func(p Picture) (n int64, err error) {
		data, err = io.ReadAll(p.Body)
		return int64(len(data)), err
	})
	return data, err
}
