package photos_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"golang.org/x/image/tiff"
)

const tinyWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// pictures are what a gallery holds, encoded once: GIF is slow.
var pictures = sync.OnceValue(func() map[string][]byte {
	picture := gradient(400, 300)
	webp, err := base64.StdEncoding.DecodeString(tinyWebP)
	if err != nil {
		panic(err)
	}
	return map[string][]byte{
		"/beach.jpg":       encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) }),
		"/album/beach.jpg": encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, gradient(80, 60), nil) }),
		"/logo.png":        encoded(func(b *bytes.Buffer) error { return png.Encode(b, picture) }),
		"/old.gif":         encoded(func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) }),
		"/scan.tiff":       encoded(func(b *bytes.Buffer) error { return tiff.Encode(b, gradient(80, 60), nil) }),
		"/tiny.webp":       webp,
		"/phone.heic":      []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
		"/camera.raf":      {0xf0, 0x0b, 0x00, 0x9c, 0x01, 0x02},
		"/page.jpg":        []byte("<html><body>Please log in</body></html>"),
		"/vector.svg":      []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
	}
})

// gallery serves pictures of every kind, and what is no picture.
func gallery(t *testing.T) string {
	t.Helper()
	content := pictures()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := content[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/camera.raf" {
			w.Header().Set("Content-Type", "image/x-fuji-raf")
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func encoded(encode func(*bytes.Buffer) error) []byte {
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func gradient(width, height int) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.Set(x, y, color.NRGBA{R: uint8(x * 200 / width), G: uint8(y * 200 / height), B: 90, A: 255})
		}
	}
	return picture
}
