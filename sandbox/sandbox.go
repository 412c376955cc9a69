// Package sandbox is both outsides of Darkroom on a laptop, over real HTTP: a photo
// service, a Slack workspace, and a few pictures to order.
//
// Nothing in it is shared with the application, neither a type nor a signature check:
// sharing ours would hide our bugs. What the real Slack and the real service would
// refuse, it refuses; what nobody knows, it answers with an error and remembers, so
// that every story can end by requiring that there was nothing of the kind.
package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// Options say what the two outsides are like; the zero value is a workspace with its
// default people and a service with 120 credits and an editor who works by himself.
type Options struct {
	Workspace workspace.Options
	Photos    photos.Options
	Credits   string        // on the account; "" = 120
	EditAfter time.Duration // the editor's delay; 0 = 2 s
	Delivery  Delivery      // how Slack reaches the app; "" = OverHTTP
}

// Delivery is how Slack reaches the app.
type Delivery string

// The ways of delivery, named by what the app is given.
const (
	OverHTTP   Delivery = "http"   // a signing secret
	OverSocket Delivery = "socket" // an app-level token, and no secret; Socket Mode is on
	OverBoth   Delivery = "both"   // both; Socket Mode is on until Workspace.SetSocketMode(false)
)

// Sandbox is a running pair of outsides.
type Sandbox struct {
	Workspace *workspace.Workspace
	Photos    *photos.Service
	samples   *gallery
	keys      [3]string // bot token, API key, API secret
	signing   string
	app       string // app-level token
	delivery  Delivery
}

// Start starts both on 127.0.0.1.
func Start(o Options) (*Sandbox, error) {
	set := func(field *string, value string) string {
		if *field == "" {
			*field = value
		}
		return *field
	}
	s := &Sandbox{delivery: o.Delivery}
	o.Workspace.SocketMode = o.Workspace.SocketMode || o.Delivery == OverSocket || o.Delivery == OverBoth
	s.keys[0] = set(&o.Workspace.BotToken, "xoxb-sandbox-token")
	s.app = set(&o.Workspace.AppToken, "xapp-sandbox-token")
	s.keys[1] = set(&o.Photos.Key, "sandbox-key")
	s.keys[2] = set(&o.Photos.Secret, "sandbox-secret")
	s.signing = set(&o.Workspace.SigningSecret, "8f742231b10e8888abcd99yyyzzz85a5")
	credits, err := decimal.NewFromString(set(&o.Credits, "120"))
	if err != nil {
		return nil, fmt.Errorf("sandbox: credits: %w", err)
	}
	o.Photos.Credits, o.Photos.AllowPrivateURLs = credits, true
	if o.EditAfter > 0 {
		o.Photos.EditAfter = o.EditAfter
	}
	s.Workspace, s.Photos = workspace.New(o.Workspace), photos.New(o.Photos)
	if err := s.start(); err != nil {
		return s, err
	}
	return s, nil
}

func (s *Sandbox) start() error {
	if err := s.Workspace.Start(); err != nil {
		return err
	}
	if err := s.Photos.Start(); err != nil {
		s.Workspace.Close()
		return err
	}
	var err error
	if s.samples, err = serveSamples(); err != nil {
		s.Workspace.Close()
		s.Photos.Close()
	}
	return err
}

// Close stops both.
func (s *Sandbox) Close() {
	s.Workspace.Close()
	s.Photos.Close()
	s.samples.close()
}

// Samples are the public addresses of a few pictures, ready to be ordered.
func (s *Sandbox) Samples() []string { return s.samples.urls() }

// Environ is the environment of an app between the two outsides: all that serve needs
// but REDIS_URL and LISTEN_ADDR.
func (s *Sandbox) Environ() []string {
	return append(hearing(s.delivery, s.signing, s.app),
		"SLACK_BOT_TOKEN="+s.keys[0],
		"SLACK_API_URL="+s.Workspace.APIURL(),
		"UPSTREAM_URL="+s.Photos.URL(),
		"UPSTREAM_API_KEY="+s.keys[1],
		"UPSTREAM_API_SECRET="+s.keys[2],
		"POLL_SCHEDULE=@every 1s",
		"DARKROOM_ALLOW_PRIVATE_URLS=true",
	)
}

// hearing is what lets the app hear Slack.
func hearing(delivery Delivery, signing, app string) []string {
	secret, token := "SLACK_SIGNING_SECRET="+signing, "SLACK_APP_TOKEN="+app
	switch delivery {
	case OverSocket:
		return []string{token}
	case OverBoth:
		return []string{secret, token}
	}
	return []string{secret}
}

// Strangers are the calls that the two outsides did not know or would have refused as
// malformed. Every story ends by requiring that there were none.
func (s *Sandbox) Strangers() error {
	var all []error
	for _, path := range s.Photos.Unknown() {
		all = append(all, fmt.Errorf("the photo service knows no %s", path))
	}
	all = append(all, strange("the workspace", s.Workspace))
	return errors.Join(all...)
}
