package place_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// orderForms returns everything a person sees before an order is placed.
func orderForms(s cardstest.Scene) map[string]any {
	d := s.Photographed()
	other := s.Draft()
	other.UpdatedAt = cardstest.Now
	refused := place.FormExtras{Upload: true, Balance: "88", Problems: kit.Problems{"one file is not accessible from our server: " + d.Files[0].URL, s.Words}}
	return map[string]any{
		"empty":          place.Window(store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}, place.FormExtras{Upload: true, Balance: "88"}, "x1"),
		"open":           place.Window(d, place.FormExtras{Upload: true, Balance: "88", Filled: &place.Form{Options: true}}, "x1"),
		"table":          place.Window(store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}, place.FormExtras{Upload: true, Filled: &place.Form{Options: true, Table: true}}, "x1"),
		"open_elsewhere": place.Window(store.Draft{ID: "d3", Attempt: 1, Service: order.ServiceBasic}, place.FormExtras{Upload: true, Filled: &place.Form{Options: true}}, "x1"),
		"photos":         place.Window(d, place.FormExtras{Upload: true, Balance: "88", UploadGen: 2}, "x1"),
		"refused":        place.Window(d, refused, "x1"),
		"unfinished":     place.Window(store.Draft{ID: "d2", Attempt: 1}, place.FormExtras{Upload: true, Unfinished: &other}, "x1"),
		"unsure":         place.Window(s.Draft(), place.FormExtras{Upload: true, Unsure: true}, "x1"),
		"left":           place.Window(d, place.FormExtras{Upload: true, Skipped: []string{s.Words + " is empty.", "notes.pdf is not a photo."}}, "x1"),
		"no_public_url":  place.Window(d, place.FormExtras{}, "x1"),
		"images":         place.ImagesWindow(d, 0, place.FormExtras{Balance: "88"}, "x1"),
		"images_last":    place.ImagesWindow(d, place.ImagePages(d)-1, place.FormExtras{}, "x1"),
		"reopen":         place.Reopen(d, "I was too late."),
		"kept":           place.Refused(d, refused.Problems),
		"told":           kit.AsMessage(place.Window(d, refused, "x1")),
	}
}

func TestOrderForms(t *testing.T) { cardstest.Golden(t, orderForms) }

// Each row of an order file may have its own instructions, so the form may have none.
func TestTheFormOfAnOrderFileAsksOnlyForRowsWithoutTheirOwn(t *testing.T) {
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C1", Service: order.ServiceBasic}
	instructions := func(v slack.ModalViewRequest) (label string, optional bool) {
		for _, b := range v.Blocks.BlockSet {
			if input, is := b.(*slack.InputBlock); is && strings.Contains(cardstest.Pretty(t, input), "What should the editor do?") {
				return input.Label.Text, input.Optional
			}
		}
		return "", false
	}
	v := place.Window(d, place.FormExtras{Upload: true, Filled: &place.Form{Options: true}}, "x")
	label, optional := instructions(v)
	require.Equal(t, "Instructions", label)
	require.False(t, optional)
	require.Contains(t, cardstest.Pretty(t, v), "Use an Order File")

	form := place.DecodeTyped(slack.View{PrivateMetadata: v.PrivateMetadata}).Opens(place.ActionTable)
	v = place.Window(d, place.FormExtras{Upload: true, Filled: &form}, "x")
	label, optional = instructions(v)
	require.Equal(t, "For rows without their own", label)
	require.True(t, optional)
	require.NotContains(t, cardstest.Pretty(t, v), "Use an Order File")
	require.True(t, place.DecodeTyped(slack.View{PrivateMetadata: v.PrivateMetadata}).Table, "it stays one when it is drawn again")
}

func TestFiftyPhotosFitOneForm(t *testing.T) {
	d := cardstest.Of(strings.Repeat("é", 300), 50).Photographed()
	for i := range 40 {
		d.Instructions = append(d.Instructions, strings.Repeat("w", 600)+fmt.Sprint(i))
	}
	var problems kit.Problems
	for _, f := range d.Files {
		problems = append(problems, "one file is not accessible from our server: "+f.URL)
	}
	v := place.Window(d, place.FormExtras{Upload: true, Problems: problems}, "x")
	cardstest.CheckLimits(t, v)
	require.Len(t, kit.DecodeMeta(v.PrivateMetadata).Photos, 50, "the form knows what it shows")
}

func TestASignedAddressIsNeverShown(t *testing.T) {
	d := cardstest.Of("beach", 3).Photographed()
	reason := kit.Problems{"one file is not accessible from our server: " + d.Files[1].URL}
	for name, v := range map[string]any{
		"form": place.Window(d, place.FormExtras{Upload: true, Problems: reason}, "x"), "kept": place.Refused(d, reason),
	} {
		shown := cardstest.Pretty(t, v)
		require.NotContains(t, shown, "/files/", name)
		require.Contains(t, shown, "not accessible from our server: 2 · beach 2.jpg", name)
	}
}

func TestThePhotosAreRowsOfTenSmallPicturesWithOneMenu(t *testing.T) {
	d := cardstest.Of("beach", 23).Photographed()
	d.Files[4].Name = "raw.tiff"
	var rows []int
	var names []string
	for _, b := range place.Window(d, place.FormExtras{Upload: true}, "x").Blocks.BlockSet {
		row, ok := b.(*slack.ContextBlock)
		if !ok || len(row.ContextElements.Elements) < 2 {
			continue
		}
		rows = append(rows, len(row.ContextElements.Elements))
		for _, e := range row.ContextElements.Elements {
			if text, ok := e.(*slack.TextBlockObject); ok {
				names = append(names, text.Text)
			}
		}
	}
	require.Equal(t, []int{10, 10, 3}, rows)
	require.Equal(t, []string{"5 · raw.tiff"}, names, "what Slack does not show is named")
}

func TestAProblemStandsUnderThePhotosAndNamesItsOwn(t *testing.T) {
	d := cardstest.Of("beach", 3).Photographed()
	v := place.Window(d, place.FormExtras{Upload: true, Problems: kit.Problems{"not accessible: " + d.Files[1].URL}}, "x")
	at := slices.IndexFunc(v.Blocks.BlockSet, func(b slack.Block) bool { return strings.Contains(kit.TextIn(b), "not accessible: 2 · beach 2.jpg") })
	require.Positive(t, at)
	pictures, ok := v.Blocks.BlockSet[at-1].(*slack.ContextBlock)
	require.True(t, ok)
	require.Len(t, pictures.ContextElements.Elements, 3)
}

// A form that nobody opened further asks three things; whatever it shows, it has at most six inputs.
func TestAFormHasAtMostSixInputs(t *testing.T) {
	inputs := func(v slack.ModalViewRequest) (labels []string) {
		for _, b := range v.Blocks.BlockSet {
			if in, ok := b.(*slack.InputBlock); ok {
				labels = append(labels, in.Label.Text)
			}
		}
		return labels
	}
	fresh := store.Draft{ID: "d1", Attempt: 1, Channel: "C0PHOTOS", Service: order.ServiceBasic}
	require.Equal(t, []string{"Photos", "Instructions", "Service type"}, inputs(place.Window(fresh, place.FormExtras{Upload: true}, "x")))
	elsewhere := fresh
	elsewhere.Channel = ""
	require.Equal(t, []string{"Post to", "Photos", "Instructions", "Service type"}, inputs(place.Window(elsewhere, place.FormExtras{Upload: true}, "x")))
	presets := &place.PresetMenu{Presets: []store.Preset{{Name: "Beach"}}}
	open := &place.Form{Options: true}
	for _, d := range []store.Draft{fresh, elsewhere, cardstest.Of("beach", 3).Photographed(), cardstest.Of("beach", 3).Draft()} {
		for _, upload := range []bool{true, false} {
			v := place.Window(d, place.FormExtras{Upload: upload, Presets: presets, Filled: open}, "x")
			require.LessOrEqual(t, len(inputs(v)), 6)
			d.Unpostable = "not_in_channel"
			require.LessOrEqual(t, len(inputs(place.Window(d, place.FormExtras{Upload: upload, Presets: presets, Filled: open}, "x"))), 6)
			all := map[string]bool{}
			for _, in := range cardstest.Inputs(v.Blocks.BlockSet) {
				all[in.Label.Text] = true
			}
			for _, label := range []string{"Post to", "Photo links", "Service type", "Instructions", "Project name", "Customer ID", "Preset", "Per photo"} {
				require.True(t, all[label], label)
			}
		}
	}
}

// A form whose photos are there asks for no more, but where some may be missing or be lost.
func TestAFormWithPhotosHasTheUploadFieldBehindAddPhotos(t *testing.T) {
	for name, c := range map[string]struct {
		photos int
		extras place.FormExtras
		asks   bool
	}{
		"no photos":       {0, place.FormExtras{}, true},
		"photos":          {12, place.FormExtras{}, false},
		"full":            {order.MaxImages, place.FormExtras{Filled: &place.Form{Options: true}}, false},
		"options":         {12, place.FormExtras{Filled: &place.Form{Options: true}}, true},
		"comes back":      {12, place.FormExtras{Filled: &place.Form{More: true}}, true},
		"visible before":  {12, place.FormExtras{Filled: &place.Form{Shown: map[string]bool{kit.FieldPhotos: true}}}, true},
		"refused":         {12, place.FormExtras{Problems: kit.Problems{"not accessible"}}, true},
		"some left out":   {12, place.FormExtras{Skipped: []string{"notes.pdf is not a photo."}}, true},
		"some maybe lost": {12, place.FormExtras{Unsure: true}, true},
		"some wrong":      {12, place.FormExtras{Filled: &place.Form{}, Wrong: place.Wrong{kit.FieldPhotos: "Too large."}}, true},
	} {
		d := store.Draft{ID: "d1", Attempt: 1, Channel: "C0PHOTOS"}
		if c.photos > 0 {
			d = cardstest.Of("beach", c.photos).Photographed()
		}
		c.extras.Upload = true
		window := place.Window(d, c.extras, "x")
		v := cardstest.Untouched(t, window)
		require.Equal(t, c.asks, kit.HasField(v, kit.FieldPhotos), name)
		require.Equal(t, c.asks, place.DecodeTyped(v).Shown[kit.FieldPhotos], "it stays visible while it may hold photos: "+name)
		require.Equal(t, c.asks && c.photos > 0, strings.Contains(cardstest.Pretty(t, window), "and the photos you add"), name)
	}
}

// The channel's row is no input, so Slack shows no error there: the form is drawn anew with it.
func TestAMissingChannelIsSaidAtItsRow(t *testing.T) {
	d := store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic, URLs: []string{"https://e.com/a.jpg"}, Instructions: []string{"Brighter"}}
	open := place.FormExtras{Upload: true, Filled: &place.Form{Options: true}}
	view := cardstest.Untouched(t, place.Window(d, open, "x"))
	form, wrong := place.Decode(view)
	require.True(t, form.Options)
	require.True(t, wrong.Unplaced(view))
	require.Len(t, wrong.Beside(view), 1)
	require.Contains(t, wrong.Beside(view)[kit.BlockOf(view, kit.FieldPhotos)], "Choose the channel", "where nothing else is left, at a field that Slack knows")
	open.Wrong, open.Filled = wrong, &form
	blocks := place.Window(d, open, "x").Blocks.BlockSet
	at := slices.IndexFunc(blocks, func(b slack.Block) bool { return strings.Contains(kit.TextIn(b), "Choose the channel") })
	require.Contains(t, kit.TextIn(blocks[at-1]), "Post to")
	view.State.Values[kit.BlockOf(view, "postto")] = map[string]slack.BlockAction{place.ActionPostTo: {SelectedConversation: "C0PHOTOS"}}
	form, wrong = place.Decode(view)
	require.Empty(t, wrong)
	require.Equal(t, "C0PHOTOS", form.Channel)
}

// What is wrong behind More Options opens it.
func TestAProblemBehindMoreOptionsOpensThem(t *testing.T) {
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C0PHOTOS"}
	shut := place.Window(d, place.FormExtras{Upload: true}, "x")
	require.Contains(t, cardstest.Pretty(t, shut), "More Options")
	v := cardstest.Pretty(t, place.Window(d, place.FormExtras{Upload: true, Filled: &place.Form{}, Wrong: place.Wrong{place.FieldCustomer: "Too long."}}, "x"))
	require.NotContains(t, v, "More Options")
	require.Contains(t, v, "Too long.")
	require.Contains(t, v, "Photo links")
}

func TestAnotherDraftInTheSameWindowHasFieldsOfItsOwn(t *testing.T) {
	mine := cardstest.Untouched(t, place.Window(store.Draft{ID: "d1", Attempt: 1}, place.FormExtras{}, "x"))
	other := cardstest.Untouched(t, place.Window(store.Draft{ID: "d2", Attempt: 1}, place.FormExtras{}, "x"))
	for id := range mine.State.Values {
		require.NotContains(t, other.State.Values, id)
	}
}

func TestTheUploadFieldIsEmptiedAndNothingElse(t *testing.T) {
	d := cardstest.Of("beach", 1).Draft()
	open := &place.Form{Options: true}
	before := cardstest.Untouched(t, place.Window(d, place.FormExtras{Upload: true, Filled: open}, "x")).State.Values
	after := cardstest.Untouched(t, place.Window(d, place.FormExtras{Upload: true, UploadGen: 1, Filled: open}, "x")).State.Values
	var fresh []string
	for id := range after {
		if _, was := before[id]; !was {
			field, _, _ := strings.Cut(id, ":")
			fresh = append(fresh, field)
		}
	}
	require.ElementsMatch(t, []string{kit.FieldPhotos, place.FieldMore}, fresh)
}

// photoState returns a form with so many uploads, saved photos and URLs.
func photoState(t *testing.T, uploads, kept, urls int) slack.View {
	t.Helper()
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C0PHOTOS", Service: order.ServiceBasic, Instructions: []string{"Brighter"}}
	if urls > 0 {
		d.URLs = kit.Addresses(cardstest.URLLines(urls))
	}
	for i := range kept {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprintf("F%d", i), Name: "a.jpg", URL: fmt.Sprint("https://d/files/", i)})
	}
	view := cardstest.Untouched(t, place.Window(d, place.FormExtras{Upload: true}, "x"))
	if uploads > 0 {
		var given []slack.File
		for i := range uploads {
			given = append(given, slack.File{ID: fmt.Sprintf("U%d", i), Name: fmt.Sprintf("u%d.heic", i), Mimetype: "image/heic", Size: 7})
		}
		view.State.Values[kit.BlockOf(view, kit.FieldPhotos)] = map[string]slack.BlockAction{kit.ActionTyped + kit.FieldPhotos: {Files: given}}
	}
	return view
}

func TestPhotosAndURLsAreCountedTogether(t *testing.T) {
	for name, tt := range map[string]struct {
		uploads, kept, urls int
		field, want         string
	}{
		"nothing":          {0, 0, 0, kit.FieldPhotos, "Add at least one photo. Photo links are under More Options."},
		"one upload":       {1, 0, 0, "", ""},
		"one kept":         {0, 1, 0, "", ""},
		"one URL":          {0, 0, 1, "", ""},
		"fifty":            {10, 30, 10, "", ""},
		"one too many":     {10, 31, 10, kit.FieldPhotos, "41 photos and 10 links are 51 photos; one order holds at most 50."},
		"too many URLs":    {0, 0, 51, kit.FieldImages, "51 photos; one order holds at most 50."},
		"a single URL too": {10, 40, 1, kit.FieldPhotos, "50 photos and 1 link are 51 photos"},
	} {
		t.Run(name, func(t *testing.T) {
			view := photoState(t, tt.uploads, tt.kept, tt.urls)
			form, wrong := place.Decode(view)
			problems := wrong.Beside(view)
			require.Len(t, form.Photos, tt.uploads)
			require.Len(t, form.Kept, tt.kept)
			if tt.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[kit.BlockOf(view, tt.field)], tt.want)
		})
	}
}

func TestAFormThatComesBackForMoreMayLackTheRest(t *testing.T) {
	view := photoState(t, 10, 0, 0)
	view.State.Values[kit.BlockOf(view, place.FieldInstructions)] = nil
	view.State.Values[kit.BlockOf(view, place.FieldMore)] = map[string]slack.BlockAction{
		kit.ActionTyped + place.FieldMore: {SelectedOptions: []slack.OptionBlockObject{{Value: place.FieldMore}}},
	}
	form, problems := place.Decode(view)
	require.True(t, form.More)
	require.Empty(t, problems)
}

func TestEveryPageOfFiftyImagesFitsOneFrame(t *testing.T) {
	d := cardstest.Of("beach", 50).Photographed()
	require.Equal(t, 9, place.ImagePages(d))
	for page := range place.ImagePages(d) {
		v := place.ImagesWindow(d, page, place.FormExtras{}, "x")
		require.Less(t, len(cardstest.Pretty(t, v)), 40_000) // indented
		require.Equal(t, page == 8, v.Submit.Text == "Place Order")
	}
}

// Slack takes 3,000 characters of private_metadata. The form's metadata fits even with the most photos.
func TestTheOrderFormCarriesWhatItsDraftHasBeyondIt(t *testing.T) {
	d := store.Draft{
		ID: strings.Repeat("d", 16), Team: strings.Repeat("T", 20), User: "U1", Channel: strings.Repeat("C", 20), From: strings.Repeat("D", 20),
		Attempt: 1, OpenedAt: time.Date(2026, 11, 23, 19, 15, 0, 123456789, time.FixedZone("", 3600)),
		Run: strings.Repeat("a", 40) + "@1763925300000",
	}
	for i := range order.MaxImages {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprintf("F%019d", i), Name: "beach.jpg"})
	}
	v := place.Window(d, place.FormExtras{Upload: true, Balance: strings.Repeat("<", 60)}, "w")
	require.LessOrEqual(t, len(v.PrivateMetadata), 3000)
	form := place.DecodeTyped(slack.View{PrivateMetadata: v.PrivateMetadata})
	require.Equal(t, []string{d.ID, d.Team, d.From, d.Run}, []string{form.Draft, form.Team, form.From, form.Run})
	require.True(t, d.OpenedAt.Equal(form.Opened))
	require.Len(t, form.Kept, order.MaxImages)
}
