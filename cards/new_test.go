package cards

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// photographed is a draft whose images are all photos in Slack.
func (s scene) photographed() store.Draft {
	d := s.draft()
	d.URLs, d.UpdatedAt = nil, now
	for i := range s.images {
		d.Files = append(d.Files, store.DraftFile{
			ID: fmt.Sprintf("F%09d", i+1), Name: fmt.Sprintf("%s %d.jpg", s.words, i+1), Size: 3_400_000,
			URL: fmt.Sprintf("https://darkroom.example.com/files/8f742231b10e8888abcd99yyyzzz85a5-%d/photo.jpg", i+1),
		})
	}
	d.Each = map[string]store.PerImage{
		d.Files[0].URL: {Service: order.ServiceReference}, d.Files[s.images-1].URL: {Service: order.ServiceBasic, Instruction: s.words},
	}
	return d
}

// orderForms is everything a person sees of an order before it is placed.
func (s scene) orderForms() map[string]any {
	d := s.photographed()
	other := s.draft()
	other.UpdatedAt = now
	refused := Around{Upload: true, Balance: "88", Problems: Problems{"one file is not accessible from our server: " + d.Files[0].URL, s.words}}
	return map[string]any{
		"empty":         NewOrder(store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}, Around{Upload: true, Balance: "88"}, "x1"),
		"photos":        NewOrder(d, Around{Upload: true, Balance: "88", UploadGen: 2}, "x1"),
		"refused":       NewOrder(d, refused, "x1"),
		"unfinished":    NewOrder(store.Draft{ID: "d2", Attempt: 1}, Around{Upload: true, Unfinished: &other}, "x1"),
		"unsure":        NewOrder(s.draft(), Around{Upload: true, Unsure: true}, "x1"),
		"left":          NewOrder(d, Around{Upload: true, Left: []string{s.words + " is empty.", "notes.pdf is not a photo."}}, "x1"),
		"no_public_url": NewOrder(d, Around{}, "x1"),
		"images":        NewImages(d, 0, Around{Balance: "88"}, "x1"),
		"images_last":   NewImages(d, ImagePages(d)-1, Around{}, "x1"),
		"reopen":        Reopen(d, "I was too late."),
		"kept":          Kept(d, refused.Problems),
		"told":          AsMessage(NewOrder(d, refused, "x1")),
	}
}

func TestOrderForms(t *testing.T) { golden(t, scene.orderForms) }

// newForms are the order form's views with say() in every string.
func newForms(shown map[string]any, say func() string) {
	d, other := filledWith[store.Draft](say), filledWith[store.Draft](say)
	d.Each = map[string]store.PerImage{say(): {Service: order.ServiceType(say()), Instruction: say()}}
	for i := range d.Files { // as Slack and the signer make them
		d.Files[i].ID, d.Files[i].URL = fmt.Sprintf("F%d", i), fmt.Sprintf("https://d.example.com/files/%d", i)
		d.Each[d.Files[i].URL] = store.PerImage{Instruction: say()}
	}
	around := Around{Problems: Problems{say(), say()}, Balance: say(), Left: []string{say()}, Unfinished: &other, Upload: true}
	shown["new photos"] = NewOrder(d, around, say())
	shown["new images"] = NewImages(d, 0, around, say())
	shown["reopen"] = Reopen(d, "Too late.")
	shown["told photos"] = AsMessage(NewOrder(d, around, say()))
}

func TestFiftyPhotosFitOneForm(t *testing.T) {
	d := scene{strings.Repeat("é", 300), 50}.photographed()
	for i := range 40 {
		d.Instructions = append(d.Instructions, strings.Repeat("w", 600)+fmt.Sprint(i))
	}
	var problems Problems
	for _, f := range d.Files {
		problems = append(problems, "one file is not accessible from our server: "+f.URL)
	}
	v := NewOrder(d, Around{Upload: true, Problems: problems}, "x")
	checkLimits(t, v)
	require.Len(t, DecodeMeta(v.PrivateMetadata).Photos, 50, "the form knows what it shows")
}

func TestASignedAddressIsNeverShown(t *testing.T) {
	d := scene{"beach", 3}.photographed()
	reason := Problems{"one file is not accessible from our server: " + d.Files[1].URL}
	for name, v := range map[string]any{
		"form": NewOrder(d, Around{Upload: true, Problems: reason}, "x"), "kept": Kept(d, reason),
	} {
		shown := pretty(t, v)
		require.NotContains(t, shown, "/files/", name)
		require.Contains(t, shown, "not accessible from our server: 2 · beach 2.jpg", name)
	}
}

func TestAProblemStandsBesideThePhotoItNames(t *testing.T) {
	d := scene{"beach", 3}.photographed()
	v := NewOrder(d, Around{Upload: true, Problems: Problems{"not accessible: " + d.Files[1].URL}}, "x")
	for _, b := range v.Blocks.BlockSet {
		if section, ok := b.(*slack.SectionBlock); ok && section.Accessory != nil {
			wrong := strings.Contains(section.Text.Text, "2 · beach 2.jpg")
			require.Equal(t, wrong, strings.Contains(section.Text.Text, "not accessible"), section.Text.Text)
		}
	}
}

func TestAnotherDraftInTheSameWindowHasFieldsOfItsOwn(t *testing.T) {
	mine := untouched(t, NewOrder(store.Draft{ID: "d1", Attempt: 1}, Around{}, "x"))
	other := untouched(t, NewOrder(store.Draft{ID: "d2", Attempt: 1}, Around{}, "x"))
	for id := range mine.State.Values {
		require.NotContains(t, other.State.Values, id)
	}
}

func TestTheUploadFieldIsEmptiedAndNothingElse(t *testing.T) {
	d := scene{"beach", 1}.draft()
	before := untouched(t, NewOrder(d, Around{Upload: true}, "x")).State.Values
	after := untouched(t, NewOrder(d, Around{Upload: true, UploadGen: 1}, "x")).State.Values
	var fresh []string
	for id := range after {
		if _, was := before[id]; !was {
			field, _, _ := strings.Cut(id, ":")
			fresh = append(fresh, field)
		}
	}
	require.ElementsMatch(t, []string{fieldPhotos, fieldMore}, fresh)
}

// photoState is a form with this many files in its upload field and kept ones above it.
func photoState(t *testing.T, uploads, kept, urls int) slack.View {
	t.Helper()
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C0PHOTOS", Service: order.ServiceBasic, Instructions: []string{"Brighter"}}
	if urls > 0 {
		d.URLs = addresses(urlLines(urls))
	}
	for i := range kept {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprintf("F%d", i), Name: "a.jpg", URL: fmt.Sprint("https://d/files/", i)})
	}
	view := untouched(t, NewOrder(d, Around{Upload: true}, "x"))
	if uploads > 0 {
		var given []slack.File
		for i := range uploads {
			given = append(given, slack.File{ID: fmt.Sprintf("U%d", i), Name: fmt.Sprintf("u%d.heic", i), Mimetype: "image/heic", Size: 7})
		}
		view.State.Values[blockOf(view, fieldPhotos)] = map[string]slack.BlockAction{ActionTyped + fieldPhotos: {Files: given}}
	}
	return view
}

func TestPhotosAndURLsAreCountedTogether(t *testing.T) {
	for name, tt := range map[string]struct {
		uploads, kept, urls int
		field, want         string
	}{
		"nothing":          {0, 0, 0, fieldPhotos, "Choose at least one photo here, or press “Add web addresses” and give one."},
		"one upload":       {1, 0, 0, "", ""},
		"one kept":         {0, 1, 0, "", ""},
		"one URL":          {0, 0, 1, "", ""},
		"fifty":            {10, 30, 10, "", ""},
		"one too many":     {10, 31, 10, fieldPhotos, "These are 51 images (41 photos and 10 URLs); one order holds at most 50."},
		"too many URLs":    {0, 0, 51, fieldImages, "These are 51 images; one order holds at most 50."},
		"a single URL too": {10, 40, 1, fieldPhotos, "These are 51 images (50 photos and 1 URL)"},
	} {
		t.Run(name, func(t *testing.T) {
			view := photoState(t, tt.uploads, tt.kept, tt.urls)
			form, wrong := DecodeNewOrder(view)
			problems := wrong.Beside(view)
			require.Len(t, form.Photos, tt.uploads)
			require.Len(t, form.Kept, tt.kept)
			if tt.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[blockOf(view, tt.field)], tt.want)
		})
	}
}

func TestAFormThatComesBackForMoreMayLackTheRest(t *testing.T) {
	view := photoState(t, 10, 0, 0)
	view.State.Values[blockOf(view, fieldInstructions)] = nil
	view.State.Values[blockOf(view, fieldMore)] = map[string]slack.BlockAction{
		ActionTyped + fieldMore: {SelectedOptions: []slack.OptionBlockObject{{Value: fieldMore}}},
	}
	form, problems := DecodeNewOrder(view)
	require.True(t, form.More)
	require.Empty(t, problems)
}

func TestWhatIsChosenForEachImageIsReadBack(t *testing.T) {
	d := scene{"beach", 23}.photographed()
	d.URLs = []string{"https://e.com/b/last.jpg"}
	d.Each = nil
	last := ImagePages(d) - 1
	require.Equal(t, 2, last)
	view := untouched(t, NewImages(d, last, Around{}, "x"))
	require.Nil(t, DecodeNewImages(view, d), "what does not differ is not kept")

	set := func(field string, i int, a slack.BlockAction) {
		view.State.Values[orderedBlock(d, field, i, d.Images()[i].Address)] = map[string]slack.BlockAction{ActionTyped + field: a}
	}
	set(fieldEach, 23, slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: "reference"}})
	set(fieldOwn, 22, slack.BlockAction{Value: " Warmer. "})
	set(fieldEach, 21, slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: "free"}})
	d.Each = map[string]store.PerImage{d.Files[0].URL: {Service: order.ServiceBasic}, "https://gone": {Instruction: "x"}}
	d.Each = DecodeNewImages(view, d)
	require.Equal(t, map[string]store.PerImage{
		d.Files[0].URL:  {Service: order.ServiceBasic}, // on another page
		d.Files[22].URL: {Instruction: "Warmer."},
		d.URLs[0]:       {Service: order.ServiceReference},
	}, d.Each)
	require.Equal(t, "23 images · 1 reference: 1 Basic, 22 Extensive", tally(d))
	require.Equal(t, "last.jpg", d.Images()[23].Name)
}

func TestAnOrderOfReferencesOnlyIsAProblem(t *testing.T) {
	d := scene{"beach", 1}.draft()
	view := untouched(t, NewImages(d, 0, Around{}, "x"))
	require.Nil(t, AllReference(view, d))
	d.Each = map[string]store.PerImage{d.URLs[0]: {Service: order.ServiceReference}}
	problem := AllReference(view, d)
	require.Len(t, problem, 1)
	for block := range problem {
		require.Contains(t, view.State.Values, block)
	}
}

func TestEveryPageOfFiftyImagesFitsOneFrame(t *testing.T) {
	d := scene{"beach", 50}.photographed()
	require.Equal(t, 5, ImagePages(d))
	for page := range ImagePages(d) {
		v := NewImages(d, page, Around{}, "x")
		require.Less(t, len(pretty(t, v)), 40_000) // indented
		require.Equal(t, page == 4, v.Submit.Text == "Place order")
	}
}

// Slack takes 3,000 characters of private_metadata, and a form without its own cannot be submitted: what it
// carries of its draft fits, with as many photos as an order holds.
func TestTheOrderFormCarriesWhatItsDraftHasBeyondIt(t *testing.T) {
	d := store.Draft{
		ID: strings.Repeat("d", 16), Team: strings.Repeat("T", 20), User: "U1", Channel: strings.Repeat("C", 20), From: strings.Repeat("D", 20),
		Attempt: 1, OpenedAt: time.Date(2026, 11, 23, 19, 15, 0, 123456789, time.FixedZone("", 3600)),
		Run: strings.Repeat("a", 40) + "@1763925300000",
	}
	for i := range order.MaxImages {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprintf("F%019d", i), Name: "beach.jpg"})
	}
	v := NewOrder(d, Around{Upload: true, Balance: strings.Repeat("<", 60)}, "w")
	require.LessOrEqual(t, len(v.PrivateMetadata), 3000)
	form := DecodeTyped(slack.View{PrivateMetadata: v.PrivateMetadata})
	require.Equal(t, []string{d.ID, d.Team, d.From, d.Run}, []string{form.Draft, form.Team, form.From, form.Run})
	require.True(t, d.OpenedAt.Equal(form.Opened))
	require.Len(t, form.Kept, order.MaxImages)
}
