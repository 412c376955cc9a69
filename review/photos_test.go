package review

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
)

// shown is what a person without the script sees of a photo.
type shown struct {
	title, heading, asked string
	versions              []string // label and address, and the smaller picture in brackets
}

// parse reads a page as a browser does. elements counts the elements by name.
func parse(tb testing.TB, page string) (all []shown, elements map[string]int) {
	tb.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	elements = map[string]int{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, elements
		}
		require.NoError(tb, err)
		n, begins := token.(xml.StartElement)
		if !begins {
			continue
		}
		elements[n.Name.Local]++
		if n.Name.Local == "li" && attr(n, "id") != "" {
			assert.Equal(tb, fmt.Sprint("photo-", len(all)+1), attr(n, "id"))
			all = append(all, shown{})
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		switch {
		case n.Name.Local == "h2":
			last.title = text(tb, d)
		case n.Name.Local == "h3":
			last.heading = text(tb, d)
		case n.Name.Local == "p" && attr(n, "class") == "asked":
			last.asked = text(tb, d)
		case n.Name.Local == "a":
			v := attr(n, "data-version") + " " + attr(n, "href")
			if instead := attr(n, "data-instead"); instead != "" {
				v += " [" + instead + "]"
			}
			last.versions = append(last.versions, v)
		}
	}
}

func attr(n xml.StartElement, name string) string {
	for _, a := range n.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// text is what an element says that has nothing but text.
func text(tb testing.TB, d *xml.Decoder) string {
	tb.Helper()
	token, err := d.Token()
	require.NoError(tb, err)
	says, is := token.(xml.CharData)
	require.True(tb, is, "%v", token)
	return string(says)
}

func (r *rig) photos() []shown {
	r.t.Helper()
	photos, _ := parse(r.t, r.page().Body.String())
	return photos
}

func TestEachPhotoHasItsVersionsAndWhatWasAskedForIt(t *testing.T) {
	r := newRig(t)
	original := r.signer.URLUntil("F0BEACH", "beach.jpg", noon.Truncate(time.Hour).Add(12*time.Hour))
	assert.Equal(t, []shown{
		{"1 · beach.jpg", "Changes requested after round 1", "Warmer for a member, please.\nNo tourists.", []string{
			"Original " + original,
			"Last Round https://full.example.net/a [https://thumbs.example.org/a]",
			"This Round https://full.example.net/c [https://thumbs.example.org/c]",
		}},
		{"2 · cake.jpg", "Changes requested after round 1", "A little less of all.", []string{
			"Original https://shop.example.com/cake.jpg",
			"This Round https://full.example.net/b [https://thumbs.example.org/b]",
		}},
	}, r.photos())
	assert.Contains(t, r.page().Body.String(), "<p>Round 2 · 2 photos</p>")
	assert.Contains(t, r.page().Body.String(), `<link rel="preload" as="image" href="https://full.example.net/c">`, "the picture that is shown first")
}

func TestTheAddressOfAnOriginalInSlackIsOursAndShortLived(t *testing.T) {
	r := newRig(t)
	address := strings.TrimPrefix(r.photos()[0].versions[0], "Original "+base+files.Path)
	token, _, _ := strings.Cut(address, "/")
	file, err := r.signer.Verify(token, noon.Add(11*time.Hour))
	require.NoError(t, err)
	assert.Equal(t, "F0BEACH", file)
	_, err = r.signer.Verify(token, noon.Add(12*time.Hour))
	require.ErrorIs(t, err, files.ErrExpired)
	first := r.page().Body.String()
	r.now = noon.Add(20 * time.Minute)
	assert.Equal(t, first, r.page().Body.String(), "a browser that comes back has it")

	r.record.orders[[2]string{"T7", "1042"}] = reviewed()
	page := r.ask("GET", strings.TrimPrefix(Address(r.signer.In("T7"), reviewed(), r.now), base)).Body.String()
	_, address, _ = strings.Cut(page, base+files.Path)
	token, _, _ = strings.Cut(address, "/")
	file, err = r.signer.Verify(token, r.now)
	require.NoError(t, err)
	assert.Equal(t, "T7/F0BEACH", file)
}

func TestTheFirstRoundShowsWhatWasOrdered(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) {
		o.Order.Revision = new(int)
		o.Order.EditedImages = o.Order.EditedImages[:2]
	})
	r.record.events = r.record.events[:2]
	photos := r.photos()
	require.Len(t, photos, 2)
	assert.Equal(t, "Instructions", photos[0].heading)
	assert.Equal(t, "Brighten the sky.", photos[0].asked)
	assert.Equal(t, "Brighten the sky.\nRemove the crumbs.", photos[1].asked)
	assert.Len(t, photos[0].versions, 2, "the original and this round")

	r.record.orders[[2]string{"", "1042"}].Brief.Instructions = []string{" ", ""}
	assert.Equal(t, "Nothing in particular.", r.photos()[0].asked)
	unknown := r.record.orders[[2]string{"", "1042"}]
	unknown.Brief = nil
	r.record.orders[[2]string{"", "1042"}] = unknown
	assert.Equal(t, "I have no record of this order's instructions.", r.photos()[0].asked)
	assert.Len(t, r.photos()[0].versions, 1)
}

func TestAGoodPhotoWasAskedNothing(t *testing.T) {
	r := newRig(t)
	r.record.events[2].PerImage, r.record.events[2].Good = nil, []string{"a"}
	photos := r.photos()
	assert.Equal(t, "None: this photo was marked Good.", photos[0].asked, "its edit of the round before was")
	assert.Equal(t, "A little less of all.", photos[1].asked)
	r.record.events[2].Good = []string{"b"}
	photos = r.photos()
	assert.Equal(t, "A little less of all.", photos[0].asked)
	assert.Equal(t, "None: this photo was marked Good.", photos[1].asked)
	r.record.events = append(r.record.events[:2:2], r.record.events[3])
	assert.Equal(t, "I have no record of that request.", r.photos()[0].asked)
}

func TestThePageNamesNoPersonAndNoCredits(t *testing.T) {
	r := newRig(t)
	for _, word := range []string{"Maria", "U0MARIA", "U0BEN", "ben", "Lovelace", "credit", "K7Q2XM", "1042", "C1"} {
		assert.NotContains(t, r.page().Body.String(), word)
	}
	assert.Equal(t, "a member, a member and a member", readable([]string{"<@U0BEN>, <@W0ADA|Ada> and <@U1>"}))
}

func TestAPictureWithoutAnAddressOfItsOwnIsASmallOne(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) {
		o.Order.EditedImages[2].Origin = ""
		o.Order.EditedImages[1].Thumb = ""
	})
	photos := r.photos()
	assert.Equal(t, "This Round https://thumbs.example.org/c", photos[0].versions[2])
	assert.Equal(t, "This Round https://full.example.net/b", photos[1].versions[1])
	r.set(func(o *store.Tracked) { o.Order.EditedImages[2].Origin = o.Order.EditedImages[2].Thumb })
	assert.Equal(t, "This Round https://thumbs.example.org/c", r.photos()[0].versions[2])
	r.set(func(o *store.Tracked) { o.Order.EditedImages[2].Origin, o.Order.EditedImages[2].Thumb = "", "" })
	assert.Len(t, r.photos()[0].versions, 2)
}

// The policy allows the hosts of the pictures and no other; a host that could say more in a policy is shown no picture.
func TestPicturesComeFromTheirHostsAlone(t *testing.T) {
	r := newRig(t)
	assert.Contains(t, r.page().Header().Get("Content-Security-Policy"),
		"; img-src 'self' "+base+" https://full.example.net https://thumbs.example.org https://shop.example.com;")
	assert.Contains(t, r.ask("GET", Path+"forged").Header().Get("Content-Security-Policy"), "; img-src 'self';")
	for _, address := range []string{
		"javascript:alert(1)", "data:image/png;base64,AAAA", "//evil.example/x", "ftp://evil.example/x", "https://*/x", "https://*.example/x", "https://a;script-src/x",
		"https://a,b/x", "https://user:secret@evil.example/x", "https://evil.example/a b", "https://'self'/x", "https://evil.example\n/x", "https:///x", "", "blob:https://evil.example/x", "https://evil.example:x/",
		"https://evil.example/" + strings.Repeat("x", 3000),
	} {
		r.set(func(o *store.Tracked) {
			o.Order.EditedImages[2].Origin, o.Order.EditedImages[2].Thumb = address, address
			o.Brief.Sources[0] = order.Source{Name: "beach.jpg", URL: address}
		})
		page := r.page()
		photos, _ := parse(t, page.Body.String())
		assert.Len(t, photos[0].versions, 1, address)
		assert.NotContains(t, page.Body.String()+page.Header().Get("Content-Security-Policy"), "evil", address)
		assert.Contains(t, page.Header().Get("Content-Security-Policy"), "; img-src 'self' https://full.example.net https://thumbs.example.org https://shop.example.com;", address)
	}
	assert.Equal(t, "http://photos.example.com:8080", origin("HTTP://Photos.Example.COM:8080/a?b#c"))
}

func TestTheHeadOfAnAnswerIsBounded(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) {
		o.Brief, o.Order.EditedImages = nil, nil
		for i := range order.MaxImages {
			one := edit(fmt.Sprint(i), fmt.Sprint(i, ".jpg"), 1)
			one.Origin, one.Thumb = fmt.Sprintf("https://%s%d.example.com/", strings.Repeat("a", 100), i), ""
			o.Order.EditedImages = append(o.Order.EditedImages, one)
		}
	})
	page := r.page()
	assert.LessOrEqual(t, len(page.Header().Get("Content-Security-Policy")), maxSources+200)
	photos, _ := parse(t, page.Body.String())
	require.Len(t, photos, 50)
	assert.Equal(t, "50 · 49.jpg", photos[49].title)
	assert.Len(t, photos[0].versions, 1)
	assert.Empty(t, photos[49].versions)
}

func TestTypedTextIsShownAsTyped(t *testing.T) {
	const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>{photos}&amp;'`
	r := newRig(t)
	r.set(func(o *store.Tracked) {
		o.Order.EditedImages[0].Name, o.Order.EditedImages[2].Name = hostile, hostile
		o.Order.EditedImages[2].Origin = `https://full.example.net/"><script>alert(1)</script>{photos}{version}`
	})
	r.record.events[2].PerImage = map[string][]string{"a": {hostile, "two\u202elines\x00"}}
	page := r.page().Body.String()
	photos, elements := parse(t, page)
	require.Len(t, photos, 2)
	assert.Zero(t, elements["img"])
	assert.Equal(t, 1, elements["script"])
	assert.Equal(t, "1 · "+hostile, photos[0].title)
	assert.Equal(t, hostile+"\ntwolines", photos[0].asked)
	assert.Contains(t, photos[0].versions[1], `https://full.example.net/"><script>`)
	assert.Equal(t, 2, strings.Count(page, `{photos}{version}"`), "in the head, too, it is text")
}

func TestLongTextIsCut(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) {
		for _, i := range []int{0, 2} {
			o.Order.EditedImages[i].Name = strings.Repeat("n", 500)
		}
	})
	r.record.events[2].PerImage = map[string][]string{"a": {strings.Repeat("w", 5000)}}
	photo := r.photos()[0]
	assert.Len(t, []rune(photo.title), maxName)
	assert.Len(t, []rune(photo.asked), maxAsked)
}

func TestARoundWithoutPicturesSaysSo(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) { o.Order.EditedImages = nil })
	page := r.page().Body.String()
	photos, _ := parse(t, page)
	assert.Empty(t, photos)
	assert.NotContains(t, page, "preload")
	assert.Contains(t, page, "Round 2 · 0 photos")
}

func TestOnePhotoIsCalledOne(t *testing.T) {
	r := newRig(t)
	r.set(func(o *store.Tracked) { o.Order.EditedImages = o.Order.EditedImages[1:2] })
	assert.Contains(t, r.page().Body.String(), "Round 2 · 1 photo<")
}
