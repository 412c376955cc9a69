//go:build !production

package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"darkroom/bot/install"
	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/commands"
	"darkroom/sandbox"
	"darkroom/sandbox/page"
	service "darkroom/sandbox/photos"
	"darkroom/sandbox/slack"
)

const greetingMany = `Open %s

It is a pretend Slack with two workspaces. Darkroom is in neither: press + at the left to
add it, as Olga, who is an admin of both. Then connect each to its account, in the
app's Home (Darkroom under Direct messages, as Olga):

%s
Ctrl-C ends it. Nothing is kept.
`

// ofMany shows an app for many workspaces before anybody has added it.
func (d demo) ofMany(ctx context.Context, w *cli.World, address string) (err error) {
	o := sandbox.ManyOptions{Slack: slack.Options{Addr: address}}
	o.Slack.App.Scopes, o.Slack.App.Rotation = manifest.Names(manifest.Scopes), true
	o.Slack.App.Events = append(manifest.Names(manifest.Events), slack.OwnEvents()...)
	for _, name := range []string{"studio", "agency"} {
		o.Workspaces = append(o.Workspaces, sandbox.Tenant{Name: name, Photos: service.Options{EditAfter: 2 * time.Second}})
	}
	m, err := sandbox.StartMany(o)
	if err != nil {
		return err
	}
	defer m.Close()
	redis, err := d.startRedis(ctx)
	if err != nil {
		return err
	}
	defer redis.Close()
	a, err := runApp(ctx, d.app, d.log(w), append(m.Environ(), "REDIS_URL="+redis.URL(), "ENCRYPTION_KEY="+rand.Text()+rand.Text()))
	if err != nil {
		return err
	}
	m.SetAppURL(a.url)
	return errors.Join(d.showMany(ctx, m, a.url, w.Stdout), a.stop())
}

// showMany serves the window on all workspaces until the context ends.
func (d demo) showMany(ctx context.Context, m *sandbox.Many, app string, out io.Writer) error {
	static, err := d.files()
	if err != nil {
		return err
	}
	if err := m.SharePhotos(); err != nil {
		return err
	}
	o := page.SeveralOptions{Base: m.Slack.URL(), Install: app + install.Path, Static: static}
	var accounts strings.Builder
	for _, name := range m.Names() {
		o.Pages = append(o.Pages, page.Options{
			Workspace: m.Workspace(name), Photos: m.Photos(name), ReadOnly: manifest.ReadOnlyMessages, Static: static,
			Commands: []page.Command{{Command: commands.Slash, Description: manifest.SlashDescription, UsageHint: commands.Hints()}},
			Pictures: append(m.Samples()[:1:1], app),
		})
		account := m.Account(name)
		fmt.Fprintf(&accounts, "  %-8s Base URL %s   API key %s   API secret %s\n", m.Workspace(name).Team(), account.URL, account.Key, account.Secret)
	}
	window, err := page.NewSeveral(ctx, o)
	if err != nil {
		return err
	}
	defer window.Close()
	m.Slack.Mount(window)
	fmt.Fprintf(out, greetingMany, m.Slack.URL(), accounts.String())
	<-ctx.Done()
	fmt.Fprintln(out, "Bye.")
	return nil
}
