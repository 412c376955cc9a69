package announce_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/files"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// sheetMaker makes contact sheets and records their images.
type sheetMaker struct {
	rows  [][]files.SheetRow
	busy  bool  // another one is being made
	fails error //
}

func (d *sheetMaker) Begin() (func(), bool) { return func() {}, !d.busy }

func (d *sheetMaker) Make(_ context.Context, rows []files.SheetRow) ([]byte, error) {
	if d.fails != nil {
		return nil, d.fails
	}
	d.rows = append(d.rows, rows)
	return []byte("\x89PNG\r\n\x1a\nsheet"), nil
}

// sheeted is a rig whose channel wants contact sheets, with a posted review.
func sheeted(t *testing.T, wanted store.ContactSheets, images int, o workspace.Options) (*rig, *sheetMaker, []order.EditedImage) {
	t.Helper()
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("\x89PNG\r\n\x1a\nsmall"))
	}))
	t.Cleanup(host.Close)
	r, d := newRig(t, o), &sheetMaker{}
	r.config.Sheets = d
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Sheets: wanted})
	r.place(t, shoots)
	var edited []order.EditedImage
	for i := range images {
		name := string(rune('a' + i))
		edited = append(edited, order.EditedImage{ID: "i" + name, Name: name + ".jpg", Thumb: host.URL + "/thumb/" + name, Origin: host.URL + "/full/" + name})
	}
	r.happens(t, order.StatusReviewing, 0, edited...)
	r.announce(t)
	return r, d, edited
}

// sheetJob returns the job for the newest review's sheets, or nil.
func (r *rig) sheetJob() *queue.Delivery {
	for _, job := range slices.Backward(r.put.jobs) {
		if strings.Contains(job.ID, ":sheets:") {
			return &queue.Delivery{Job: job}
		}
	}
	return nil
}

// fill delivers that job until it is done.
func (r *rig) fill(t *testing.T, d *queue.Delivery) {
	t.Helper()
	require.Eventually(t, func() bool {
		err := handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d)
		if err != nil {
			require.Equal(t, 3*time.Second, waits(t, err))
		}
		return err == nil
	}, waitLimit, waitTick)
}

func TestAReviewShowsItsContactSheetsOnceTheyAreThere(t *testing.T) {
	t.Parallel()
	r, d, _ := sheeted(t, store.SheetsEvery, 8, workspace.Options{FileProcessing: 100 * time.Millisecond})
	before := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Contains(t, before, "/thumb/a", "the message is out at once, as ever")
	posts, _ := r.calls("chat.postMessage")
	r.fill(t, r.sheetJob())
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Equal(t, 2, strings.Count(said, `"slack_file"`), "six and two")
	require.Contains(t, said, `"alt_text":"Round 1: 7 · g.jpg, 8 · h.jpg"`)
	require.NotContains(t, said, "/thumb/", "in place of the single pictures")
	require.Contains(t, said, "/full/h", "which are still linked in full size")
	require.Positive(t, buttons(r.reply(t, shoots, "ready:r0")))
	after, _ := r.calls("chat.postMessage")
	require.Equal(t, posts, after, "and nothing more is posted")
	require.Len(t, d.rows, 2)
	require.Equal(t, "1 · a.jpg", d.rows[0][0].Label)
	edit := only(t, d.rows[0][0].Pictures)
	require.Equal(t, "Round 1", edit.Title)
	require.Len(t, edit.From, 2, "full size, else the preview")

	r.happens(t, order.StatusPaused, 0)
	r.announce(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`, "they are kept")
	require.Len(t, d.rows, 2)
}

func TestALaterRoundComparesWhatChanged(t *testing.T) {
	t.Parallel()
	r, d, edited := sheeted(t, store.SheetsLater, 2, workspace.Options{})
	require.Nil(t, r.sheetJob(), "only later rounds have one")
	r.happens(t, order.StatusRevising, 0)
	edited[1].Revision, edited[1].Origin = 1, edited[1].Origin+"-new"
	r.happens(t, order.StatusReviewing, 1, edited...)
	r.announce(t)
	r.fill(t, r.sheetJob())
	require.Len(t, d.rows, 1)
	row := only(t, d.rows[0])
	require.Equal(t, "2 · b.jpg", row.Label)
	require.Equal(t, []string{"Round 1", "Round 2"}, titles(row))
	require.NotContains(t, row.Pictures[0].From[0].URL, "-new")
	require.Contains(t, row.Pictures[1].From[0].URL, "-new")
	said := shown(t, r.reply(t, shoots, "ready:r1"))
	require.Contains(t, said, "Round 1, Round 2: 2 · b.jpg")
	require.Equal(t, 1, strings.Count(said, `"slack_file"`))
}

// titles returns the titles of a row's pictures.
func titles(row files.SheetRow) (all []string) {
	for _, picture := range row.Pictures {
		all = append(all, picture.Title)
	}
	return all
}

func only[T any](t *testing.T, all []T) T {
	t.Helper()
	require.Len(t, all, 1)
	return all[0]
}

func TestAnOriginalIsFoundByTheBrief(t *testing.T) {
	t.Parallel()
	r, d := newRig(t, workspace.Options{}), &sheetMaker{}
	r.config.Sheets = d
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Sheets: store.SheetsEvery})
	zero := 0
	_, err := r.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: orderID, Reference: "K7Q2XM", Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0MARIA", Generation: 1},
		Order: order.Order{ID: orderID, ProjectName: "Smith wedding [K7Q2XM]", Status: order.StatusEditing, Revision: &zero},
		Brief: &order.Brief{Sources: []order.Source{{Name: "a.jpg", File: "F1"}, {Name: "b.jpg", URL: "https://example.com/b.jpg"}}},
	})
	require.NoError(t, err)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1}, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "2", Name: "b_edited.jpg"}, order.EditedImage{ID: "1", Name: "a.jpg"}, order.EditedImage{ID: "3", Name: "c.jpg"})
	r.announce(t)
	r.fill(t, r.sheetJob())
	rows := only(t, d.rows)
	require.Equal(t, []files.Photo{{URL: "https://example.com/b.jpg"}}, rows[0].Pictures[0].From)
	require.Equal(t, []files.Photo{{File: "F1"}}, rows[1].Pictures[0].From)
	require.Equal(t, []string{"Round 1"}, titles(rows[2]), "its original is unknown")

	r.asks(t, nil, "Brighter")
	r.happens(t, order.StatusReviewing, 1, order.EditedImage{ID: "2", Name: "b_edited.jpg", Revision: 1}, order.EditedImage{ID: "1", Name: "a.jpg", Revision: 1}, order.EditedImage{ID: "3", Name: "c.jpg", Revision: 1})
	r.announce(t)
	r.fill(t, r.sheetJob())
	rows = d.rows[1]
	require.Equal(t, []string{"Original", "Round 1", "Round 2"}, titles(rows[0]))
	require.Equal(t, []files.Photo{{File: "F1"}}, rows[1].Pictures[0].From)
	require.Equal(t, []string{"Round 1", "Round 2"}, titles(rows[2]))
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r1")), `"alt_text":"Original, Round 1, Round 2: 1 · b_edited.jpg, 2 · a.jpg. Round 1, Round 2: 3 · c.jpg"`)
}

// edits counts edits that show a sheet; the worker dies before the first answer.
type diesAtEdit struct {
	whole
	edits int
}

func (s *diesAtEdit) Edit(ctx context.Context, ts string, p client.Post) error {
	err := s.whole.Edit(ctx, ts, p)
	if s.edits++; s.edits == 1 && err == nil {
		return context.Canceled
	}
	return err
}

func TestAWorkerThatDiesLeavesOneSetOfSheets(t *testing.T) {
	t.Parallel()
	r, d, _ := sheeted(t, store.SheetsEvery, 8, workspace.Options{})
	job := r.sheetJob()
	r.config.Slack = &diesAtEdit{whole: r.slack}
	require.Error(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job))
	job.Interrupted, job.Deliveries = true, 2
	r.fill(t, job)
	require.Len(t, d.rows, 2, "what was uploaded is kept")
	job.State = nil // even where the state is lost
	r.fill(t, job)
	require.Len(t, d.rows, 2)
	require.Equal(t, 2, strings.Count(shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`))
}

func TestAReviewKeepsItsPicturesWhereThereIsNoSheet(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*testing.T, *rig, *sheetMaker){
		"it cannot be made":      func(_ *testing.T, _ *rig, d *sheetMaker) { d.fails = files.ErrNotPicture },
		"the app may not upload": func(_ *testing.T, r *rig, _ *sheetMaker) { r.config.Slack = noUploads{r.slack} },
		"the channel wants none any more": func(t *testing.T, r *rig, _ *sheetMaker) {
			t.Helper()
			settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, d, _ := sheeted(t, store.SheetsEvery, 2, workspace.Options{})
			before := shown(t, r.reply(t, shoots, "ready:r0"))
			spoil(t, r, d)
			r.fill(t, r.sheetJob())
			require.Equal(t, before, shown(t, r.reply(t, shoots, "ready:r0")))
		})
	}
}

// noUploads is a Slack in which the app may not upload files.
type noUploads struct{ whole }

func (noUploads) UploadImage(context.Context, string, []byte) (string, error) {
	return "", errors.Join(client.ErrMissingScope)
}

func TestASheetWaitsForAnotherOne(t *testing.T) {
	t.Parallel()
	r, d, _ := sheeted(t, store.SheetsEvery, 1, workspace.Options{})
	d.busy = true
	require.Equal(t, 3*time.Second, waits(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), r.sheetJob())))
}

// redelivers announces new edits of all images.
func (r *rig) redelivers(t *testing.T, edited []order.EditedImage) {
	t.Helper()
	edited = slices.Clone(edited)
	for i := range edited {
		edited[i].Revision, edited[i].Origin = 1, edited[i].Origin+"-new"
	}
	r.happens(t, order.StatusReviewing, 1, edited...)
	r.announce(t)
}

func TestAChannelChoosesWhichRoundsHaveASheet(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		wanted        store.ContactSheets
		first, second bool
	}{
		"nothing is set":     {"", false, true},
		"from round 2 on":    {store.SheetsLater, false, true},
		"every round":        {store.SheetsEvery, true, true},
		"never":              {store.SheetsOff, false, false},
		"one of a later app": {"sometimes", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _, edited := sheeted(t, row.wanted, 2, workspace.Options{})
			require.Equal(t, row.first, r.sheetJob() != nil)
			r.asks(t, nil, "Brighter")
			r.redelivers(t, edited)
			job := r.sheetJob()
			require.Equal(t, row.second, job != nil && strings.HasSuffix(job.ID, ":sheets:4"), "%+v", job)
		})
	}
}

func TestASheetShowsOnlyWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	every := []string{"1 · a.jpg", "2 · b.jpg", "3 · c.jpg", "4 · d.jpg", "5 · e.jpg"}
	for name, row := range map[string]struct {
		ask  func(t *testing.T, r *rig)
		on   []string
		rest string // what says that more is new
	}{
		"two photos": {
			func(t *testing.T, r *rig) {
				t.Helper()
				r.asks(t, map[string][]string{"ib": {"Brighter"}, "id": {"Darker"}})
			},
			[]string{"2 · b.jpg", "4 · d.jpg"},
			"*3 more photos are new.* See them with *See All 5* before you approve.",
		},
		"all photos":          {func(t *testing.T, r *rig) { t.Helper(); r.asks(t, nil, "Brighter") }, every, ""},
		"one, and all others": {func(t *testing.T, r *rig) { t.Helper(); r.asks(t, map[string][]string{"ib": {"Softer"}}, "Brighter") }, every, ""},
		"nobody knows what":   {func(t *testing.T, r *rig) { t.Helper(); r.happens(t, order.StatusRevising, 0) }, every, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, d, edited := sheeted(t, "", 5, workspace.Options{})
			row.ask(t, r)
			r.redelivers(t, edited)
			r.fill(t, r.sheetJob())
			var on []string
			for _, row := range only(t, d.rows) {
				on = append(on, row.Label)
			}
			require.Equal(t, row.on, on)
			said := shown(t, r.reply(t, shoots, "ready:r1"))
			require.Contains(t, said, `"alt_text":"Round 1, Round 2: `+strings.Join(on, ", ")+`"`)
			require.Contains(t, said, "/full/e-new", "the rest is linked")
			if row.rest == "" {
				require.NotContains(t, said, "See All")
				return
			}
			require.Contains(t, said, row.rest)
			require.Contains(t, said, `"text":"See All 5"`)
			require.Contains(t, said, "3 photos are not in this message.", "Approve asks")
		})
	}
}

func TestSheetsOfTheSmallestAndTheLargestOrder(t *testing.T) {
	t.Parallel()
	for images, sheets := range map[int]int{1: 1, order.MaxImages: 9} {
		r, d, edited := sheeted(t, "", images, workspace.Options{})
		r.asks(t, nil, "Brighter")
		r.redelivers(t, edited)
		r.fill(t, r.sheetJob())
		require.Len(t, d.rows, sheets)
		require.Len(t, slices.Concat(d.rows...), images)
		said := shown(t, r.reply(t, shoots, "ready:r1"))
		require.Equal(t, sheets, strings.Count(said, `"slack_file"`))
		require.Positive(t, buttons(r.reply(t, shoots, "ready:r1")))
	}
}

// A review that cannot have the sheet of the default keeps its pairs of previews.
func TestAReviewWithoutItsDefaultSheetKeepsItsPairs(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*rig, *sheetMaker){
		"a picture is missing":   func(_ *rig, d *sheetMaker) { d.fails = files.ErrNotPicture },
		"its time is over":       func(_ *rig, d *sheetMaker) { d.fails = context.DeadlineExceeded },
		"the app may not upload": func(r *rig, _ *sheetMaker) { r.config.Slack = noUploads{r.slack} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, d, edited := sheeted(t, "", 2, workspace.Options{})
			r.asks(t, nil, "Brighter")
			r.redelivers(t, edited)
			before := shown(t, r.reply(t, shoots, "ready:r1"))
			require.Contains(t, before, "Edit before the changes: 2 · b.jpg", "it is out at once")
			spoil(r, d)
			r.fill(t, r.sheetJob())
			require.Equal(t, before, shown(t, r.reply(t, shoots, "ready:r1")))
		})
	}
	r, _, edited := sheeted(t, "", 2, workspace.Options{})
	r.config.Sheets = nil
	r.asks(t, nil, "Brighter")
	r.redelivers(t, edited)
	require.Nil(t, r.sheetJob(), "this app makes none")
}

// A decision during the making of a later round's sheet is final, too.
func TestADecidedRoundShowsNoSheet(t *testing.T) {
	t.Parallel()
	r, d, edited := sheeted(t, "", 2, workspace.Options{})
	r.asks(t, nil, "Brighter")
	r.redelivers(t, edited)
	r.happens(t, order.StatusClosed, 1)
	r.announce(t)
	r.fill(t, r.sheetJob())
	require.Empty(t, d.rows)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r1")))
}

// A review that is decided while its sheet is made has no buttons.
func TestASheetThatComesTooLateIsNotShown(t *testing.T) {
	t.Parallel()
	r, d, _ := sheeted(t, store.SheetsEvery, 1, workspace.Options{})
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	r.fill(t, r.sheetJob())
	require.Empty(t, d.rows)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}
