//go:build !production

package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"

	"darkroom/commands"
	"darkroom/sandbox/page"
)

// pagePort is where the page is when the port is free.
const pagePort = "4270"

// pageAddress is where the page can be served: the address asked for, which must be this
// machine's, else the usual port, else a free one.
func pageAddress(ctx context.Context, asked string) (string, error) {
	if asked == "" {
		usual := net.JoinHostPort("127.0.0.1", pagePort)
		if taken(ctx, usual) == nil {
			return usual, nil
		}
		return "", nil
	}
	host, _, err := net.SplitHostPort(asked)
	if err != nil {
		return "", fmt.Errorf("--listen %q is not an address: give HOST:PORT, as in 127.0.0.1:%s", asked, pagePort)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", fmt.Errorf("--listen %q: the demo asks nobody for a password, so it is served to this machine only: give 127.0.0.1, [::1] or localhost", asked)
	}
	if err := taken(ctx, asked); err != nil {
		return "", fmt.Errorf("--listen: %w", err)
	}
	return asked, nil
}

// taken tells why the address cannot be listened at; nil when it can.
func taken(ctx context.Context, address string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return listener.Close()
}

const greeting = `Open %s

It is a pretend Slack. You are Maria in #shoots, and can be anybody else as well. Type
/order to begin: Darkroom answers, an editor really changes the pictures a little, and
nothing leaves this machine.%s

Ctrl-C ends it. Nothing is kept.
`

// show serves the page until the context ends.
func (d demoCmd) show(ctx context.Context, s *stage, out io.Writer) error {
	p := page.New(s.pageOptions(d.folder()))
	s.sandbox.Workspace.Mount(p)
	defer p.Close()
	elsewhere := ""
	if _, port, _ := net.SplitHostPort(s.sandbox.Workspace.URL()[len("http://"):]); d.Listen == "" && port != pagePort {
		elsewhere = "\n\nPort " + pagePort + " is taken by another program, so this is a free one; --listen chooses."
	}
	fmt.Fprintf(out, greeting, s.sandbox.Workspace.URL(), elsewhere)
	<-ctx.Done()
	fmt.Fprintln(out, "Bye.")
	return nil
}

// folder is where the page's files are when not built in.
func (d demoCmd) folder() fs.FS {
	if d.Static == "" {
		return nil
	}
	return os.DirFS(d.Static)
}

// pageOptions are what the page knows of the app: what its manifest says, and where it
// shows pictures from.
func (s *stage) pageOptions(static fs.FS) page.Options {
	order := page.Command{Command: commands.Slash, Description: slashDescription, UsageHint: commands.Hints()}
	for _, row := range commands.Rows() {
		order.Verbs = append(order.Verbs, page.Verb{Verb: row.Verb, Usage: row.Usage, Says: row.Does})
	}
	return page.Options{
		Workspace: s.sandbox.Workspace, Photos: s.sandbox.Photos, Wire: s.wire, Commands: []page.Command{order},
		Pictures: append(s.sandbox.Samples()[:1:1], s.app), ReadOnly: readOnlyMessages, Static: static,
	}
}
