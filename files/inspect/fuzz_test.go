package inspect

import (
	"strings"
	"testing"
	"time"

	"darkroom/files"
)

// FuzzInspect reads any bytes as a picture: no panic, no more bytes and parts than are allowed, little memory, little time.
func FuzzInspect(f *testing.F) {
	for _, test := range hostiles(f) {
		if len(test.data) < 100_000 {
			f.Add(test.data)
		}
	}
	for _, data := range [][]byte{
		iccJPEG(f), fourColours(f), jpegOf(f, small(60, 40), exifSegment(exifOf(6, "R03"))), pngOf(f, small(60, 40), iccp(f, iccP3), chunk("cICP", []byte{12, 13, 0, 1})),
		webpOf(vp8x(0x28, 60, 40), riff("ICCP", iccAdobe), []byte(onePixel), riff("EXIF", exifOf(8, ""))), webpOf(riff("VP8 ", []byte{0, 0, 0, 0x9d, 1, 0x2a, 60, 0, 40, 0})),
		tiffOf(big, 8, short(256, 60), short(257, 40), unknown(34675, iccSRGB)), encodedTIFF(f, small(60, 40)), gifOf(f, 60, 40),
		heifOf("avif", 60, 40, 1), []byte("<!doctype html>"), nil,
	} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fetched int64
		r := newRemote(func(offset, length int64) (files.Part, error) {
			fetched += length
			if offset < 0 || length != blockLen || fetched > maxBytes {
				t.Fatalf("a part of %d bytes from %d on, %d so far", length, offset, fetched)
			}
			if offset >= int64(len(data)) {
				return files.Part{}, files.ErrEmpty
			}
			return files.Part{Data: data[offset:min(int64(len(data)), offset+length)], Size: int64(len(data))}, nil
		})
		began := time.Now()
		var got Facts
		var err error
		if bytes := allocated(func() { got, err = read(r) }); bytes > maxAllocated {
			t.Fatalf("%d bytes allocated", bytes)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Fatalf("it took %v", took)
		}
		if got.Width < 0 || got.Height < 0 || got.Width > maxSide || got.Height > maxSide || (got.Width == 0) != (got.Height == 0) {
			t.Fatalf("%d × %d pixels", got.Width, got.Height)
		}
		if err == nil && !strings.HasPrefix(got.Format, "image/") {
			t.Fatalf("a format of %q", got.Format)
		}
	})
}
