package files

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	encoder "image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"
)

// scene draws a picture that shows whether it is turned, mirrored or another one: a corner is dark, and the colours
// run their own way.
func scene(w, h int, hue uint8) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{uint8(255 * x / w), uint8(255 * y / h), hue, 255}
			if x < w/3 && y < h/3 {
				c = color.RGBA{hue / 4, 10, 10, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func asJPEG(tb testing.TB, m image.Image) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, encoder.Encode(&out, m, nil))
	return out.Bytes()
}

// held returns a JPEG with an EXIF orientation.
func held(tb testing.TB, upright image.Image, value uint16) []byte {
	tb.Helper()
	stored := image.NewRGBA(upright.Bounds())
	draw.Draw(stored, stored.Rect, upright, image.Point{}, draw.Src)
	switch value { // how it must be stored so that a viewer that turns it shows it upright
	case 3:
		stored = orientation(3).upright(stored)
	case 6:
		stored = orientation(8).upright(stored)
	case 8:
		stored = orientation(6).upright(stored)
	}
	exif := append([]byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00"), 0x12, 1, 3, 0, 1, 0, 0, 0, byte(value), 0, 0, 0, 0, 0, 0, 0)
	data := asJPEG(tb, stored)
	app1 := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return append(append(bytes.Clone(data[:2]), app1...), data[2:]...)
}

// shop serves pictures and Slack files.
type shop map[string][]byte

func (s shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, ok := s[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(data)
}

func (s shop) Open(_ context.Context, file, _ string) (*http.Response, error) {
	data, ok := s[file]
	if !ok {
		return nil, ErrGone
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(data)), ContentLength: int64(len(data))}, nil
}

func (s shop) sheets(tb testing.TB) (*Sheets, string) {
	tb.Helper()
	srv := httptest.NewServer(s)
	tb.Cleanup(srv.Close)
	return NewSheets(true, s, slog.New(slog.DiscardHandler)), srv.URL
}

// fourRows has every case of a sheet: a photo on its side, a Slack file, one that cannot be read
// but has a preview, and one without any picture.
func fourRows(t *testing.T, turned uint16) (shop, func(base string) []SheetRow) {
	t.Helper()
	portrait := scene(300, 450, 40)
	var lossless, tagged bytes.Buffer
	require.NoError(t, png.Encode(&lossless, scene(600, 400, 200)))
	require.NoError(t, tiff.Encode(&tagged, scene(500, 500, 250), nil))
	s := shop{
		"/1a": held(t, portrait, 6), "/1b": held(t, scene(300, 450, 90), 1),
		"F2": lossless.Bytes(), "/2b": tagged.Bytes(),
		"/3a": []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), "/3thumb": asJPEG(t, scene(320, 200, 130)), "/3b": asJPEG(t, scene(900, 300, 160)),
		"/4b": asJPEG(t, scene(640, 480, 10)),
	}
	if turned != 0 {
		s["/1a"] = held(t, portrait, turned)
	}
	return s, func(base string) []SheetRow {
		at := func(paths ...string) (found []Photo) {
			for _, p := range paths {
				found = append(found, Photo{URL: base + p})
			}
			return found
		}
		return []SheetRow{
			{Label: "1 · beach.jpg", Pictures: []SheetPicture{{"Original", at("/1a")}, {"Round 1", at("/1b")}}},
			{Label: "2 · " + strings.Repeat("a name that is much too long ", 3) + ".png", Pictures: []SheetPicture{{"Original", []Photo{{File: "F2"}}}, {"Round 1", at("/2b")}, {"Round 2", at("/1b")}}},
			{Label: "3 · dunes.heic", Pictures: []SheetPicture{{"Round 1", at("/3a", "/3thumb")}, {"Round 2", at("/3b")}}},
			{Label: "4 · gone.cr2", Pictures: []SheetPicture{{"Original", at("/4a")}, {"Round 1", at("/4b")}, {"Round 2", at("/1a")}}},
			{Label: "5 · new.jpg", Pictures: []SheetPicture{{"Round 2", at("/1b")}}},
		}
	}
}

// farApart is how much two pictures differ where they differ most, from 0 to 255: the mean over each square of that many
// pixels is compared, so that what another encoder makes of an edge does not count.
func farApart(a, b sheetSquares) float64 {
	if a.of != b.of {
		return 255
	}
	most := 0.0
	for i := range a.means.Pix {
		most = max(most, math.Abs(float64(a.means.Pix[i])-float64(b.means.Pix[i])))
	}
	return most
}

// sheetSquares has the means of a sheet's squares, and its size.
type sheetSquares struct {
	of    image.Point
	means *image.RGBA
}

// alike bounds the difference of a sheet from its golden one.
const alike = 12

func decodeSheet(t *testing.T, data []byte) sheetSquares {
	t.Helper()
	const square = 16
	m, err := encoder.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	size := m.Bounds().Size()
	means := image.NewRGBA(image.Rectangle{Max: size.Div(square)})
	draw.BiLinear.Scale(means, means.Rect, m, m.Bounds(), draw.Src, nil)
	return sheetSquares{size, means}
}

func madeOf(t *testing.T, s shop, rows func(string) []SheetRow) sheetSquares {
	t.Helper()
	sheets, base := s.sheets(t)
	data, err := sheets.Make(t.Context(), rows(base))
	require.NoError(t, err)
	require.LessOrEqual(t, len(data), 1<<20)
	return decodeSheet(t, data)
}

func TestAContactSheetLooksAsItDid(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "contact-sheet.jpg")
	s, rows := fourRows(t, 0)
	sheets, base := s.sheets(t)
	data, err := sheets.Make(t.Context(), rows(base))
	require.NoError(t, err)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, data, 0o644))
	}
	kept, err := os.ReadFile(golden)
	require.NoError(t, err)
	was := decodeSheet(t, kept)
	require.Less(t, farApart(was, decodeSheet(t, data)), float64(alike))

	for name, spoil := range map[string]func([]SheetRow) []SheetRow{
		"a pair is swapped": func(r []SheetRow) []SheetRow {
			r[2].Pictures[0].From, r[2].Pictures[1].From = r[2].Pictures[1].From, r[2].Pictures[0].From
			return r
		},
		"rows are swapped":     func(r []SheetRow) []SheetRow { r[0], r[1] = r[1], r[0]; return r },
		"a number is missing":  func(r []SheetRow) []SheetRow { r[0].Label = "beach.jpg"; return r },
		"a number is another":  func(r []SheetRow) []SheetRow { r[0].Label = "7 · beach.jpg"; return r },
		"a caption is missing": func(r []SheetRow) []SheetRow { r[3].Pictures[1].Title = ""; return r },
		"a picture is missing": func(r []SheetRow) []SheetRow { r[3].Pictures[1].From = nil; return r },
		"a column is missing":  func(r []SheetRow) []SheetRow { r[1].Pictures = r[1].Pictures[:2]; return r },
	} {
		other := madeOf(t, s, func(base string) []SheetRow { return spoil(rows(base)) })
		require.Greater(t, farApart(was, other), float64(alike), "%s, and nobody sees it", name)
	}
}

func TestPicturesStandAsTheCameraWasHeld(t *testing.T) {
	t.Parallel()
	s, rows := fourRows(t, 0)
	upright := madeOf(t, s, rows)
	for _, value := range []uint16{1, 3, 6, 8} {
		s, rows := fourRows(t, value)
		require.Less(t, farApart(upright, madeOf(t, s, rows)), float64(alike), "orientation %d", value)
	}
	wrong, rows := fourRows(t, 0)
	wrong["/1a"] = held(t, scene(300, 450, 40), 3)
	wrong["/1a"][2+4+6+8+2+8] = 1 // what was stored upside down says that it is not
	require.Greater(t, farApart(upright, madeOf(t, wrong, rows)), float64(alike))
}

// giant returns a black PNG with that many pixels a side.
func giant(tb testing.TB, side int) []byte {
	tb.Helper()
	var out, packed bytes.Buffer
	chunk := func(kind string, data []byte) {
		head := append([]byte(kind), data...)
		_ = binary.Write(&out, binary.BigEndian, uint32(len(data)))
		out.Write(head)
		_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(head))
	}
	const rows = 100 // packed once, and repeated
	z, err := flate.NewWriter(&packed, flate.BestCompression)
	require.NoError(tb, err)
	_, err = z.Write(make([]byte, rows*(side+1)))
	require.NoError(tb, err)
	require.NoError(tb, z.Flush())
	some := bytes.Clone(packed.Bytes())
	packed.Reset()
	require.NoError(tb, z.Close())
	data := append([]byte{0x78, 0x9c}, bytes.Repeat(some, side/rows)...)
	data = append(data, packed.Bytes()...)
	data = binary.BigEndian.AppendUint32(data, uint32(side*(side+1)%65521)<<16|1) // Adler-32 of so many zeros
	out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(side)), uint32(side))
	chunk("IHDR", append(head, 8, 0, 0, 0, 0))
	chunk("IDAT", data)
	chunk("IEND", nil)
	return out.Bytes()
}

// claims is a progressive JPEG that says it has so many pixels, and goes over all of them again with each scan of a
// few bytes: a run of blocks in which nothing changes.
func claims(side uint16, scans int) []byte {
	data := []byte{0xff, 0xd8, 0xff, 0xc2, 0, 17, 8, byte(side >> 8), byte(side), byte(side >> 8), byte(side), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0}
	data = append(data, 0xff, 0xc4, 0, 20, 0x10, 1)
	data = append(append(data, make([]byte, 15)...), 0xe0)
	for range scans {
		data = append(data, 0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0)
		data = append(data, make([]byte, 8)...)
	}
	return append(data, 0xff, 0xd9)
}

// hostiles are harmful pictures.
func hostiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	whole := asJPEG(tb, scene(4000, 3000, 99))
	big := giant(tb, 20_000)
	require.Less(tb, len(big), 500_000)
	return map[string][]byte{
		"400 megapixels in a small PNG": big,
		"a JPEG that is cut off":        whole[:len(whole)/2],
		"a JPEG's head alone":           whole[:200],
		"a JPEG of 65535 pixels a side": claims(65535, 1),
		"nonsense":                      append([]byte("\xff\xd8\xff\xe0"), bytes.Repeat([]byte{0xff, 0xe1, 0xff, 0xff}, 10_000)...),
		"a GIF of no pixels":            []byte("GIF89a\x00\x00\x00\x00\x00\x00\x00;"),
		"a TIFF that points nowhere":    []byte("II*\x00\xff\xff\xff\x7f"),
		"nothing":                       {},
	}
}

func TestAPictureThatWouldDoHarmIsAnEmptyTile(t *testing.T) {
	t.Parallel()
	for name, data := range hostiles(t) {
		t.Run(name, func(t *testing.T) {
			s := shop{"/bad": data, "/good": asJPEG(t, scene(300, 200, 1))}
			sheets, base := s.sheets(t)
			began := time.Now()
			_, err := sheets.Make(t.Context(), []SheetRow{{Label: "1 · bad", Pictures: []SheetPicture{{"Original", []Photo{{URL: base + "/bad"}}}}}})
			require.ErrorIs(t, err, ErrNotPicture, "there is nothing to show")
			require.Less(t, time.Since(began), time.Minute)
			_, err = sheets.Make(t.Context(), []SheetRow{{
				Label:    "1 · bad",
				Pictures: []SheetPicture{{"Original", []Photo{{URL: base + "/bad"}, {URL: base + "/good"}}}},
			}})
			require.NoError(t, err, "the preview stands for it")
			bad, good := SheetPicture{"Round 1", []Photo{{URL: base + "/bad"}}}, SheetPicture{"Round 2", []Photo{{URL: base + "/good"}}}
			_, err = sheets.Make(t.Context(), []SheetRow{{Label: "1 · bad", Pictures: []SheetPicture{bad, good}}})
			require.NoError(t, err, "an empty tile stands for an older one")
			_, err = sheets.Make(t.Context(), []SheetRow{{Label: "1 · good", Pictures: []SheetPicture{good, good}}, {Label: "2 · bad", Pictures: []SheetPicture{good, bad}}})
			require.ErrorIs(t, err, ErrNotPicture, "the newest picture is missing")
		})
	}
}

// A small file can need hours of work: it is stopped after the time for one picture.
func TestADecoderStopsWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	picture, err := examine(claims(2000, 200_000))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err = picture.scaled(ctx, image.Pt(100, 100), shrink)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestOneSheetIsMadeAtATime(t *testing.T) {
	t.Parallel()
	sheets := NewSheets(true, nil, slog.New(slog.DiscardHandler))
	done, ok := sheets.Begin()
	require.True(t, ok)
	_, ok = sheets.Begin()
	require.False(t, ok)
	done()
	done, ok = sheets.Begin()
	require.True(t, ok)
	done()
}

// sheetJobs makes that many sheets for a workspace. Each asks every three seconds until it may be made.
func sheetJobs(s *Sheets, n int, made func(waited time.Duration)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-time.After(time.Duration(i) * 17 * time.Millisecond)
			began := time.Now()
			for {
				if done, ok := s.Begin(); ok {
					made(time.Since(began))
					<-time.After(2 * time.Second)
					done()
					return
				}
				<-time.After(3 * time.Second)
			}
		})
	}
	all.Wait()
}

// However many sheets a workspace wants, another one comes next.
func TestWorkspacesTakeTurnsAtSheets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := NewSheets(true, nil, slog.New(slog.DiscardHandler))
		began, longest := time.Now(), time.Duration(0)
		var noisy sync.WaitGroup
		noisy.Go(func() { sheetJobs(all.From("noisy", nil), 300, func(time.Duration) {}) })
		for i := range 10 {
			<-time.After(20 * time.Second)
			sheetJobs(all.From(fmt.Sprint("quiet", i), nil), 1, func(waited time.Duration) {
				longest = max(longest, waited)
			})
		}
		require.LessOrEqual(t, longest, 9*time.Second, "the one that is made, one that was asked for before, and two pauses")
		noisy.Wait()
		require.Less(t, time.Since(began), 800*time.Second, "300 of two seconds, and some pauses")
	})
}

// A refused workspace that does not ask again delays no others.
func TestWhoDoesNotAskAgainLosesItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := NewSheets(true, nil, slog.New(slog.DiscardHandler))
		a, b := all.From("a", nil), all.From("b", nil)
		done, ok := a.Begin()
		require.True(t, ok)
		for i := range 2 * maxSheetWaits {
			_, ok = all.From(fmt.Sprint(i), nil).Begin()
			require.False(t, ok)
		}
		require.Len(t, all.queue.waiting, maxSheetWaits)
		done()
		<-time.After(time.Second)
		_, ok = b.Begin()
		require.False(t, ok, "others have waited longer")
		<-time.After(sheetWaitExpiry)
		done, ok = b.Begin()
		require.True(t, ok)
		require.Empty(t, all.queue.waiting)
		done()
	})
}

// A sheet reads no more pictures than it has room for, however many a row names.
func TestASheetIsBoundedForTheSumOfItsPictures(t *testing.T) {
	t.Parallel()
	s := &busyShop{shop: shop{"/a": asJPEG(t, scene(300, 200, 1))}}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	row := SheetRow{Label: "1 · beach.jpg", Pictures: slices.Repeat([]SheetPicture{{"Round 1", []Photo{{URL: srv.URL + "/a"}}}}, 2*SheetColumns)}
	data, err := NewSheets(true, nil, slog.New(slog.DiscardHandler)).Make(t.Context(), slices.Repeat([]SheetRow{row}, 2*SheetRows))
	require.NoError(t, err)
	require.LessOrEqual(t, len(data), maxSheetBytes)
	require.EqualValues(t, SheetRows*SheetColumns, s.asked.Load())
	require.LessOrEqual(t, s.most.Load(), int64(maxDecodes), "few are read at once")
}

// busyShop is a shop that counts its requests, and how many it answered at once.
type busyShop struct {
	shop
	asked, now, most atomic.Int64
}

func (c *busyShop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.asked.Add(1)
	now := c.now.Add(1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	c.shop.ServeHTTP(w, r)
	c.now.Add(-1)
}
