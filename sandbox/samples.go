package sandbox

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"net"
	"net/http"
	"path"
	"time"
)

// samples serves a few small pictures that we paint ourselves.
type samples struct {
	server *http.Server
	base   string
}

// scene is a picture: a sky over a ground, and something round in it.
type scene struct {
	name        string
	sky, ground color.RGBA
	round       color.RGBA
	x, y, r     float64 // of the round thing, as parts of the width
}

var scenes = []scene{
	{"beach.jpg", color.RGBA{120, 170, 214, 255}, color.RGBA{206, 184, 140, 255}, color.RGBA{250, 232, 176, 255}, .72, .2, .08},
	{"kitchen.jpg", color.RGBA{214, 208, 200, 255}, color.RGBA{122, 92, 70, 255}, color.RGBA{90, 120, 96, 255}, .35, .34, .12},
	{"ring.jpg", color.RGBA{60, 56, 66, 255}, color.RGBA{38, 34, 42, 255}, color.RGBA{222, 190, 110, 255}, .5, .38, .18},
}

// serveSamples starts serving on 127.0.0.1.
func serveSamples() (*samples, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &samples{base: "http://" + listener.Addr().String() + "/samples/"}
	s.server = &http.Server{Handler: http.HandlerFunc(serveScene), ReadHeaderTimeout: 5 * time.Second}
	go s.server.Serve(listener) //nolint:errcheck // it ends with close
	return s, nil
}

func serveScene(w http.ResponseWriter, r *http.Request) {
	for _, s := range scenes {
		if s.name == path.Base(r.URL.Path) {
			w.Header().Set("Content-Type", "image/jpeg")
			http.ServeContent(w, r, s.name, time.Time{}, bytes.NewReader(s.paint(480, 320)))
			return
		}
	}
	http.NotFound(w, r)
}

// paint draws the scene as a JPEG.
func (s scene) paint(width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, s.at(float64(x)/float64(width), float64(y)/float64(width), float64(height)/float64(width)))
		}
	}
	var out bytes.Buffer
	_ = jpeg.Encode(&out, img, &jpeg.Options{Quality: 85}) // a bytes.Buffer takes everything
	return out.Bytes()
}

// at is the colour at a point; y grows to floor.
func (s scene) at(x, y, floor float64) color.Color {
	if math.Hypot(x-s.x, y-s.y) < s.r {
		return s.round
	}
	depth := y / floor
	if depth < .6 {
		return shade(s.sky, 1-.25*depth)
	}
	return shade(s.ground, .75+.4*(depth-.6))
}

func shade(c color.RGBA, by float64) color.RGBA {
	dim := func(v uint8) uint8 { return uint8(math.Min(255, float64(v)*by)) }
	return color.RGBA{dim(c.R), dim(c.G), dim(c.B), 255}
}

func (s *samples) urls() []string {
	all := make([]string, len(scenes))
	for i, scene := range scenes {
		all[i] = s.base + scene.name
	}
	return all
}

func (s *samples) close() { _ = s.server.Close() }
