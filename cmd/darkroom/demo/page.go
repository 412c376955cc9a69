//go:build !production

package demo

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"

	"darkroom/cmd/darkroom/manifest"
	"darkroom/commands"
	"darkroom/sandbox/page"
)

const greeting = `Open %s

It is a pretend Slack. You are Maria in #shoots, where Ben has put three photos: press
Order these photos. An editor really changes them a little, and nothing leaves this
machine. You can be anybody else as well.%s

Ctrl-C ends it. Nothing is kept.
`

// show serves the page until the context ends.
func (d demo) show(ctx context.Context, s *stage, out io.Writer) error {
	static, err := d.files()
	if err != nil {
		return err
	}
	if err := s.sandbox.SharePhotos(); err != nil {
		return err
	}
	p := page.New(s.pageOptions(static))
	s.sandbox.Workspace.Mount(p)
	defer p.Close()
	elsewhere := ""
	if _, port, _ := net.SplitHostPort(s.sandbox.Workspace.URL()[len("http://"):]); d.listen == "" && port != page.Port {
		elsewhere = "\n\nPort " + page.Port + " is taken by another program, so this is a free one; --listen chooses."
	}
	fmt.Fprintf(out, greeting, s.sandbox.Workspace.URL(), elsewhere)
	<-ctx.Done()
	fmt.Fprintln(out, "Bye.")
	return nil
}

// files returns the page's files from --static; nil: the built-in files.
func (d demo) files() (fs.FS, error) {
	if d.static == "" {
		return nil, nil
	}
	if _, err := os.ReadDir(d.static); err != nil {
		return nil, fmt.Errorf("--static: %w", err)
	}
	return os.DirFS(d.static), nil
}

// pageOptions returns what the page knows of the app: parts of its manifest, and the addresses of
// its pictures.
func (s *stage) pageOptions(static fs.FS) page.Options {
	order := page.Command{Command: commands.Slash, Description: manifest.SlashDescription, UsageHint: commands.Hints()}
	return page.Options{
		Workspace: s.sandbox.Workspace, Photos: s.sandbox.Photos, Commands: []page.Command{order},
		Pictures: append(s.sandbox.Samples()[:1:1], s.app.url), ReadOnly: manifest.ReadOnlyMessages, Static: static,
	}
}
