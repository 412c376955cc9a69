package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/bot/client"
	"darkroom/bot/install"
	"darkroom/cmd/darkroom/cli"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/store/keyspace"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// MostAsked is how many installations doctor asks Slack about. If there are more, it asks about none.
const MostAsked = 10

// unseenOfMany lists what else doctor cannot check in an app for many workspaces.
var unseenOfMany = []string{
	"whether each workspace's photo service takes its account: its admins see that when they press Connect or Change",
	fmt.Sprintf("whether Slack takes each workspace's token, where there are more than %d: it is not asked about so many", MostAsked),
}

const atCredentials = "api.slack.com/apps → Basic Information → App Credentials"

// slackOfMany checks the app's credentials at Slack, which all workspaces share.
func (d *doctor) slackOfMany(ctx context.Context) []Check {
	if lacking := d.lacking("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_API_URL", "PUBLIC_URL"); len(lacking) > 0 {
		return append(notChecked("app credentials", "Slack", lacking), d.delivery(ctx)...)
	}
	oauth := install.NewOAuth(install.OAuthConfig{
		ClientID: d.cfg.SlackClientID, ClientSecret: string(d.cfg.SlackClientSecret), APIURL: d.cfg.SlackAPIURL, Timeout: d.wait.slack,
	})
	defer oauth.Close()
	_, err := oauth.Exchange(ctx, "darkroom-doctor", d.cfg.PublicURL+install.PathOAuth) // not a real code
	return slices.Concat([]Check{credentialsCheck(err)}, d.appToken(ctx), d.delivery(ctx))
}

// credentialsCheck judges Slack's answer to a made-up code: Slack checks the credentials first.
func credentialsCheck(err error) Check {
	c := Check{Name: "app credentials", State: Red}
	switch {
	case errors.Is(err, install.ErrCode):
		c.State, c.Message = Green, "Slack knows the client ID and the client secret."
	case errors.Is(err, client.ErrApp):
		c.Message = "Slack does not know the client ID or its secret (" + codeOf(err) + "): nobody can add the app, and tokens are not renewed."
		c.Fix = "Copy both again into SLACK_CLIENT_ID and SLACK_CLIENT_SECRET: " + atCredentials + "."
	case err == nil:
		c.State, c.Message = Yellow, "Slack took a code that it never gave: is that Slack?"
		c.Fix = "Look at SLACK_API_URL, if it is set."
	default:
		c.Message, c.Fix = "Slack does not answer ("+codeOf(err)+"): people are answered when it is back.", "Look at status.slack.com, at this machine's network, and at SLACK_API_URL if it is set."
	}
	return c
}

// installPage checks the page by which people add the app.
func (v *visitor) installPage(ctx context.Context) Check {
	c := Check{Name: "install page", State: Red}
	address := v.base + install.Path
	got, err := v.ask(ctx, http.MethodGet, address, nil, nil)
	switch {
	case err != nil:
		c.Message, c.Fix = address+" does not answer.", "Let the proxy pass it and "+v.base+install.PathOAuth+" on to the app."
	case got.status != http.StatusOK || !strings.Contains(got.body, "Add to Slack"):
		c.Message = fmt.Sprintf("%s is not the page by which people add the app (HTTP status %d).", address, got.status)
		c.Fix = "Give all replicas the same SLACK_CLIENT_ID, and let the proxy pass /slack/… on to the app."
	default:
		c.State, c.Message = Green, address+" is the page by which people add the app."
	}
	return c
}

// workspaces checks the secrets and installations of the workspaces. A problem that a workspace can fix by itself is not
// red.
func (d *doctor) workspaces(ctx context.Context) []Check {
	if lacking := d.lacking("REDIS_URL", "ENCRYPTION_KEY"); len(lacking) > 0 || d.rdb == nil {
		return notChecked("secrets", "What is kept of workspaces", lacking)
	}
	keys, err := seal.NewKeys(string(d.cfg.EncryptionKey))
	if err != nil {
		return notChecked("secrets", "What is kept of workspaces", []string{"ENCRYPTION_KEY"})
	}
	directory := tenants.NewDirectory(d.rdb, keys)
	reads, cancel := context.WithTimeout(ctx, d.wait.redis)
	defer cancel()
	var k inventory
	for shard := range keyspace.Shards {
		if err := directory.Entries.EachEntry(reads, shard, k.add); err != nil {
			return []Check{{Name: "secrets", State: Yellow, Message: "What is kept of workspaces could not be looked at: Redis cannot be asked, or does not tell it in time."}}
		}
	}
	checks := []Check{k.added(d.cfg.PublicURL), k.secrets(), k.tokens(d.cfg.PublicURL), k.permissions(d.cfg.PublicURL)}
	if k.nameless.n > 0 {
		checks = append(checks, k.names())
	}
	if k.usable > 0 && k.usable <= MostAsked {
		checks = append(checks, d.askAbout(ctx, directory, k.ask))
	}
	return checks
}

// inventory counts the workspaces and organisations, and their secrets.
type inventory struct {
	cli.Tally
	newest, older int      // secrets, by the key that sealed them
	not           int      // secrets that no key opens
	shut          named    // owners of these secrets
	lost          named    // owners of the app without a token
	ended         named    // owners of an expired token that cannot be renewed
	idle          int      // expired tokens that are renewed at their next use
	lacking       named    // workspaces without a required permission
	nameless      named    // workspaces whose service changes names
	usable        int      // tokens that Slack should accept
	ask           []string // the ids to ask Slack about
}

// named counts ids, and has the first of them.
type named struct {
	n     int
	first []string
}

// fewNamed is how many ids [named] lists.
const fewNamed = 5

func (n *named) add(id string) {
	n.n++
	if len(n.first) < fewNamed {
		n.first = append(n.first, id)
	}
}

// String returns the first ids and how many more there are.
func (n named) String() string {
	if more := n.n - len(n.first); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(n.first, ", "), more)
	}
	return cli.List(n.first)
}

// add counts an entry.
func (k *inventory) add(e tenants.Entry) error {
	k.Add(e)
	for _, secret := range []tenants.Sealed{e.Token, e.Account} {
		switch secret {
		case tenants.SealedNewest:
			k.newest++
		case tenants.SealedOlder:
			k.older++
		case tenants.SealedUnreadable:
			k.not++
		case tenants.SealedNone, tenants.SealedUnknown:
		}
	}
	if e.OwnNames {
		k.nameless.add(e.ID)
	}
	if e.Token == tenants.SealedUnreadable || e.Account == tenants.SealedUnreadable {
		k.shut.add(e.ID)
	}
	past := !e.Expires.IsZero() && time.Now().After(e.Expires)
	switch {
	case !e.Gone.IsZero() || e.Organisation != "" || e.Token == tenants.SealedUnreadable: // it needs no token, or is reported already
	case e.Token == tenants.SealedNone && e.At.IsZero(): // it has only an account
	case e.Token == tenants.SealedNone:
		k.lost.add(e.ID)
	case past && !e.Renewable:
		k.ended.add(e.ID)
	case past:
		k.idle++
	default:
		k.usable++
		if len(k.ask) < MostAsked {
			k.ask = append(k.ask, e.ID)
		}
	}
	if e.Token == tenants.SealedNewest || e.Token == tenants.SealedOlder {
		if len(missing(e.Scopes)) > 0 {
			k.lacking.add(e.ID)
		}
	}
	return nil
}

// missing returns the required permissions that were not granted.
func missing(granted []string) []string {
	return slices.DeleteFunc(manifest.Names(manifest.Scopes), func(name string) bool {
		return slices.Contains(manifest.Optional, name) || slices.Contains(granted, name)
	})
}

// addAgain returns the remedy for a lost token or permission.
func addAgain(publicURL string) string {
	return "Somebody there has to add the app again, at " + publicURL + install.Path + "."
}

// added checks whether anybody has added the app.
func (k *inventory) added(publicURL string) Check {
	if k.Tally == (cli.Tally{}) {
		return Check{Name: "added", State: Yellow, Message: "Nobody has added the app yet.", Fix: "Open " + publicURL + install.Path + "."}
	}
	return Check{Name: "added", State: Green, Message: sentence("Known are " + k.String())}
}

// secrets checks whether ENCRYPTION_KEY opens the secrets.
func (k *inventory) secrets() Check {
	c := Check{Name: "secrets", State: Green, Message: fmt.Sprintf("ENCRYPTION_KEY opens all that is sealed (%d), with its newest key.", k.newest)}
	switch {
	case k.not > 0:
		c.State, c.Message = Red, fmt.Sprintf("ENCRYPTION_KEY does not open %d of %d tokens and accounts (%s): the app does not work there.", k.not, k.not+k.newest+k.older, k.shut)
		c.Fix = "Put the key that sealed them behind the others, after a comma, and restart all replicas. If it is lost, those workspaces add the app and connect again."
	case k.older > 0:
		c.State, c.Message = Yellow, fmt.Sprintf("ENCRYPTION_KEY opens all that is sealed (%d), %d of it with an older key, which has to stay.", k.newest+k.older, k.older)
		c.Fix = "When all replicas have the newest key: run \"darkroom reseal\" until it says 0. Then the older ones may go."
	}
	return c
}

// tokens checks whether all installations have a token.
func (k *inventory) tokens(publicURL string) Check {
	c := Check{Name: "tokens", State: Green, Message: "Every workspace and organisation that has the app has a token that is good."}
	if k.idle > 0 {
		c.Message = fmt.Sprintf("Every workspace and organisation that has the app has a token; %d have ended and are renewed as soon as something happens there.", k.idle)
	}
	var wrong []string
	if k.lost.n > 0 {
		wrong = append(wrong, "There is no token of "+k.lost.String()+".")
	}
	if k.ended.n > 0 {
		wrong = append(wrong, "The token of "+k.ended.String()+" has expired and cannot be renewed.")
	}
	if len(wrong) > 0 {
		c.State, c.Message, c.Fix = Yellow, strings.Join(wrong, " "), addAgain(publicURL)
	}
	return c
}

// permissions checks whether all workspaces granted the required permissions when they added the app.
func (k *inventory) permissions(publicURL string) Check {
	c := Check{Name: "permissions", State: Green, Message: "All granted what the app needs when they added it."}
	if k.lacking.n > 0 {
		c.State, c.Message = Yellow, "Not all that the app needs was granted by "+k.lacking.String()+"."
		c.Fix = "Compare the app's manifest with that of this version (\"darkroom manifest --many\"). " + addAgain(publicURL)
	}
	return c
}

// names reports the workspaces whose service changes the names of orders.
func (k *inventory) names() Check {
	return ownNames(" in "+k.nameless.String(), "Those who are responsible there were told.")
}

// askAbout asks Slack whether it accepts the tokens of these installations.
func (d *doctor) askAbout(ctx context.Context, directory *tenants.Directory, ids []string) Check {
	if len(d.lacking("SLACK_API_URL")) > 0 {
		return notChecked("Slack", "Whether Slack takes their tokens", []string{"SLACK_API_URL"})[0]
	}
	errs := make([]error, len(ids))
	var all sync.WaitGroup
	for n, id := range ids {
		all.Go(func() { errs[n] = d.asks(ctx, directory, id) })
	}
	all.Wait()
	var refused, away named
	for n, id := range ids {
		switch {
		case errs[n] == nil:
		case errors.Is(errs[n], client.ErrToken):
			refused.add(id)
		default:
			away.add(id)
		}
	}
	c := Check{Name: "Slack", State: Green, Message: fmt.Sprintf("Slack takes the token of each that was asked about (%d).", len(ids))}
	switch {
	case refused.n > 0:
		c.State, c.Message, c.Fix = Yellow, "Slack does not take the token of "+refused.String()+" any more.", addAgain(d.cfg.PublicURL)
	case away.n > 0:
		c.State, c.Message = Yellow, "Slack does not answer whether it takes the token of "+away.String()+"."
		c.Fix = "Look at status.slack.com, and run doctor again."
	}
	return c
}

// asks asks Slack about the token of one installation.
func (d *doctor) asks(ctx context.Context, directory *tenants.Directory, id string) error {
	i, err := directory.Installations.Known(ctx, id)
	if err != nil {
		return err
	}
	slackClient := client.New(client.Config{Token: i.Token, APIURL: d.cfg.SlackAPIURL, Timeout: d.wait.slack, Log: d.log})
	defer slackClient.Close()
	_, err = slackClient.People.Identity(ctx)
	return err
}
