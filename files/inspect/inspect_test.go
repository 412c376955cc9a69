package inspect

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/files"
)

// gallery serves pictures in parts and counts.
type gallery struct {
	*httptest.Server
	requests atomic.Int32
	sent     atomic.Int64
	ranges   sync.Map // by number of the request
}

// counted counts the bytes of a body.
type counted struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

func serving(tb testing.TB, handle http.HandlerFunc) *gallery {
	tb.Helper()
	g := &gallery{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.ranges.Store(g.requests.Add(1), r.Header.Get("Range"))
		handle(counted{w, &g.sent}, r)
	}))
	tb.Cleanup(g.Close)
	return g
}

// showing serves one picture, at any path.
func showing(tb testing.TB, data []byte) *gallery {
	tb.Helper()
	return serving(tb, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
}

const far = 3_000_000 // bytes of pixels

// pixels stands for the pixels of a picture.
var pixels = bytes.Repeat([]byte("pixel"), far/5)

func TestInspectReadsHeaders(t *testing.T) {
	t.Parallel()
	tiffICC := func(at int, profile []byte) []byte {
		return append(tiffOf(little, at, long(256, 6000), short(257, 4000), short(262, 2), short(274, 1), unknown(34675, profile)), pixels...)
	}
	tests := map[string]struct {
		data     []byte
		want     Facts
		requests int // 0: one
	}{
		"JPEG":                          {append(jpegOf(t, small(60, 40)), pixels...), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0},
		"JPEG, small":                   {jpegOf(t, small(60, 40)), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0},
		"JPEG, sRGB":                    {jpegOf(t, small(60, 40), iccSegments(iccSRGB, 9000)...), Facts{"image/jpeg", 60, 40, SRGB, 0}, 0},
		"JPEG, Display P3":              {jpegOf(t, small(60, 40), iccSegments(iccP3, 9000)...), Facts{"image/jpeg", 60, 40, DisplayP3, 0}, 0},
		"JPEG, Adobe RGB":               {jpegOf(t, small(60, 40), iccSegments(iccAdobe, 9000)...), Facts{"image/jpeg", 60, 40, AdobeRGB, 0}, 0},
		"JPEG, ProPhoto":                {jpegOf(t, small(60, 40), iccSegments(iccWide, 9000)...), Facts{"image/jpeg", 60, 40, OtherProfile, 0}, 0},
		"JPEG, profile for printing":    {jpegOf(t, small(60, 40), iccSegments(append(bytes.Clone(iccPrint), make([]byte, 500_000)...), 65_000)...), Facts{"image/jpeg", 60, 40, CMYK, 0}, 2},
		"JPEG, profile of greys":        {jpegOf(t, small(60, 40), iccSegments(icc("GRAY"), 9000)...), Facts{"image/jpeg", 60, 40, OtherProfile, 0}, 0},
		"JPEG, profile in two parts":    {jpegOf(t, small(60, 40), iccSegments(iccP3, 150)...), Facts{"image/jpeg", 60, 40, DisplayP3, 0}, 0},
		"JPEG, two parts the wrong way": {jpegOf(t, small(60, 40), iccSegments(iccP3, 150)[1], iccSegments(iccP3, 150)[0]), Facts{"image/jpeg", 60, 40, DisplayP3, 0}, 0},
		"JPEG, another application's segment": {
			jpegOf(t, small(60, 40), segment(0xE2, []byte("MPF\x00MM")), segment(0xE2, nil), segment(0xE1, nil)), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0,
		},
		"JPEG, filling bytes":            {append([]byte{0xFF, 0xD8, 0xFF}, iccJPEG(t)[2:]...), Facts{"image/jpeg", 0, 0, SRGB, 0}, 0},
		"JPEG, four colours":             {fourColours(t), Facts{"image/jpeg", 60, 40, CMYK, 0}, 0},
		"JPEG, camera's Adobe RGB":       {jpegOf(t, small(60, 40), exifSegment(exifOf(1, "R03"))), Facts{"image/jpeg", 60, 40, AdobeRGB, 0}, 0},
		"JPEG, camera's sRGB":            {jpegOf(t, small(60, 40), exifSegment(exifOf(1, "R98"))), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0},
		"JPEG, a profile over the mark":  {jpegOf(t, small(60, 40), exifSegment(exifOf(1, "R03")), iccSegments(iccSRGB, 9000)[0]), Facts{"image/jpeg", 60, 40, SRGB, 0}, 0},
		"JPEG, malformed EXIF":           {jpegOf(t, small(60, 40), exifSegment(tiffOf(big, 8, tag{id: 1, kind: 13}, short(274, 6)))), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0},
		"JPEG, its small copy is turned": {jpegOf(t, small(60, 40), exifSegment(turnedElsewhere())), Facts{"image/jpeg", 60, 40, NoProfile, 0}, 0},
		"PNG":                            {pngOf(t, small(60, 40), chunk("tEXt", pixels)), Facts{"image/png", 60, 40, NoProfile, 0}, 2},
		"PNG, pixels":                    {pngOf(t, small(60, 40), chunk("IDAT", pixels)), Facts{"image/png", 60, 40, NoProfile, 0}, 0},
		"PNG, sRGB":                      {pngOf(t, small(60, 40), chunk("sRGB", []byte{0})), Facts{"image/png", 60, 40, SRGB, 0}, 0},
		"PNG, Display P3":                {pngOf(t, small(60, 40), iccp(t, iccP3)), Facts{"image/png", 60, 40, DisplayP3, 0}, 0},
		"PNG, Adobe RGB over sRGB":       {pngOf(t, small(60, 40), iccp(t, iccAdobe), chunk("sRGB", []byte{0})), Facts{"image/png", 60, 40, AdobeRGB, 0}, 0},
		"PNG, code points of sRGB":       {pngOf(t, small(60, 40), chunk("cICP", []byte{1, 13, 0, 1}), iccp(t, iccAdobe)), Facts{"image/png", 60, 40, SRGB, 0}, 0},
		"PNG, code points of Display P3": {pngOf(t, small(60, 40), chunk("cICP", []byte{12, 13, 0, 1})), Facts{"image/png", 60, 40, DisplayP3, 0}, 0},
		"PNG, other code points":         {pngOf(t, small(60, 40), chunk("cICP", []byte{9, 16, 0, 1})), Facts{"image/png", 60, 40, OtherProfile, 0}, 0},
		"PNG, on its side":               {pngOf(t, small(60, 40), chunk("eXIf", exifOf(6, ""))), Facts{"image/png", 40, 60, NoProfile, 0}, 0},
		"PNG, turned after its pixels":   {pngOf(t, small(60, 40), chunk("IDAT", pixels), chunk("eXIf", exifOf(6, ""))), Facts{"image/png", 60, 40, NoProfile, 0}, 0},
		"WebP, lossless":                 {webpOf([]byte(onePixel)), Facts{"image/webp", 1, 1, NoProfile, 0}, 0},
		"WebP, lossy":                    {webpOf(riff("VP8 ", append([]byte{0, 0, 0, 0x9d, 1, 0x2a, 60, 0, 40, 0}, pixels...))), Facts{"image/webp", 60, 40, NoProfile, 0}, 0},
		"WebP, Adobe RGB, turned at its end": {
			webpOf(vp8x(0x28, 6000, 4000), riff("ICCP", iccAdobe), riff("VP8 ", pixels), riff("EXIF", exifOf(8, ""))), Facts{"image/webp", 4000, 6000, AdobeRGB, 0}, 2,
		},
		"WebP, animated":             {webpOf(vp8x(2, 60, 40), riff("ANIM", make([]byte, 6)), riff("ICCP", iccAdobe)), Facts{"image/webp", 60, 40, NoProfile, 0}, 0},
		"WebP, transparent":          {webpOf(vp8x(16, 60, 40), riff("ALPH", pixels), riff("ICCP", iccAdobe)), Facts{"image/webp", 60, 40, NoProfile, 0}, 0},
		"WebP, chunk of odd size":    {webpOf(vp8x(32, 60, 40), riff("WHAT", []byte{1}), riff("ICCP", iccSRGB), []byte(onePixel)), Facts{"image/webp", 60, 40, SRGB, 0}, 0},
		"TIFF":                       {tiffICC(8, iccSRGB), Facts{"image/tiff", 6000, 4000, SRGB, 0}, 0},
		"TIFF, header last":          {append(tiffICC(far, iccP3)[:far+600], make([]byte, 100)...), Facts{"image/tiff", 6000, 4000, DisplayP3, 0}, 2},
		"TIFF, header in the next":   {tiffICC(blockLen-1, iccAdobe), Facts{"image/tiff", 6000, 4000, AdobeRGB, 0}, 2},
		"TIFF, encoded":              {encodedTIFF(t, small(600, 400)), Facts{"image/tiff", 600, 400, NoProfile, 0}, 2},
		"TIFF, for printing":         {tiffOf(big, 8, short(256, 60), short(257, 40), short(262, 5)), Facts{"image/tiff", 60, 40, CMYK, 0}, 0},
		"TIFF, on its side":          {tiffOf(big, 8, short(256, 60), short(257, 40), short(274, 6)), Facts{"image/tiff", 40, 60, NoProfile, 0}, 0},
		"TIFF, camera raw":           {tiffOf(big, 8, long(254, 1), short(256, 160), short(257, 120)), Facts{"image/tiff", 0, 0, "", 0}, 0},
		"BigTIFF":                    {append([]byte("II\x2b\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"), make([]byte, 99)...), Facts{"image/tiff", 0, 0, "", 0}, 0},
		"GIF":                        {gifOf(t, 60, 40), Facts{"image/gif", 60, 40, NoProfile, 0}, 0},
		"HEIC":                       {heifOf("heic", 6000, 4000, 0), Facts{"image/heic", 6000, 4000, "", 0}, 0},
		"HEIC, turned by EXIF alone": {heicWithEXIF(), Facts{"image/heic", 6000, 4000, "", 0}, 0},
		"HEIF":                       {heifOf("mif1", 6000, 4000, 2), Facts{"image/heif", 6000, 4000, "", 0}, 0},
		"AVIF, on its side":          {heifOf("avif", 6000, 4000, 1), Facts{"image/avif", 4000, 6000, "", 0}, 0},
		"camera raw":                 {[]byte("FUJIFILMCCD-RAW 0201FF389501X-T3"), Facts{"image/x-fuji-raf", 0, 0, "", 0}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := showing(t, test.data)
			test.want.Size = int64(len(test.data))
			got, err := New(true).Inspect(t.Context(), g.URL+"/photo")
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
			assert.Equal(t, max(1, test.requests), int(g.requests.Load()), "requests")
			assert.LessOrEqual(t, g.sent.Load(), int64(max(1, test.requests))*blockLen)
		})
	}
}

// turnedElsewhere is an EXIF block in which other directories than the first have an orientation.
func turnedElsewhere() []byte {
	block := tiffOf(big, 8, long(0x8769, 100), short(259, 1))
	big.PutUint32(block[len(block)-4:], 200) // the next directory is that of the small copy
	block = append(block, make([]byte, 300-len(block))...)
	copy(block[100:], directory(big, 100, short(274, 6)))
	copy(block[200:], directory(big, 200, short(274, 6)))
	return block
}

func iccJPEG(tb testing.TB) []byte {
	tb.Helper()
	return jpegOf(tb, small(60, 40), iccSegments(iccSRGB, 9000)...)
}

// fourColours is the head of a JPEG for printing without a profile.
func fourColours(tb testing.TB) []byte {
	tb.Helper()
	data := jpegOf(tb, small(60, 40))
	data[bytes.Index(data, []byte{0xFF, 0xC0})+9] = 4
	return data
}

func TestInspectTurnsPicturesUpright(t *testing.T) {
	t.Parallel()
	for orientation := range uint32(10) {
		want := image.Pt(60, 40)
		if orientation >= 5 && orientation <= 8 {
			want = image.Pt(40, 60)
		}
		for format, data := range map[string][]byte{
			"jpeg": jpegOf(t, small(60, 40), exifSegment(exifOf(orientation, ""))),
			"tiff": tiffOf(big, 8, short(256, 60), short(257, 40), short(274, orientation)),
		} {
			got, err := New(true).Inspect(t.Context(), showing(t, data).URL)
			require.NoError(t, err)
			assert.Equal(t, want, image.Pt(got.Width, got.Height), "%s, %d", format, orientation)
		}
	}
}

// A profile that breaks off is not read; what follows its colours does not matter.
func TestProfilesThatBreakOff(t *testing.T) {
	t.Parallel()
	for n := range len(iccSRGB) {
		assert.Empty(t, classify(iccSRGB[:n]), "%d bytes", n)
	}
	assert.Equal(t, SRGB, classify(iccSRGB))
	assert.Equal(t, SRGB, classify(append(bytes.Clone(iccSRGB), 1, 2, 3)))
	other := bytes.Clone(iccSRGB)
	copy(other[36:], "none")
	assert.Empty(t, classify(other), "another profile")
	tables := bytes.Clone(iccSRGB)
	copy(tables[len(tables)-20:], "curv")
	assert.Empty(t, classify(tables), "its blue is no colour")
	assert.Empty(t, classify(icc("RGB ")), "it has tables only")
}

// A frame may be of any kind; a table may look like a frame.
func TestJPEGFrames(t *testing.T) {
	t.Parallel()
	for kind := byte(0xC0); kind <= 0xCF; kind++ {
		want := CMYK
		if kind == 0xC4 || kind == 0xC8 || kind == 0xCC {
			want = NoProfile
		}
		data := append([]byte{0xFF, 0xD8}, segment(kind, []byte{8, 0, 40, 0, 60, 4})...)
		got := jpegProfile(remoteOf(append(data, 0xFF, 0xD9, 0, 0)))
		assert.Equal(t, want, got, "%x", kind)
	}
}

// remoteOf is a picture whose parts come at once.
func remoteOf(data []byte) *remote {
	return newRemote(func(offset, length int64) (files.Part, error) {
		if offset >= int64(len(data)) {
			return files.Part{}, files.ErrEmpty
		}
		return files.Part{Data: data[offset:min(int64(len(data)), offset+length)], Size: int64(len(data))}, nil
	})
}

func TestAServiceThatIgnoresRangesIsCutOff(t *testing.T) {
	t.Parallel()
	whole := func(data []byte) *gallery {
		return serving(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	}
	got, err := New(true).Inspect(t.Context(), whole(append(iccJPEG(t), bytes.Repeat(pixels, 2)...)).URL)
	require.NoError(t, err)
	assert.Equal(t, Facts{Format: "image/jpeg", Width: 60, Height: 40, Profile: SRGB}, got, "its size is not announced")

	g := whole(append(tiffOf(little, far, short(256, 60), short(257, 40)), pixels...))
	got, err = New(true).Inspect(t.Context(), g.URL)
	require.NoError(t, err)
	assert.Equal(t, Facts{Format: "image/tiff"}, got, "its header comes last")
	assert.Equal(t, int32(2), g.requests.Load(), "it is asked once more")

	endless := serving(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := w.Write(iccJPEG(t))
		for err == nil && r.Context().Err() == nil {
			_, err = w.Write(pixels[:1000])
		}
	})
	got, err = New(true).Inspect(t.Context(), endless.URL)
	require.NoError(t, err)
	assert.Equal(t, Facts{Format: "image/jpeg", Width: 60, Height: 40, Profile: SRGB}, got)
	assert.Less(t, endless.sent.Load(), int64(16<<20), "what is under way counts, too")
}

func TestTheSizeComesFromTheService(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]int64{"bytes 0-99/20000000": 20_000_000, "bytes 0-99/*": 0} {
		g := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", header)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(iccJPEG(t))
		})
		got, err := New(true).Inspect(t.Context(), g.URL)
		require.NoError(t, err)
		assert.Equal(t, Facts{"image/jpeg", 60, 40, SRGB, want}, got)
	}
	g := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000000")
		_, _ = w.Write(iccJPEG(t))
		_, _ = w.Write(pixels)
	})
	got, err := New(true).Inspect(t.Context(), g.URL)
	require.NoError(t, err)
	assert.Equal(t, int64(5_000_000), got.Size, "without ranges it announces the whole")
}

// A part that fails for a moment is an error that may pass; one that is never to be had is not read.
func TestPartsThatFailLater(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{503: "fetch: status 503", 416: "", 404: "file is gone from Slack"} {
		g := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
				w.WriteHeader(status)
				return
			}
			w.Header().Set("Content-Range", "bytes 0-262143/*")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(jpegOf(t, small(60, 40), bytes.Repeat(segment(0xE5, make([]byte, 60_000)), 6))[:blockLen])
		})
		got, err := New(true).Inspect(t.Context(), g.URL)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
		assert.Equal(t, Facts{Format: "image/jpeg"}, got)
		assert.Equal(t, int32(2), g.requests.Load(), "%d: it is asked once", status)
	}
}

func TestInspectErrors(t *testing.T) {
	t.Parallel()
	answer := func(status int, headers map[string]string, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range headers {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	tests := map[string]struct {
		handle http.HandlerFunc
		want   error
	}{
		"HTML":                   {answer(200, nil, "<!doctype html><p>Sign in"), files.ErrNotPicture},
		"HTML as a part":         {answer(206, map[string]string{"Content-Range": "bytes 0-9/99"}, "<!doctype html><p>Sign in"), files.ErrNotPicture},
		"nothing":                {answer(200, nil, ""), files.ErrEmpty},
		"no such range":          {answer(416, map[string]string{"Content-Range": "bytes */0"}, ""), files.ErrEmpty},
		"gone":                   {answer(410, nil, ""), files.ErrGone},
		"another part":           {answer(206, map[string]string{"Content-Range": "bytes 5-99/100"}, "\xff\xd8\xff"), files.ErrNoRanges},
		"no Content-Range":       {answer(206, nil, "\xff\xd8\xff"), files.ErrNoRanges},
		"several parts":          {answer(206, map[string]string{"Content-Type": "multipart/byteranges; boundary=x"}, "--x"), files.ErrNoRanges},
		"the metadata address":   {redirecting("http://169.254.169.254/latest/meta-data/"), files.ErrRefused},
		"another scheme":         {redirecting("file:///etc/passwd"), files.ErrRefused},
		"an address for ever":    {redirecting("/again"), files.ErrRefused},
		"a body that breaks off": {answer(200, map[string]string{"Content-Length": "5000"}, "\xff\xd8\xff"), io.ErrUnexpectedEOF},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := serving(t, test.handle)
			got, err := New(true).Inspect(t.Context(), g.URL+"/photo?secret=1")
			require.ErrorIs(t, err, test.want)
			assert.NotContains(t, err.Error(), "secret")
			assert.Zero(t, got)
			_, err = New(true).Print(t.Context(), g.URL+"/photo?secret=1")
			require.Error(t, err)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
	_, err := New(true).Inspect(t.Context(), serving(t, answer(503, nil, "")).URL)
	require.EqualError(t, err, "fetch: status 503")
}

func redirecting(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

func TestInspectUsesPublicAddressesOnly(t *testing.T) {
	t.Parallel()
	g := showing(t, iccJPEG(t))
	_, err := New(false).Inspect(t.Context(), g.URL)
	require.ErrorIs(t, err, files.ErrRefused)
	_, err = New(false).Print(t.Context(), g.URL)
	require.ErrorIs(t, err, files.ErrRefused)
	_, err = New(true).Inspect(t.Context(), "http://169.254.169.254/latest/meta-data/")
	require.ErrorIs(t, err, files.ErrRefused)
	assert.Zero(t, g.requests.Load())
}

// A service that sends a byte and then nothing is left when the context ends. What its first part told stays told.
func TestInspectEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := serving(t, func(w http.ResponseWriter, r *http.Request) {
		data := tiffOf(little, far, short(256, 60))
		if strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", far/blockLen*blockLen, len(data)-1, len(data)))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write([]byte{0})
		_ = http.NewResponseController(w.(counted).ResponseWriter).Flush()
		cancel()
		<-r.Context().Done()
	})
	got, err := New(true).Inspect(ctx, g.URL)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, Facts{Format: "image/tiff", Size: far + 18}, got)
	assert.Equal(t, int32(2), g.requests.Load(), "after a failure nothing more is asked for")
}
