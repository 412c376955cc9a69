package sandbox

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

// ManyOptions say what a Slack of several workspaces is like, and the accounts that they have.
type ManyOptions struct {
	Slack      slack.Options // but for its workspaces
	Workspaces []Tenant
	Delivery   Delivery // how Slack reaches the app; "" = OverHTTP
}

// Tenant is one workspace and its account at the photo service.
type Tenant struct {
	Name      string // in small letters: of the workspace, and in the methods of Many
	Workspace workspace.Options
	Photos    photos.Options
	Credits   string // on the account; "" = 120
	Account   string // the name of another tenant whose account it uses; "" = one of its own
}

// Many is a running Slack of several workspaces, with a photo service of its own for each account.
// Unless told otherwise all workspaces have the same ids for people and channels, and all services
// the same for orders.
type Many struct {
	Slack    *slack.Slack
	samples  *gallery
	delivery Delivery
	names    []string
	tenants  map[string]*tenant
}

type tenant struct {
	workspace *workspace.Workspace
	account   *Account
}

// Account is what somebody needs to connect a workspace to the photo service.
type Account struct {
	URL, Key, Secret string
	Photos           *photos.Service
}

// StartMany starts all of it on 127.0.0.1. The app is in none of the workspaces yet: see [Many.AddToSlack].
func StartMany(o ManyOptions) (*Many, error) {
	m := &Many{delivery: o.Delivery, tenants: map[string]*tenant{}}
	o.Slack.SocketMode = o.Delivery == OverSocket || o.Delivery == OverBoth
	o.Slack.Workspaces = nil
	m.Slack = slack.New(o.Slack)
	if err := m.start(o); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *Many) start(o ManyOptions) error {
	var err error
	if m.samples, err = serveSamples(); err != nil {
		return err
	}
	if err := m.Slack.Start(); err != nil {
		return err
	}
	for i, t := range o.Workspaces {
		if t.Workspace.TeamID == "" {
			t.Workspace.TeamID = fmt.Sprintf("T%d", i+1)
		}
		t.Workspace.TeamDomain = t.Name
		account, err := m.open(t, i)
		if err != nil {
			return err
		}
		m.names = append(m.names, t.Name)
		m.tenants[t.Name] = &tenant{workspace: m.Slack.Found(t.Workspace), account: account}
	}
	return nil
}

// open is the tenant's account: that of another, or a new one at a service of its own.
func (m *Many) open(t Tenant, n int) (*Account, error) {
	if t.Account != "" {
		other := m.tenants[t.Account]
		if other == nil {
			return nil, fmt.Errorf("sandbox: %s uses the account of %s, which is not there", t.Name, t.Account)
		}
		return other.account, nil
	}
	set := func(field *string, value string) string {
		if *field == "" {
			*field = value
		}
		return *field
	}
	a := &Account{Key: set(&t.Photos.Key, fmt.Sprintf("sandbox-key-%d", n+1)), Secret: set(&t.Photos.Secret, fmt.Sprintf("sandbox-secret-%d", n+1))}
	credits, err := decimal.NewFromString(set(&t.Credits, "120"))
	if err != nil {
		return nil, fmt.Errorf("sandbox: credits of %s: %w", t.Name, err)
	}
	t.Photos.Credits, t.Photos.AllowPrivateURLs = credits, true
	a.Photos = photos.New(t.Photos)
	if err := a.Photos.Start(); err != nil {
		return nil, err
	}
	a.URL = a.Photos.URL()
	return a, nil
}

// Close stops all of it.
func (m *Many) Close() {
	m.Slack.Close()
	for _, name := range m.names {
		m.tenants[name].account.Photos.Close()
	}
	if m.samples != nil {
		m.samples.close()
	}
}

// Names are those of the workspaces, as they were given.
func (m *Many) Names() []string { return append([]string{}, m.names...) }

// Workspace is the one of that name; a name that is not there is nil.
func (m *Many) Workspace(name string) *workspace.Workspace {
	if t := m.tenants[name]; t != nil {
		return t.workspace
	}
	return nil
}

// Account is that of the workspace of that name.
func (m *Many) Account(name string) Account { return *m.tenants[name].account }

// Photos is the service where the workspace of that name has its account.
func (m *Many) Photos(name string) *photos.Service { return m.tenants[name].account.Photos }

// Samples are the public addresses of a few pictures, ready to be ordered.
func (m *Many) Samples() []string { return m.samples.urls() }

// SetAppURL says where the app is.
func (m *Many) SetAppURL(base string) { m.Slack.SetAppURL(base) }

// Environ is the environment of an app for many workspaces: all that serve needs but REDIS_URL,
// LISTEN_ADDR, PUBLIC_URL and ENCRYPTION_KEY.
func (m *Many) Environ() []string {
	app := m.Slack.App()
	environ := []string{
		"SLACK_CLIENT_ID=" + app.ClientID,
		"SLACK_CLIENT_SECRET=" + app.ClientSecret,
		"SLACK_API_URL=" + m.Slack.APIURL(),
		"POLL_SCHEDULE=@every 1s",
		"DARKROOM_ALLOW_PRIVATE_URLS=true",
	}
	return append(hearing(m.delivery, app.SigningSecret, app.AppToken), environ...)
}

// AddToSlack is somebody who adds the app: they open its page, press *Add to Slack* if it asks for
// that, sign in as that person of the workspace, and allow it. They end where the app sends them.
func (m *Many) AddToSlack(page, name, who string) (*person.Browser, error) {
	w := m.Workspace(name)
	if w == nil {
		return nil, fmt.Errorf("sandbox: there is no workspace %s", name)
	}
	b := person.NewBrowser()
	if err := b.Open(page); err != nil {
		return b, err
	}
	if b.Sees("Sign in to your workspace") != nil {
		if err := b.Press("Add to Slack"); err != nil {
			return b, err
		}
	}
	if err := b.Press(w.User(who).RealName + " at " + w.Team()); err != nil {
		return b, err
	}
	return b, b.Press("Allow")
}

// Strangers are the calls that Slack and the services did not know or would have refused as malformed.
func (m *Many) Strangers() error {
	all := []error{strange("Slack", m.Slack.Desk())}
	heard := map[*photos.Service]bool{}
	for _, name := range m.names {
		t := m.tenants[name]
		all = append(all, strange(name, t.workspace))
		if !heard[t.account.Photos] {
			heard[t.account.Photos] = true
			for _, path := range t.account.Photos.Unknown() {
				all = append(all, fmt.Errorf("the photo service of %s knows no %s", name, path))
			}
		}
	}
	return errors.Join(all...)
}

// strange is what a workspace did not know or refused.
func strange(name string, w *workspace.Workspace) error {
	var all []error
	for _, method := range w.Unknown() {
		all = append(all, fmt.Errorf("%s knows no %s", name, method))
	}
	for _, violation := range w.Violations() {
		all = append(all, fmt.Errorf("%s refused: %s", name, violation))
	}
	return errors.Join(all...)
}
