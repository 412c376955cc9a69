package order_test

import (
	"fmt"
	"slices"
	"testing"

	"darkroom/order"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// named returns sources and edited images with these names. A source is a reference if its name starts with
// "ref ".
func named(names ...string) (sources []order.Source, images []order.EditedImage) {
	for _, name := range names {
		s := order.Source{Name: name}
		if len(name) > 4 && name[:4] == "ref " {
			s.Name, s.Service = name[4:], order.ServiceReference
		}
		sources, images = append(sources, s), append(images, order.EditedImage{Name: name})
	}
	return sources, images
}

func TestAnEditedImageIsKnownByItsNameWhereThatIsUnique(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sources, images []string
		of              []int
	}{
		"the same names":                      {[]string{"a.jpg", "b.jpg"}, []string{"b.jpg", "a.jpg"}, []int{1, 0}},
		"other case":                          {[]string{"A.JPG", "b.jpg"}, []string{"a.jpg", "B.jpg"}, []int{0, 1}},
		"another kind of file":                {[]string{"a.heic", "b.cr2"}, []string{"a.jpg", "b.jpg"}, []int{0, 1}},
		"marked as edited":                    {[]string{"beach.jpg", "cake.jpg", "c.jpg"}, []string{"beach_edited.jpg", "cake-Final (v2).jpg", "c (edited).jpg"}, []int{0, 1, 2}},
		"marked in the source, too":           {[]string{"beach_final.jpg", "b.jpg"}, []string{"beach_final_edited.jpg", "b.jpg"}, []int{0, 1}},
		"numbers are part of a name":          {[]string{"IMG_1.jpg", "IMG_2.jpg"}, []string{"IMG_2_edited.jpg", "IMG_3.jpg"}, []int{1, -1}},
		"two sources of one name":             {[]string{"a.jpg", "a.jpg"}, []string{"a.jpg", "b.jpg"}, []int{-1, -1}},
		"two images of one name":              {[]string{"a.jpg", "b.jpg"}, []string{"a.jpg", "a.jpg"}, []int{-1, -1}},
		"alike but for the ending":            {[]string{"a.jpg", "a.png"}, []string{"a.jpg", "a_edited.jpg"}, []int{0, -1}},
		"two edits of one source":             {[]string{"a.jpg", "b.jpg"}, []string{"a_edited.jpg", "a_final.jpg"}, []int{-1, -1}},
		"a reference is not edited":           {[]string{"ref a.jpg", "b.jpg", "c.jpg"}, []string{"a.jpg", "b.jpg"}, []int{-1, 1}},
		"one of each needs no name":           {[]string{"ref a.jpg", "b.jpg"}, []string{"x.jpg"}, []int{1}},
		"no names":                            {[]string{"", ""}, []string{"", ""}, []int{-1, -1}},
		"a name that is nothing but an edit":  {[]string{"edited.jpg", "b.jpg"}, []string{"edited.png", "b.jpg"}, []int{0, 1}},
		"a dot in a name is not the ending's": {[]string{"St. Mary church.jpg", "b.jpg"}, []string{"St. Mary church.tif", "St.jpg"}, []int{0, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sources, _ := named(tt.sources...)
			_, images := named(tt.images...)
			require.Equal(t, tt.of, order.Brief{Sources: sources}.Match(images))
		})
	}
}

func TestNoSourceHasTwoEditsAndTheOrderOfImagesChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.SampledFrom([]string{"a.jpg", "A.JPG", "a.png", "a_edited.jpg", "a_edited_v2.jpg", "b.jpg", "b-final.jpg", "ref c.jpg", "c.jpg", "", "1.jpg"}), 0, 7)
		sources, _ := named(some.Draw(t, "sources")...)
		_, images := named(some.Draw(t, "images")...)
		b := order.Brief{Sources: sources}
		of, used := b.Match(images), map[int]bool{}
		require.Len(t, of, len(images))
		for i, source := range of {
			if source < 0 {
				continue
			}
			require.False(t, used[source], "one source for two images")
			used[source] = true
			require.False(t, sources[source].Reference())
			require.Equal(t, 1, count(images, images[i]), "of several with one name nobody knows which")
		}
		turned := slices.Clone(images)
		slices.Reverse(turned)
		back := b.Match(turned)
		slices.Reverse(back)
		require.Equal(t, of, back, fmt.Sprint(images))
	})
}

func count(images []order.EditedImage, one order.EditedImage) (n int) {
	for _, image := range images {
		if image.Name == one.Name {
			n++
		}
	}
	return n
}
