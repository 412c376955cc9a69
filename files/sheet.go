package files

import (
	"context"
	"fmt"
	"image"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

const (
	// SheetRows is how many images a contact sheet has at most.
	SheetRows = 6
	// SheetColumns is how many pictures of an image stand side by side at most.
	SheetColumns = 3
	// maxPhoto is the largest file that a contact sheet reads, in bytes.
	maxPhoto = 20 << 20
	// photoTimeout bounds the fetch of one picture.
	photoTimeout = 45 * time.Second
	// maxDecodes is how many pictures are fetched and decoded at once.
	maxDecodes = 2
)

// SheetRow is one image of a contact sheet: its pictures side by side, the newest last.
type SheetRow struct {
	Label    string // "1 · beach.jpg"
	Pictures []SheetPicture
}

// SheetPicture is one picture of a row.
type SheetPicture struct {
	Title string  // "Original"
	From  []Photo // best first; the first one that can be shown is used
}

// Photo is the place of a picture: a URL or a Slack file.
type Photo struct {
	URL  string // chosen by others; "": a Slack file
	File string // its id in Slack
}

// Sheets makes one contact sheet at a time, and decodes few pictures at once. So its memory is bounded for any pictures.
type Sheets struct {
	fetcher   *Fetcher
	workspace string // takes turns with others
	source    Source // nil: Slack files cannot be shown
	log       *slog.Logger
	queue     *sheetQueue
	memory    *semaphore.Weighted
}

// From returns the maker for another workspace and its Slack files. Both share the limits and take turns.
func (s *Sheets) From(workspace string, source Source) *Sheets {
	view := *s
	view.workspace, view.source = workspace, source
	return &view
}

// NewSheets returns a maker of contact sheets; a process has one. allowPrivate is as in [FetcherConfig].
func NewSheets(allowPrivate bool, source Source, log *slog.Logger) *Sheets {
	fetcher := NewFetcher(FetcherConfig{AllowPrivate: allowPrivate, MaxBytes: maxPhoto, Timeout: photoTimeout, Photos: true})
	return &Sheets{fetcher: fetcher, source: source, log: log, queue: &sheetQueue{waiting: map[string]sheetWait{}}, memory: semaphore.NewWeighted(maxDecoded)}
}

// Begin reserves the maker for one sheet; done frees it. It returns false while another sheet is made, or if another
// workspace has waited longer. Then ask again every three seconds.
func (s *Sheets) Begin() (done func(), ok bool) { return s.queue.begin(s.workspace) }

// Make makes a sheet of the first [SheetRows] rows, each with its first [SheetColumns] pictures: a JPEG of a megabyte at
// most. A picture that cannot be shown becomes an empty tile with its label. The error is [ErrNotPicture] if the newest
// picture of a row cannot be shown.
func (s *Sheets) Make(ctx context.Context, rows []SheetRow) ([]byte, error) {
	rows = rows[:min(SheetRows, len(rows))]
	drawn := make([]drawnRow, len(rows))
	var making errgroup.Group
	making.SetLimit(maxDecodes)
	for i, row := range rows {
		pictures := row.Pictures[:min(SheetColumns, len(row.Pictures))]
		drawn[i] = drawnRow{label: row.Label, pictures: make([]drawnPicture, len(pictures))}
		for column, picture := range pictures {
			one := &drawn[i].pictures[column]
			one.title = picture.Title
			making.Go(func() error {
				one.tile = s.tile(ctx, picture, image.Pt(tileWidth(len(pictures)), tileHeight))
				return nil
			})
		}
	}
	_ = making.Wait() // tile logs its errors
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(drawn, drawnRow.lacksNewest) {
		return nil, fmt.Errorf("contact sheet: %w: the newest of an image cannot be shown", ErrNotPicture)
	}
	sheet, err := drawSheet(drawn)
	if err != nil {
		return nil, fmt.Errorf("contact sheet: %w", err)
	}
	return encodeSheet(sheet)
}

// tile returns the picture, scaled to fit into a box, from the first place that can be shown; nil: none can.
func (s *Sheets) tile(ctx context.Context, picture SheetPicture, box image.Point) *image.RGBA {
	for _, photo := range picture.From {
		small, err := s.scaled(ctx, photo, box)
		if err == nil {
			return small
		}
		s.log.DebugContext(ctx, "picture not on a contact sheet", "err", err)
	}
	return nil
}

func (s *Sheets) scaled(ctx context.Context, photo Photo, box image.Point) (*image.RGBA, error) {
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
	small, _, err := picture.scaled(ctx, box, shrink)
	return small, err
}

func (s *Sheets) fetch(ctx context.Context, photo Photo) ([]byte, error) {
	switch {
	case photo.URL != "":
		return s.fetcher.Fetch(ctx, photo.URL)
	case photo.File == "" || s.source == nil:
		return nil, ErrGone
	}
	ctx, cancel := context.WithTimeout(ctx, photoTimeout)
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
	err = s.fetcher.readLimited(resp, photos, func(p Picture) (n int64, err error) {
		data, err = io.ReadAll(p.Body)
		return int64(len(data)), err
	})
	return data, err
}
