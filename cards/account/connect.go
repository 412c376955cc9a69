// Package account connects a workspace to its account at the order service and disconnects it.
package account

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"darkroom/cards/kit"
	"darkroom/store/tenants"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Ids and titles as Slack has them.
const (
	// Of a workspace whose admins connect it; the values say nothing.
	ActionConnect   = "account:connect"
	CallbackConnect = "connect" // an account at the order service
)

// TitleConnect is the title of every window about the account at the order service.
const TitleConnect = "Photo service"

// The fields of the form that connects an account, and how much they hold.
const (
	fieldServiceURL    = "serviceurl"
	fieldServiceKey    = "servicekey"
	fieldServiceSecret = "servicesecret"
	fieldSameAccount   = "sameaccount"

	maxServiceURL  = 500
	maxCredentials = 300
)

// View is what people see of the workspace's account at the order service, where it is connected from the Home.
type View struct {
	Account     *tenants.ServiceAccount // nil: there is none; its key and secret are shown nowhere
	May         bool                    // the person may connect, change and disconnect it
	InstalledBy string                  // who added the app to the workspace; "" = not known
	Kept        bool                    // there is no account, but orders from when there was one
	Forgetting  bool                    // what was here before is being forgotten
	Unreadable  bool                    // there is one that does not open any more: it can be replaced or taken away
}

// aboutUnconnected says in two sentences what Darkroom is, for a workspace that cannot use it yet.
const aboutUnconnected = "Darkroom orders photo editing by people: you send photos from Slack, an editor works on them, and your channel approves the result or asks for changes. " +
	"It works with an account at a photo service, and this workspace is not connected to one yet."

// beingForgotten says why nobody can connect the workspace for now.
const beingForgotten = "What was kept here before is being forgotten. That takes a few minutes; after that a workspace admin can connect an account again."

// HomeUnconnected is the whole Home of a workspace without an account.
func HomeUnconnected(p *kit.Page, c View) {
	if c.Forgetting {
		p.Row(aboutUnconnected + "\n" + beingForgotten)
		return
	}
	p.Row(aboutUnconnected + kit.OnlyIf(c.Kept, "\nThe orders from before are kept, and go on when their account is connected again."))
	if c.May {
		row := []slack.BlockElement{kit.PrimaryButton("Connect", ActionConnect, "connect")}
		if c.Kept {
			row = append(row, kit.Button("Export or forget them", ActionDisconnect, "data"))
		}
		p.Buttons(row...)
		p.Note("You need three things from the service's account settings: its base URL, an API key and its API secret.")
		return
	}
	p.Row(whoConnects(c))
}

// whoConnects says who can connect the workspace, to somebody who cannot.
func whoConnects(c View) string {
	return "A workspace admin can connect it, on this app's Home." + kit.OnlyIf(kit.IsUser(c.InstalledBy), " "+kit.Mention(c.InstalledBy)+" added me to this workspace and may know whom to ask.")
}

// howToConnect says who can connect the workspace, or when; you is for somebody who can do it now.
func howToConnect(c View, you string) string {
	switch {
	case c.Forgetting:
		return beingForgotten
	case c.May:
		return you
	}
	return whoConnects(c)
}

// HomeConnected tells those who may change it with which account the workspace works.
func HomeConnected(p *kit.Page, c View) {
	a := c.Account
	if a == nil || !c.May {
		return
	}
	p.Put(slack.NewDividerBlock())
	p.Row("Connected to *" + hostOf(*a) + "*" + kit.Prefixed(" since ", kit.WhenKnown(a.At)) + kit.OnlyIf(kit.IsUser(a.By), ", by "+kit.Mention(a.By)) + ". Only admins see this.")
	p.Buttons(kit.Button("Change", ActionConnect, "change"), kit.Button("Disconnect", ActionDisconnect, "disconnect").WithStyle(slack.StyleDanger))
}

func hostOf(a tenants.ServiceAccount) string {
	return cmp.Or(kit.Inline(a.Host(), 100), "a photo service")
}

// NotConnected answers whatever needs the order service in a workspace that has no account there.
func NotConnected(c View) kit.Message {
	p := kit.NewPage(NotConnectedYet(c))
	if c.May && !c.Forgetting {
		p.Buttons(kit.PrimaryButton("Connect", ActionConnect, "connect"))
	}
	return p.Message()
}

// NotConnectedYet is the same in a sentence.
func NotConnectedYet(c View) string {
	return "This workspace is not connected to a photo service, so this cannot be done. Nothing was sent or changed. " + howToConnect(c, "You can connect it now, or on this app's Home.")
}

// NotConnectedPlain is that sentence beside a field, where nothing but plain text shows.
const NotConnectedPlain = "This workspace is not connected to a photo service any more: nothing was sent. A workspace admin can connect it on this app's Home; then submit this again."

// NotAdded answers whoever uses the app in a workspace that it is not in, though Slack still shows it there; page is
// where it is added.
func NotAdded(page string) string {
	return "I am not set up in this workspace, so nothing was sent or changed. A workspace admin can add me again at " + page + ". Orders and settings that are still kept are then there again."
}

// WaitsForAccount tells a person that what they asked for waits, because the workspace was disconnected meanwhile.
func WaitsForAccount(asked string, c View) kit.Message {
	return kit.Say("What you asked for (" + asked + ") has to wait: this workspace was disconnected from its photo service. Nothing is lost, and you need not do it again: it goes on by itself when the account is connected again. " +
		howToConnect(c, "You can do that on this app's Home."))
}

// Form is what the form that connects an account shows. A secret is never among it.
type Form struct {
	URL, Key string // as they were typed before
	Was      string // the host of the account with which the orders here were placed; "" = there are none
	Attempt  int    // how often the form was submitted: Slack keeps what is in a field of the same name
	Wrong    string // what was wrong, "" = nothing
	Fix      string // and what to do about it
}

// ConnectWindow asks for an account.
func ConnectWindow(f Form, externalID string) slack.ModalViewRequest {
	p := kit.NewWindow("")
	if f.Wrong != "" {
		p.Alert(kit.Inline(f.Wrong, 1500))
		p.Say(kit.Prefixed("", kit.Inline(f.Fix, 1000)))
		p.Say("Nothing was connected, and nothing else was changed. The secret is not kept: please type it again.")
	}
	p.Say("You find all three in the service's account settings. They are kept encrypted. Once connected, the key and the secret are never shown again.")
	field := func(name, label, hint string, box *slack.PlainTextInputBlockElement) {
		p.Put(kit.Field(kit.BlockID(name, f.Attempt, 0), label, hint, box))
	}
	address := kit.Input(fieldServiceURL, f.URL, maxServiceURL)
	address.Placeholder = kit.PlainText("https://api.example.com/v1")
	field(fieldServiceURL, "Base URL", "The beginning of every address of the service's API, up to the version.", address)
	field(fieldServiceKey, "API key", "", kit.Input(fieldServiceKey, f.Key, maxCredentials))
	field(fieldServiceSecret, "API secret", "Make sure that nobody looks over your shoulder: Slack shows what you type.", kit.Input(fieldServiceSecret, "", maxCredentials))
	if f.Was != "" {
		same := slack.NewOptionBlockObject("same", kit.PlainText("It is the same account"), kit.PlainText("It has a new key or address, and knows the orders that are here."))
		p.Put(kit.Field(kit.BlockID(fieldSameAccount, f.Attempt, 0), "The orders that are here", "They were placed with an account at "+kit.Plain(f.Was, 100)+".", slack.NewCheckboxGroupsBlockElement(fieldSameAccount, same)).WithOptional(true))
	}
	return p.Note("I test these with the service right away. The test changes nothing there.").
		Form(TitleConnect, "Connect", CallbackConnect, externalID, kit.Meta{Attempt: f.Attempt})
}

// NotConnectedBecause tells who closed the window what was wrong, without what they typed.
func NotConnectedBecause(f Form) kit.Message {
	return kit.NewPage(kit.Warning + "This workspace was not connected to a photo service: " + kit.Cut(kit.Inline(f.Wrong, 1500), kit.MaxSection)).
		Say(kit.Inline(f.Fix, 1000)).Note("Nothing was changed. *Connect* or *Change* on the Home asks again.").Message()
}

// DecodeConnect reads the form. Same says that the account is the one from before; the problems are by block id.
func DecodeConnect(view slack.View) (a tenants.ServiceAccount, same bool, problems map[string]string) {
	a = tenants.ServiceAccount{
		URL: strings.TrimSpace(kit.TextOf(view, fieldServiceURL)), Key: strings.TrimSpace(kit.TextOf(view, fieldServiceKey)), Secret: strings.TrimSpace(kit.TextOf(view, fieldServiceSecret)),
	}
	a.URL = strings.TrimRight(a.URL, "/")
	same = len(kit.AnswerOf(view, fieldSameAccount).SelectedOptions) > 0
	problems = map[string]string{}
	for _, box := range []struct {
		field, is, what string
		most            int
	}{
		{fieldServiceURL, a.URL, "The base URL", maxServiceURL},
		{fieldServiceKey, a.Key, "The API key", maxCredentials},
		{fieldServiceSecret, a.Secret, "The API secret", maxCredentials},
	} {
		problem := kit.LengthProblem(box.is, box.most, box.what)
		switch {
		case box.is == "":
			problem = box.what + " is missing."
		case box.field != fieldServiceURL && strings.ContainsFunc(box.is, unicode.IsSpace):
			problem = box.what + " has a space in it: copy it again."
		}
		if problem != "" {
			problems[kit.BlockOf(view, box.field)] = problem
		}
	}
	return a, same, problems
}

// ServiceURLProblem puts a sentence beside the base URL.
func ServiceURLProblem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, fieldServiceURL, sentence)
}

// OtherAccountProblem puts beside its box what to do about an account that the orders here may not be of.
func OtherAccountProblem(view slack.View, was string) map[string]string {
	return kit.Beside(view, fieldSameAccount, OtherAccount(was))
}

// OtherAccount says what to do about an account that the orders here may not be of; was is the host of theirs.
func OtherAccount(was string) string {
	return "This is not the account with which the orders here were placed (" + kit.Plain(was, 100) + "). Tick the box if it is the same one with a new key or address. For another account, close this and forget these orders first, with “Disconnect” or “Export or forget them” on the Home."
}

// Attempt is how often a form was submitted before.
func Attempt(view slack.View) int { return kit.DecodeMeta(view.PrivateMetadata).Attempt }

// Connecting is shown while the service is asked.
func Connecting(host, externalID string) slack.ModalViewRequest {
	return kit.NewPage(":hourglass_flowing_sand: Testing the connection to *"+cmp.Or(kit.Inline(host, 100), "that address")+"*…").
		Note("This takes a few seconds, and a minute at most. If nothing changes here by then, close this window and press *Connect* or *Change* on the Home again: doing it twice does no harm.").
		Modal(TitleConnect, externalID, kit.Meta{})
}

// ServiceFound is what was found out about a service that is connected now.
type ServiceFound struct {
	Host      string
	Credits   decimal.NullDecimal
	Signature string // how requests are signed
	Numbers   string
	Params    string // where the parameters of writes travel
	BasicAuth bool
	Cautions  []string // what is not as it should be, in sentences
}

// Connected says that the workspace works with an account from now on.
func Connected(f ServiceFound, externalID string) slack.ModalViewRequest {
	p := kit.NewPage(":white_check_mark: This workspace is connected to *" + cmp.Or(kit.Inline(f.Host, 100), "the photo service") + "*.")
	if f.Credits.Valid {
		p.Say("Credits left: *" + kit.Amount(f.Credits.Decimal) + "*")
	}
	for _, caution := range f.Cautions {
		p.Say(kit.Warning + kit.Cut(kit.Inline(caution, 1000), kit.MaxSection))
	}
	p.Note("Request format: " + kit.Dots("signature "+kit.Inline(f.Signature, 20), "numbers as "+kit.Inline(f.Numbers, 20), "parameters in "+kit.Inline(f.Params, 20), kit.OnlyIf(f.BasicAuth, "with basic authentication")))
	return p.Say("Every full member of this workspace can order now: `/order new`").Modal(TitleConnect, externalID, kit.Meta{})
}

// ServiceSkew says that the service's clock and ours differ too much; "" when they agree well enough.
func ServiceSkew(ahead time.Duration) string {
	if ahead.Abs() <= time.Minute {
		return ""
	}
	side := "ahead of"
	if ahead < 0 {
		side = "behind"
	}
	return "Darkroom's clock is " + ahead.Abs().Round(time.Second).String() + " " + side + " the service's, which may refuse requests because of that. Tell whoever runs Darkroom, and the service."
}

// NotPublicAddress says why a service is not asked, beside its base URL or above the form.
const NotPublicAddress = "This is not a public address. Darkroom reaches services on the public network only."
