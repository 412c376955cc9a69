package sandbox

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"path"
	"time"

	"darkroom/sandbox/samples"
	"darkroom/sandbox/workspace"
)

// gallery serves the sample photos at addresses of their own.
type gallery struct {
	server *http.Server
	base   string
}

// serveSamples starts serving on 127.0.0.1.
func serveSamples() (*gallery, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &gallery{base: "http://" + listener.Addr().String() + "/samples/"}
	g.server = &http.Server{Handler: http.HandlerFunc(serveSample), ReadHeaderTimeout: 5 * time.Second}
	go g.server.Serve(listener) //nolint:errcheck // it ends with close
	return g, nil
}

func serveSample(w http.ResponseWriter, r *http.Request) {
	for _, s := range samples.All() {
		if s.Name == path.Base(r.URL.Path) {
			w.Header().Set("Content-Type", "image/jpeg")
			http.ServeContent(w, r, s.Name, time.Time{}, bytes.NewReader(s.Content))
			return
		}
	}
	http.NotFound(w, r)
}

func (g *gallery) urls() []string {
	var all []string
	for _, s := range samples.All() {
		all = append(all, g.base+s.Name)
	}
	return all
}

func (g *gallery) close() { _ = g.server.Close() }

// wanted is what Ben writes to his photos: an order's form takes it for the instructions.
const wanted = "Brighten these for the summer catalogue, please, and straighten the house."

// SharePhotos is Ben putting three photos into #shoots, for whoever comes to order them.
func (s *Sandbox) SharePhotos() error { return sharePhotos(s.Workspace) }

// SharePhotos is the same in each of the workspaces.
func (m *Many) SharePhotos() error {
	for _, name := range m.names {
		if err := sharePhotos(m.Workspace(name)); err != nil {
			return err
		}
	}
	return nil
}

func sharePhotos(w *workspace.Workspace) error {
	var photos []workspace.Upload
	for _, sample := range samples.All() {
		if sample.Name == "beach.jpg" || sample.Name == "house.jpg" || sample.Name == "shoe.jpg" {
			photos = append(photos, workspace.Upload{Name: sample.Name, Content: sample.Content})
		}
	}
	return w.Window("ben").Say("#shoots", "", wanted, photos...)
}
