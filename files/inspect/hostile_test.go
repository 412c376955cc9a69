package inspect

import (
	"bytes"
	"compress/flate"
	"context"
	"image"
	"math"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/files"
)

// pointing is a TIFF whose directory lists further directories, each of them the same long one.
func pointing(size, lists int) []byte {
	const at = 64
	block := tiffOf(little, 8, short(274, 6), tag{id: 0x14A, kind: 4, count: uint32(lists), value: at})
	block = append(block, make([]byte, at-len(block))...)
	for range lists {
		block = little.AppendUint32(block, uint32(at+4*lists))
	}
	entries := (size - len(block) - 2) / 12
	block = little.AppendUint16(block, uint16(entries))
	for range entries {
		block = append(block, 0, 0x99, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0) // the library skips these without a word
	}
	return block
}

// loops is a TIFF or EXIF block whose directories point to themselves and to each other.
func loops() []byte {
	return tiffOf(little, 8, short(274, 6), long(0x8769, 8), long(0x8825, 8), long(0xA005, 8), long(0x14A, 8), short(256, 60), short(257, 40))
}

// countless is a profile that claims to have 2³² tags, each of 2³² bytes.
func countless() []byte {
	p := bytes.Clone(iccSRGB)
	for i := iccHeader; i < iccHeader+4; i++ {
		p[i] = 0xFF
	}
	for i := range 3 {
		copy(p[iccHeader+4+12*(i+1)+4:], "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF")
	}
	return p
}

// claiming is the head of a PNG that claims a size.
func claiming(w, h uint32) []byte {
	ihdr := append(big.AppendUint32(big.AppendUint32(nil, w), h), 8, 2, 0, 0, 0)
	return append(append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", ihdr)...), chunk("IDAT", []byte("pixels"))...)
}

// hostiles are harmful pictures, and what is read of them.
func hostiles(tb testing.TB) map[string]struct {
	data []byte
	want Facts
} {
	tb.Helper()
	m := small(60, 40)
	heic := heifOf("heic", 60, 40, 0)
	counts := bytes.Clone(heic)
	copy(counts[bytes.Index(counts, []byte("ipma"))+8:], "\xFF\xFF\xFF\xFF")
	back := bytes.Clone(heic)
	copy(back[bytes.Index(back, []byte("iprp"))-4:], "\x00\x00\x00\x04") // a box that ends before it begins
	extents := append(box("ftyp", []byte("heic"), make([]byte, 8)), box("meta", make([]byte, 4), box("iloc", make([]byte, 4), []byte{0, 0, 0xFF, 0xFF},
		bytes.Repeat([]byte{0, 1, 0, 0, 0xFF, 0xFF}, 65_000)))...)
	type row = struct {
		data []byte
		want Facts
	}
	return map[string]row{
		"100,000 pixels wide":              {claiming(100_000, 100_000), Facts{"image/png", 100_000, 100_000, NoProfile, 0}},
		"more pixels than any picture":     {claiming(math.MaxUint32, 2), Facts{"image/png", 0, 0, NoProfile, 0}},
		"no pixels":                        {claiming(0, 2), Facts{"image/png", 0, 0, NoProfile, 0}},
		"a TIFF of so many":                {tiffOf(big, 8, long(256, math.MaxUint32), long(257, 40)), Facts{"image/tiff", 0, 0, NoProfile, 0}},
		"a directory of 65,535 tags":       {append([]byte("II*\x00\x08\x00\x00\x00\xFF\xFF"), make([]byte, 6000)...), Facts{"image/tiff", 0, 0, NoProfile, 0}},
		"a directory nowhere":              {[]byte("II*\x00\xF0\xFF\xFF\xFF" + string(make([]byte, 600))), Facts{Format: "image/tiff"}},
		"a directory without tags":         {append([]byte("II*\x00\x08\x00\x00\x00\x00\x00"), make([]byte, 600)...), Facts{Format: "image/tiff"}},
		"directories in a loop":            {loops(), Facts{"image/tiff", 40, 60, NoProfile, 0}},
		"EXIF in a loop":                   {jpegOf(tb, m, exifSegment(loops())), Facts{"image/jpeg", 40, 60, NoProfile, 0}},
		"EXIF that points a long way":      {jpegOf(tb, m, exifSegment(pointing(65_000, 8000))), Facts{"image/jpeg", 40, 60, NoProfile, 0}},
		"EXIF of 800 kB, likewise":         {pngOf(tb, m, chunk("eXIf", pointing(800_000, 20_000))), Facts{"image/png", 40, 60, NoProfile, 0}},
		"EXIF that claims 4 GB":            {lying(pngOf(tb, m, chunk("eXIf", exifOf(6, "")))), Facts{"image/png", 60, 40, "", 0}},
		"a profile of countless tags":      {jpegOf(tb, m, iccSegments(countless(), 9000)...), Facts{"image/jpeg", 60, 40, "", 0}},
		"the same in a TIFF, of 4 GB":      {tiffOf(big, 8, short(256, 60), short(257, 40), tag{id: 34675, kind: 7, count: math.MaxUint32, value: 8}), Facts{"image/tiff", 60, 40, "", 0}},
		"a profile longer than it says":    {jpegOf(tb, m, append([]byte{0xFF, 0xE2, 0, 3}, iccSegments(iccP3, 9000)[0][4:]...)), Facts{"image/jpeg", 0, 0, "", 0}},
		"a profile that unpacks to 200 MB": {pngOf(tb, m, chunk("iCCP", append([]byte("x\x00\x00"), bomb(tb)...))), Facts{"image/png", 60, 40, "", 0}},
		"200 profiles that unpack to more": {pngOf(tb, m, bytes.Repeat(chunk("iCCP", append([]byte("x\x00\x00"), bomb(tb)[:2000]...)), 200)), Facts{"image/png", 60, 40, "", 0}},
		"a profile packed by nobody":       {pngOf(tb, m, chunk("iCCP", []byte("x\x00\x00nonsense"))), Facts{"image/png", 60, 40, "", 0}},
		"a profile without its name":       {pngOf(tb, m, chunk("iCCP", []byte("xxxx"))), Facts{"image/png", 60, 40, "", 0}},
		"a profile packed in another way":  {pngOf(tb, m, chunk("iCCP", append([]byte("x\x00\x01"), packed(tb, iccP3)...))), Facts{"image/png", 60, 40, "", 0}},
		"chunks without end":               {pngOf(tb, m, bytes.Repeat(chunk("tEXt", nil), 100_000)), Facts{"image/png", 60, 40, NoProfile, 0}},
		"segments without end":             {jpegOf(tb, m, bytes.Repeat(segment(0xE5, nil), 100_000)), Facts{"image/jpeg", 0, 0, NoProfile, 0}},
		"segments of no length":            {append([]byte("\xFF\xD8"), bytes.Repeat([]byte{0xFF, 0xE5, 0, 0}, 100_000)...), Facts{Format: "image/jpeg"}},
		"zeros":                            {append([]byte("\xFF\xD8\xFF\xE0\x00\x04\x00\x00"), make([]byte, 5_000_000)...), Facts{Format: "image/jpeg"}},
		"WebP chunks without end":          {webpOf(vp8x(0x28, 60, 40), bytes.Repeat(riff("WHAT", nil), 100_000)), Facts{"image/webp", 60, 40, "", 0}},
		"a WebP chunk of 4 GB":             {webpOf(vp8x(0x28, 60, 40), []byte("ICCP\xFF\xFF\xFF\xFF")), Facts{"image/webp", 60, 40, "", 0}},
		"HEIC with 2³² properties":         {append(counts, make([]byte, 3_000_000)...), Facts{Format: "image/heic"}},
		"HEIC boxes in a loop":             {back, Facts{Format: "image/heic"}},
		"HEIC with 65,535 extents each":    {extents, Facts{Format: "image/heic"}},
		"a head alone":                     {[]byte("\xFF\xD8\xFF"), Facts{Format: "image/jpeg"}},
		"half a GIF":                       {[]byte("GIF89a\x01"), Facts{"image/gif", 0, 0, NoProfile, 0}},
	}
}

// lying makes the EXIF of a PNG claim 4 GB.
func lying(data []byte) []byte {
	copy(data[bytes.Index(data, []byte("eXIf"))-4:], "\xFF\xFF\xFF\xF0")
	return data
}

// bomb unpacks to 200 MB: a megabyte of zeros is packed once and repeated.
func bomb(tb testing.TB) []byte {
	tb.Helper()
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestCompression)
	require.NoError(tb, err)
	_, err = z.Write(make([]byte, 1<<20))
	require.NoError(tb, err)
	require.NoError(tb, z.Flush())
	return append([]byte{0x78, 0x9c}, bytes.Repeat(out.Bytes(), 200)...)
}

// maxAllocated bounds what one inspection allocates: 2 MB of blocks, up to 10 MB of the library's buffer, and lists of the
// library's that grow with each byte that it reads.
const maxAllocated = 64 << 20

// allocated returns how many bytes do allocates in all.
func allocated(do func()) uint64 {
	now := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(now)
	before := now[0].Value.Uint64()
	do()
	metrics.Read(now)
	return now[0].Value.Uint64() - before
}

func TestHostilePictures(t *testing.T) {
	for name, test := range hostiles(t) {
		t.Run(name, func(t *testing.T) {
			g := showing(t, test.data)
			test.want.Size = int64(len(test.data))
			began := time.Now()
			got, err := New(true).Inspect(t.Context(), g.URL)
			took := time.Since(began)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
			assert.LessOrEqual(t, int(g.requests.Load()), min(maxBytes, len(test.data))/blockLen+1)
			assert.Less(t, took, 3*time.Second)

			r := remoteOf(test.data)
			bytes := allocated(func() { _, _ = read(r) })
			assert.Less(t, bytes, uint64(maxAllocated))
			t.Logf("%v, %d kB allocated, %d kB read, %d requests", took.Round(time.Millisecond), bytes>>10, (maxRead-r.left)>>10, g.requests.Load())
		})
	}
}

// A picture whose decoder wants all of it is cut off after 2 MB.
func TestNoMoreThanTwoMegabytesAreFetched(t *testing.T) {
	t.Parallel()
	data := pngOf(t, small(60, 40), bytes.Repeat(chunk("tEXt", make([]byte, blockLen)), 40))
	g := showing(t, data)
	got, err := New(true).Inspect(t.Context(), g.URL)
	require.NoError(t, err)
	assert.Equal(t, Facts{"image/png", 60, 40, "", int64(len(data))}, got)
	assert.Equal(t, int32(maxBytes/blockLen), g.requests.Load())
	assert.Equal(t, int64(maxBytes), g.sent.Load())
}

func TestAHostilePreviewHasNoPrint(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"100,000 pixels wide": {claiming(100_000, 100_000), files.ErrTooManyPixels},
		"too many to decode":  {claiming(3000, 3000), files.ErrTooManyPixels},
		"no pixels":           {claiming(0, 2), files.ErrNotPicture},
		"HTML":                {[]byte("<!doctype html>"), files.ErrNotPicture},
		"more than 4 MB":      {append(iccJPEG(t), make([]byte, maxPreview)...), files.ErrTooLarge},
		"a HEIC":              {heifOf("heic", 60, 40, 0), files.ErrNotPicture},
		"nothing":             {nil, files.ErrEmpty},
	} {
		got, err := New(true).Print(t.Context(), showing(t, test.data).URL)
		require.ErrorIs(t, err, test.want, name)
		assert.Empty(t, got, name)
	}
}

// One preview is decoded at a time; who waits leaves with the context.
func TestPrintsTakeTurns(t *testing.T) {
	t.Parallel()
	g := showing(t, iccJPEG(t))
	i := New(true)
	require.NoError(t, i.decoding.Acquire(t.Context(), 1))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := i.Print(ctx, g.URL)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	i.decoding.Release(1)
	for range 2 {
		got, err := i.Print(t.Context(), g.URL)
		require.NoError(t, err)
		assert.NotEmpty(t, got)
	}
	_, err = i.Print(t.Context(), showing(t, jpegOf(t, image.NewRGBA(image.Rect(0, 0, 1, 1)))).URL)
	require.NoError(t, err, "a picture of one pixel")
}
