package order_test

import (
	"strconv"
	"strings"
	"testing"

	"darkroom/order"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func required(t *testing.T, size, ratio string) order.Requirements {
	t.Helper()
	r, err := order.Requirements{}.WithSize(size)
	require.NoError(t, err)
	r, err = r.WithRatio(ratio)
	require.NoError(t, err)
	return r
}

func TestASizeIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]order.Requirements{
		"":                  {},
		" 2000 ":            {LongEdge: 2000},
		"2,000 px":          {LongEdge: 2000},
		"2000px":            {LongEdge: 2000},
		"2000x1500":         {Width: 2000, Height: 1500},
		"2,000 × 1,500 px":  {Width: 2000, Height: 1500},
		"2000 px * 1500 px": {Width: 2000, Height: 1500},
		"2000 X 1500":       {Width: 2000, Height: 1500},
		"100000":            {LongEdge: 100_000},
		"1 x 1":             {Width: 1, Height: 1},
	} {
		got, err := order.Requirements{LongEdge: 7, Width: 8, Height: 9}.WithSize(typed)
		require.NoError(t, err, typed)
		require.Equal(t, want, got, typed)
	}
	for _, typed := range []string{"0", "large", "2000x", "x", "-2000", "2000 x 0", "100001", "2000 x 100001", "1x2x3", "2000 cm"} {
		_, err := order.Requirements{}.WithSize(typed)
		require.ErrorIs(t, err, order.ErrTyped, typed)
	}
	require.Equal(t, "2000", required(t, "2,000 px", "").Size())
	require.Equal(t, "2000 × 1500", required(t, "2000x1500", "").Size())
	require.Empty(t, required(t, "", "").Size())
}

func TestARatioIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"": "", "3:2": "3:2", " 16 : 9 ": "16:9", "4/5": "4:5", "1x1": "1:1", "100:1": "100:1"} {
		got, err := order.Requirements{RatioWide: 9, RatioHigh: 9}.WithRatio(typed)
		require.NoError(t, err, typed)
		require.Equal(t, want, got.Ratio(), typed)
	}
	for _, typed := range []string{"square", "0:1", "3:0", "101:1", "1.5", "3:2:1"} {
		_, err := order.Requirements{}.WithRatio(typed)
		require.ErrorIs(t, err, order.ErrTyped, typed)
	}
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 100_000)
		r := order.Requirements{Width: side.Draw(t, "width"), Height: side.Draw(t, "height"), RatioWide: rapid.IntRange(1, 100).Draw(t, "wide"), RatioHigh: rapid.IntRange(1, 100).Draw(t, "high")}
		again, err := order.Requirements{}.WithSize(r.Size())
		require.NoError(t, err)
		again, err = again.WithRatio(r.Ratio())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

// findingsOf writes findings as "2 edge 1200 2000".
func findingsOf(found order.Inspection) (all []string) {
	for _, f := range found.Findings {
		all = append(all, strings.TrimSpace(strings.Join([]string{strconv.Itoa(f.Number), string(f.Kind), f.Name, f.Got, f.Want}, " ")))
	}
	return all
}

func TestEachPhotoIsComparedWithWhatIsRequired(t *testing.T) {
	t.Parallel()
	jpeg := order.Facts{Read: true, Looked: true, Format: "image/jpeg", Width: 1200, Height: 900, Profile: "none", Bytes: 24_000_001, Background: order.BackgroundWhite}
	with := func(change func(*order.Facts)) order.Facts { f := jpeg; change(&f); return f }
	for name, tt := range map[string]struct {
		required order.Requirements
		facts    order.Facts
		want     []string
	}{
		"nothing is required":                {order.Requirements{}, jpeg, nil},
		"a short edge":                       {required(t, "2000", ""), jpeg, []string{"1 edge a.jpg 1200 2000"}},
		"an edge that is long enough":        {required(t, "1200", ""), jpeg, nil},
		"the longer edge counts":             {required(t, "1200", ""), with(func(f *order.Facts) { f.Width, f.Height = 900, 1200 }), nil},
		"another size":                       {required(t, "1200x800", ""), jpeg, []string{"1 size a.jpg 1200 × 900 1200 × 800"}},
		"another width":                      {required(t, "1100x900", ""), jpeg, []string{"1 size a.jpg 1200 × 900 1100 × 900"}},
		"the exact size":                     {required(t, "1200x900", ""), jpeg, nil},
		"turned, it is another size":         {required(t, "900x1200", ""), jpeg, []string{"1 size a.jpg 1200 × 900 900 × 1200"}},
		"another ratio":                      {required(t, "", "3:2"), jpeg, []string{"1 ratio a.jpg 1200 × 900 3:2"}},
		"the ratio":                          {required(t, "", "4:3"), jpeg, nil},
		"the ratio, upright":                 {required(t, "", "3:4"), jpeg, nil},
		"the ratio, rounded to a pixel":      {required(t, "", "3:2"), with(func(f *order.Facts) { f.Width, f.Height = 1000, 667 }), nil},
		"the ratio, rounded down":            {required(t, "", "3:2"), with(func(f *order.Facts) { f.Width, f.Height = 1000, 666 }), nil},
		"two pixels off":                     {required(t, "", "3:2"), with(func(f *order.Facts) { f.Width, f.Height = 1000, 669 }), []string{"1 ratio a.jpg 1000 × 669 3:2"}},
		"two pixels off, below":              {required(t, "", "3:2"), with(func(f *order.Facts) { f.Width, f.Height = 1000, 664 }), []string{"1 ratio a.jpg 1000 × 664 3:2"}},
		"another format":                     {order.Requirements{Formats: []string{"image/png", "image/tiff"}}, jpeg, []string{"1 format a.jpg image/jpeg image/png image/tiff"}},
		"one of the formats":                 {order.Requirements{Formats: []string{"image/png", "image/jpeg"}}, jpeg, nil},
		"no profile counts as sRGB":          {order.Requirements{Profile: "srgb"}, jpeg, nil},
		"no profile is no other":             {order.Requirements{Profile: "adobe-rgb"}, jpeg, []string{"1 profile a.jpg none adobe-rgb"}},
		"another profile":                    {order.Requirements{Profile: "srgb"}, with(func(f *order.Facts) { f.Profile = "display-p3" }), []string{"1 profile a.jpg display-p3 srgb"}},
		"the profile":                        {order.Requirements{Profile: "display-p3"}, with(func(f *order.Facts) { f.Profile = "display-p3" }), nil},
		"a byte too large":                   {order.Requirements{MaxMB: 24}, jpeg, []string{"1 large a.jpg 25 24"}},
		"as large as it may be":              {order.Requirements{MaxMB: 24}, with(func(f *order.Facts) { f.Bytes-- }), nil},
		"another background":                 {order.Requirements{Backdrop: order.BackgroundTransparent}, jpeg, []string{"1 background a.jpg  transparent"}},
		"the background":                     {order.Requirements{Backdrop: order.BackgroundWhite}, jpeg, nil},
		"no picture says nothing else":       {required(t, "2000", ""), with(func(f *order.Facts) { f.NoPicture = true }), []string{"1 no-picture a.jpg"}},
		"the same as its original":           {order.Requirements{}, with(func(f *order.Facts) { f.Untouched = true }), []string{"1 untouched a.jpg"}},
		"the same as in the round before":    {order.Requirements{}, with(func(f *order.Facts) { f.Unchanged = new(int) }), []string{"1 unchanged a.jpg 0"}},
		"what could not be read is no fault": {order.Requirements{LongEdge: 2000, Profile: "srgb", MaxMB: 1, Formats: []string{"image/png"}, Backdrop: order.BackgroundWhite}, order.Facts{}, nil},
		"all that is wrong is said":          {order.Requirements{LongEdge: 2000, MaxMB: 1}, jpeg, []string{"1 edge a.jpg 1200 2000", "1 large a.jpg 25 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := tt.required.Inspect(nil, []order.EditedImage{{ID: "i1", Name: "a.jpg", Revision: 1}}, []order.Facts{tt.facts}, true)
			require.Equal(t, tt.want, findingsOf(found))
			require.Equal(t, 1, found.Photos)
			require.Equal(t, !tt.required.Nothing(), found.Required)
			for _, f := range found.Findings {
				require.Equal(t, "i1", f.Image)
			}
		})
	}
}

func TestWhatCouldNotBeReadIsNotChecked(t *testing.T) {
	t.Parallel()
	all := order.Facts{Read: true, Looked: true, Format: "image/png", Width: 1, Height: 1, Profile: "none", Bytes: 1, Background: order.BackgroundWhite}
	with := func(change func(*order.Facts)) order.Facts { f := all; change(&f); return f }
	for name, tt := range map[string]struct {
		required order.Requirements
		facts    order.Facts
		checked  bool
	}{
		"all was read":                {order.Requirements{LongEdge: 1, Profile: "srgb", MaxMB: 1, Backdrop: order.BackgroundWhite}, all, true},
		"nothing is required":         {order.Requirements{}, order.Facts{}, true},
		"only names are required":     {order.Requirements{Names: true}, order.Facts{}, true},
		"the file was not read":       {order.Requirements{Formats: order.Formats()}, with(func(f *order.Facts) { f.Read = false }), false},
		"the pixels are unknown":      {order.Requirements{LongEdge: 1}, with(func(f *order.Facts) { f.Height = 0 }), false},
		"an exact size needs pixels":  {order.Requirements{Width: 1, Height: 1}, with(func(f *order.Facts) { f.Width = 0 }), false},
		"a ratio needs pixels":        {order.Requirements{RatioWide: 1, RatioHigh: 1}, with(func(f *order.Facts) { f.Width = 0 }), false},
		"unknown pixels nobody needs": {order.Requirements{Profile: "srgb"}, with(func(f *order.Facts) { f.Height = 0 }), true},
		"the profile is unknown":      {order.Requirements{Profile: "srgb"}, with(func(f *order.Facts) { f.Profile = "" }), false},
		"a profile nobody needs":      {order.Requirements{LongEdge: 1}, with(func(f *order.Facts) { f.Profile = "" }), true},
		"the size is unknown":         {order.Requirements{MaxMB: 1}, with(func(f *order.Facts) { f.Bytes = 0 }), false},
		"a size nobody needs":         {order.Requirements{LongEdge: 1}, with(func(f *order.Facts) { f.Bytes = 0 }), true},
		"the preview was not read":    {order.Requirements{Backdrop: order.BackgroundWhite}, with(func(f *order.Facts) { f.Looked, f.Background = false, "" }), false},
		"a preview nobody needs":      {order.Requirements{LongEdge: 1}, with(func(f *order.Facts) { f.Looked = false }), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := tt.required.Inspect(nil, make([]order.EditedImage, 2), []order.Facts{all, tt.facts}, true)
			require.Equal(t, !tt.checked, len(found.Unchecked) > 0)
			if !tt.checked {
				require.Equal(t, []int{2}, found.Unchecked)
			}
			require.Empty(t, found.Findings)
		})
	}
}

// A photo that was not read, or not in full, says nothing of how often photos are as ordered.
func TestOnlyPhotosThatWereComparedAreCounted(t *testing.T) {
	t.Parallel()
	read := order.Facts{Read: true, Format: "image/png", Width: 10, Height: 10, Bytes: 5_000_000}
	sources, images := named("a.jpg", "b.jpg")
	all := &order.Brief{Sources: sources}
	for name, tt := range map[string]struct {
		required order.Requirements
		brief    *order.Brief
		facts    []order.Facts
		want     order.Inspected
	}{
		"both as ordered":                     {required(t, "10", ""), nil, []order.Facts{read, read}, order.Inspected{Photos: 2}},
		"one with two findings":               {order.Requirements{LongEdge: 20, MaxMB: 1}, nil, []order.Facts{read, {}}, order.Inspected{Photos: 1, Faulty: 1}},
		"one could not be read":               {required(t, "10", ""), nil, []order.Facts{{}, read}, order.Inspected{Photos: 1}},
		"read in part, with a finding":        {order.Requirements{LongEdge: 20, Profile: "srgb"}, nil, []order.Facts{read, read}, order.Inspected{}},
		"one is no picture":                   {required(t, "10", ""), nil, []order.Facts{{NoPicture: true}, read}, order.Inspected{Photos: 2, Faulty: 1}},
		"only a preview, and it is untouched": {order.Requirements{}, nil, []order.Facts{{Looked: true, Untouched: true}, {Looked: true}}, order.Inspected{Photos: 2, Faulty: 1}},
		"nothing is required or compared":     {order.Requirements{}, all, []order.Facts{{}, {}}, order.Inspected{}},
		"names are required":                  {order.Requirements{Names: true}, all, []order.Facts{{}, {}}, order.Inspected{Photos: 2}},
		"names of an order made elsewhere":    {order.Requirements{Names: true}, nil, []order.Facts{{}, {}}, order.Inspected{}},
		"a missing photo is not counted":      {required(t, "10", ""), &order.Brief{Sources: make([]order.Source, 5)}, []order.Facts{read, read}, order.Inspected{Photos: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, tt.required.Inspect(tt.brief, images, tt.facts, true).Counts)
		})
	}
}

func TestEachOriginalHasOneEdit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ sources, images, want []string }{
		"one each":                       {[]string{"a.jpg", "b.jpg"}, []string{"a_edited.jpg", "b.jpg"}, nil},
		"one is missing":                 {[]string{"a.jpg", "b.jpg", "c.jpg"}, []string{"a.jpg", "c.jpg"}, []string{"0 missing b.jpg"}},
		"nothing was delivered":          {[]string{"a.jpg"}, nil, []string{"0 missing a.jpg"}},
		"names do not tell which":        {[]string{"a.jpg", "b.jpg", "c.jpg"}, []string{"1.jpg", "2.jpg"}, []string{"0 missing  1"}},
		"a reference needs no edit":      {[]string{"a.jpg", "ref b.jpg", "c.jpg"}, []string{"a.jpg", "c.jpg"}, nil},
		"one twice":                      {[]string{"a.jpg", "b.jpg"}, []string{"a.jpg", "b.jpg", "a_edited.jpg"}, []string{"3 twice a_edited.jpg"}},
		"one twice and one missing":      {[]string{"a.jpg", "b.jpg"}, []string{"a.jpg", "a_v2.jpg"}, []string{"0 missing b.jpg", "2 twice a_v2.jpg"}},
		"more than ordered":              {[]string{"a.jpg"}, []string{"x.jpg", "y.jpg", "z.jpg"}, []string{"0 twice  2"}},
		"two originals of one name":      {[]string{"a.jpg", "a.jpg"}, []string{"a.jpg", "a.jpg"}, nil},
		"another name, and none missing": {[]string{"a.jpg", "b.jpg"}, []string{"a.jpg", "x.jpg"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sources, _ := named(tt.sources...)
			_, images := named(tt.images...)
			found := order.Requirements{}.Inspect(&order.Brief{Sources: sources}, images, make([]order.Facts, len(images)), true)
			require.Equal(t, tt.want, findingsOf(found))
		})
	}
}

// A service that does not count its rounds delivers each as new photos.
func TestALaterRoundMayBeOfNewPhotos(t *testing.T) {
	t.Parallel()
	sources, _ := named("a.jpg", "b.jpg")
	_, images := named("a.jpg", "b.jpg", "a.jpg", "b.jpg")
	inspect := func(images []order.EditedImage, first bool) []string {
		return findingsOf(order.Requirements{}.Inspect(&order.Brief{Sources: sources}, images, make([]order.Facts, len(images)), first))
	}
	require.NotEmpty(t, inspect(images, true))
	require.Empty(t, inspect(images, false))
	require.Equal(t, []string{"0 missing b.jpg"}, inspect(images[:1], false), "what is missing still is")
}

func TestNamesAreKeptButForTheEnding(t *testing.T) {
	t.Parallel()
	sources, _ := named("beach.heic", "cake.jpg", "c.jpg")
	_, images := named("beach.jpg", "cake_final.jpg", "other.jpg")
	require.Equal(t, []string{"2 name cake_final.jpg cake_final.jpg cake.jpg"},
		findingsOf(order.Requirements{Names: true}.Inspect(&order.Brief{Sources: sources}, images, make([]order.Facts, 3), true)))
	require.Empty(t, order.Requirements{}.Inspect(&order.Brief{Sources: sources}, images, make([]order.Facts, 3), true).Findings)
	require.Empty(t, order.Requirements{Names: true}.Inspect(nil, images, make([]order.Facts, 3), true).Findings)
}

func TestFindingsAreBoundedAndInTheOrderOfThePhotos(t *testing.T) {
	t.Parallel()
	images, facts := make([]order.EditedImage, 60), make([]order.Facts, 60)
	for i := range facts {
		facts[i] = order.Facts{Read: true, Width: 10, Height: 10, Bytes: 5_000_000}
	}
	found := order.Requirements{LongEdge: 20, MaxMB: 1}.Inspect(&order.Brief{Sources: make([]order.Source, 61)}, images, facts, true)
	require.Len(t, found.Findings, order.MaxFindings)
	require.Equal(t, order.Inspected{Photos: 60, Faulty: 60}, found.Counts, "those of findings that are left out, too")
	require.Equal(t, order.FoundMissing, found.Findings[0].Kind)
	for i, f := range found.Findings[1:] {
		require.Equal(t, i/2+1, f.Number)
	}
}
