// Package account connects a workspace to its account at the order service and disconnects it.
package account

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store/tenants"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	// In a workspace whose admins connect the account. Values are ignored.
	ActionConnect   = "account:connect"
	CallbackConnect = "connect" // an account at the photo service
)

// TitleConnect is the title of every window about the account.
const TitleConnect = "Photo service"

// Fields of the form that connects an account, with their limits.
const (
	fieldServiceURL    = "serviceurl"
	fieldServiceKey    = "servicekey"
	fieldServiceSecret = "servicesecret"
	fieldSameAccount   = "sameaccount"
	fieldPrices        = "prices"

	maxServiceURL  = 500
	maxCredentials = 300
	maxPrices      = 200
)

// View is the workspace's account as one person sees it in App Home.
type View struct {
	Account     *tenants.ServiceAccount // nil: not connected
	MayConnect  bool                    // the person may connect, change and disconnect it
	InstalledBy string                  // user who installed the app; "": unknown
	HasOrders   bool                    // not connected, but earlier orders are saved
	Forgetting  bool                    // the workspace's data is being deleted
	Unreadable  bool                    // the saved account cannot be decrypted; it can be replaced or deleted
}

// aboutUnconnected explains Darkroom to a workspace that cannot use it yet.
const aboutUnconnected = "Darkroom orders photo editing by people: you send photos from Slack, an editor works on them, and your channel approves the result or asks for changes. " +
	"It works with an account at a photo service, and this workspace is not connected to one yet."

// beingForgotten says why nobody can connect the workspace now.
const beingForgotten = "What was kept here before is being forgotten. That takes a few minutes; after that a workspace admin can connect an account again."

// HomeUnconnected is the whole App Home of a workspace without an account.
func HomeUnconnected(p *kit.Page, v View) {
	if v.Forgetting {
		p.Row(aboutUnconnected + "\n" + beingForgotten)
		return
	}
	p.Row(aboutUnconnected + kit.OnlyIf(v.HasOrders, "\nThe orders from before are kept, and go on when their account is connected again."))
	if v.MayConnect {
		row := []slack.BlockElement{kit.PrimaryButton("Connect", ActionConnect, "connect")}
		if v.HasOrders {
			row = append(row, kit.Button("Export or Delete Data", ActionDisconnect, "data"))
		}
		p.Buttons(row...)
		p.Note("You need three things from the service's account settings: its base URL, an API key and its API secret.")
		return
	}
	p.Row(whoConnects(v))
}

// whoConnects tells a non-admin who can connect the workspace.
func whoConnects(v View) string {
	return "A workspace admin can connect it, on this app's Home." + kit.OnlyIf(kit.IsUser(v.InstalledBy), " "+kit.Mention(v.InstalledBy)+" added me to this workspace and may know whom to ask.")
}

// howToConnect says who can connect the workspace and when. you is the sentence for somebody who can.
func howToConnect(v View, you string) string {
	switch {
	case v.Forgetting:
		return beingForgotten
	case v.MayConnect:
		return you
	}
	return whoConnects(v)
}

// HomeConnected shows admins the connected account.
func HomeConnected(p *kit.Page, v View) {
	a := v.Account
	if a == nil || !v.MayConnect {
		return
	}
	p.Put(slack.NewDividerBlock())
	p.Row("Connected to *" + hostOf(*a) + "*" + kit.Prefixed(" since ", kit.WhenKnown(a.At)) + kit.OnlyIf(kit.IsUser(a.By), ", by "+kit.Mention(a.By)) + ". Only admins see this.")
	p.Buttons(kit.Button("Change Account", ActionConnect, "change"), kit.Button("Disconnect", ActionDisconnect, "disconnect").WithStyle(slack.StyleDanger))
}

func hostOf(a tenants.ServiceAccount) string {
	return cmp.Or(kit.Inline(a.Host(), 100), "a photo service")
}

// NotConnected answers a request that needs an account.
func NotConnected(v View) kit.Message {
	p := kit.NewPage(NotConnectedYet(v))
	if v.MayConnect && !v.Forgetting {
		p.Buttons(kit.PrimaryButton("Connect", ActionConnect, "connect"))
	}
	return p.Message()
}

// NotConnectedYet is the sentence of [NotConnected].
func NotConnectedYet(v View) string {
	return "This workspace is not connected to a photo service, so this cannot be done. Nothing was sent or changed. " + howToConnect(v, "You can connect it now, or on this app's Home.")
}

// NotConnectedPlain is the same sentence as plain text, for a form error.
const NotConnectedPlain = "This workspace is not connected to a photo service any more: nothing was sent. A workspace admin can connect it on this app's Home; then submit this again."

// NotAdded answers a workspace in which the app is no longer installed. page is the URL that installs it.
func NotAdded(page string) string {
	return "I am not set up in this workspace, so nothing was sent or changed. A workspace admin can add me again at " + page + ". Orders and settings that are still kept are then there again."
}

// WaitsForAccount says that a request waits until the workspace is connected again.
func WaitsForAccount(asked string, v View) kit.Message {
	return kit.Say("What you asked for (" + asked + ") has to wait: this workspace was disconnected from its photo service. Nothing is lost, and you need not do it again: it goes on by itself when the account is connected again. " +
		howToConnect(v, "You can do that on this app's Home."))
}

// Form is the content of the form that connects an account. It never holds a secret.
type Form struct {
	URL, Key   string // as typed before
	Prices     string // the price list, see [order.ParsePrices]
	FormerHost string // host of the account that placed the saved orders; "": no orders
	Attempt    int    // how often the form was submitted; Slack keeps values by block id
	Wrong      string // the problem; "": none
	Fix        string // what to do about it
}

// ConnectWindow asks for an account.
func ConnectWindow(f Form, externalID string) slack.ModalViewRequest {
	p := kit.NewWindow("")
	if f.Wrong != "" {
		p.Alert(kit.Inline(f.Wrong, 1500))
		p.Say(kit.Inline(f.Fix, 1000))
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
	prices := kit.Input(fieldPrices, f.Prices, maxPrices)
	prices.Placeholder = kit.PlainText("basic=1, extensive=3, reference=2")
	p.Put(kit.Field(kit.BlockID(fieldPrices, f.Attempt, 0), "Price list", "The credits of one photo. Order forms and limits go by it.", prices).WithOptional(true))
	if f.FormerHost != "" {
		same := kit.Option("same", "It is the same account", "It has a new key or address, and knows the orders that are here.")
		p.Put(kit.Field(kit.BlockID(fieldSameAccount, f.Attempt, 0), "The orders that are here", "They were placed with an account at "+kit.Plain(f.FormerHost, 100)+".", slack.NewCheckboxGroupsBlockElement(fieldSameAccount, same)).WithOptional(true))
	}
	return p.Note("I test these with the service right away. The test changes nothing there.").
		Form(TitleConnect, "Connect", CallbackConnect, externalID, kit.Meta{Attempt: f.Attempt})
}

// NotConnectedBecause reports the problem to somebody who closed the window, without what they typed.
func NotConnectedBecause(f Form) kit.Message {
	return kit.NewPage(kit.Warning + "This workspace was not connected to a photo service: " + kit.Cut(kit.Inline(f.Wrong, 1500), kit.MaxSection)).
		Say(kit.Inline(f.Fix, 1000)).Note("Nothing was changed. *Connect* or *Change Account* on the Home asks again.").Message()
}

// DecodeConnect reads the form. same reports that the account is the earlier one; the problems are by block
// id.
func DecodeConnect(view slack.View) (a tenants.ServiceAccount, same bool, problems map[string]string) {
	a = tenants.ServiceAccount{
		URL: strings.TrimSpace(kit.TextOf(view, fieldServiceURL)), Key: strings.TrimSpace(kit.TextOf(view, fieldServiceKey)), Secret: strings.TrimSpace(kit.TextOf(view, fieldServiceSecret)),
	}
	a.URL, a.Prices = strings.TrimRight(a.URL, "/"), strings.TrimSpace(kit.TextOf(view, fieldPrices))
	same = len(kit.AnswerOf(view, fieldSameAccount).SelectedOptions) > 0
	problems = map[string]string{}
	if _, err := order.ParsePrices(a.Prices); err != nil {
		problems[kit.BlockOf(view, fieldPrices)] = kit.FullStop(kit.Capital(err.Error()))
	}
	for _, box := range []struct {
		field, value, what string
		most               int
	}{
		{fieldServiceURL, a.URL, "The base URL", maxServiceURL},
		{fieldServiceKey, a.Key, "The API key", maxCredentials},
		{fieldServiceSecret, a.Secret, "The API secret", maxCredentials},
	} {
		problem := kit.LengthProblem(box.value, box.most, box.what)
		switch {
		case box.value == "":
			problem = box.what + " is missing."
		case box.field != fieldServiceURL && strings.ContainsFunc(box.value, unicode.IsSpace):
			problem = box.what + " has a space in it: copy it again."
		}
		if problem != "" {
			problems[kit.BlockOf(view, box.field)] = problem
		}
	}
	return a, same, problems
}

// ServiceURLProblem returns a form error at the base URL.
func ServiceURLProblem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, fieldServiceURL, sentence)
}

// OtherAccountProblem returns a form error for an account that may not have the saved orders.
func OtherAccountProblem(view slack.View, was string) map[string]string {
	return kit.Beside(view, fieldSameAccount, OtherAccount(was))
}

// OtherAccount says what to do about an account that may not have the saved orders. was is their account's
// host.
func OtherAccount(was string) string {
	return "This is not the account with which the orders here were placed (" + kit.Plain(was, 100) + "). Tick the box if it is the same one with a new key or address. For another account, close this and forget these orders first, with “Disconnect” or “Export or Delete Data” on the Home."
}

// Attempt returns how often a form was submitted before.
func Attempt(view slack.View) int { return kit.DecodeMeta(view.PrivateMetadata).Attempt }

// Connecting shows that the account is being tested.
func Connecting(host, externalID string) slack.ModalViewRequest {
	return kit.NewPage(":hourglass_flowing_sand: Testing the connection to *"+cmp.Or(kit.Inline(host, 100), "that address")+"*…").
		Note("This takes a few seconds, and a minute at most. If nothing changes here by then, close this window and press *Connect* or *Change Account* on the Home again: doing it twice does no harm.").
		Modal(TitleConnect, externalID, kit.Meta{})
}

// ServiceFound is the result of testing an account.
type ServiceFound struct {
	Host      string
	Credits   decimal.NullDecimal
	Signature string // how requests are signed
	Numbers   string
	Params    string // where writes send their parameters
	BasicAuth bool
	Cautions  []string // warnings, a sentence each
}

// Connected confirms the connection.
func Connected(f ServiceFound, externalID string) slack.ModalViewRequest {
	p := kit.NewPage(":white_check_mark: This workspace is connected to *" + cmp.Or(kit.Inline(f.Host, 100), "the photo service") + "*.")
	p.Say(kit.OnlyIf(f.Credits.Valid, "Credits left: *"+kit.Amount(f.Credits.Decimal)+"*"))
	for _, caution := range f.Cautions {
		p.Say(kit.Warning + kit.Cut(kit.Inline(caution, 1000), kit.MaxSection))
	}
	p.Note("Request format: " + kit.Dots("signature "+kit.Inline(f.Signature, 20), "numbers as "+kit.Inline(f.Numbers, 20), "parameters in "+kit.Inline(f.Params, 20), kit.OnlyIf(f.BasicAuth, "with basic authentication")))
	return p.Say("Every full member of this workspace can order now: `/order new`").Modal(TitleConnect, externalID, kit.Meta{})
}

// ServiceSkew warns that the clocks differ by more than a minute, or returns "".
func ServiceSkew(ahead time.Duration) string {
	if ahead.Abs() <= time.Minute {
		return ""
	}
	side := kit.Either(ahead < 0, "behind", "ahead of")
	return "Darkroom's clock is " + ahead.Abs().Round(time.Second).String() + " " + side + " the service's, which may refuse requests because of that. Tell whoever runs Darkroom, and the service."
}

// NotPublicAddress refuses a private address.
const NotPublicAddress = "This is not a public address. Darkroom reaches services on the public network only."

// unreadable says that the saved account cannot be decrypted; see [tenants.ErrUnreadable].
const unreadable = "The account at the photo service that this workspace was connected with cannot be read any more, so nothing can be ordered. " +
	"Orders, settings and presets are kept, and go on when the account is connected again."

// HomeUnreadable is the whole App Home of a workspace whose account is unreadable.
func HomeUnreadable(p *kit.Page, v View) {
	p.Row(unreadable)
	if !v.MayConnect {
		p.Row(whoConnects(v))
		return
	}
	p.Buttons(kit.PrimaryButton("Connect", ActionConnect, "connect"), kit.Button("Disconnect", ActionDisconnect, "disconnect").WithStyle(slack.StyleDanger))
	p.Note("You need three things from the service's account settings: its base URL, an API key and its API secret. Whoever runs Darkroom can read why in its log.")
}

// WaitsUnreadable says that a request waits because the account is unreadable.
func WaitsUnreadable(asked string, v View) kit.Message {
	return kit.Say("What you asked for (" + asked + ") has to wait: the account of this workspace cannot be read any more. Nothing is lost, and you need not do it again: it goes on by itself when the account is connected again. " +
		kit.Either(v.MayConnect, "You can do that on this app's Home.", whoConnects(v)))
}
