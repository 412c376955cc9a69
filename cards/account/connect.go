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

// Titles of the windows about the account.
const (
	TitleConnect   = "Connect photo service"
	titleTesting   = "Testing connection"
	titleConnected = "Connected"
)

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
const aboutUnconnected = "Darkroom orders photo editing by people. You send photos from Slack, an editor works on them, and your channel approves them or asks for changes. " +
	"It needs an account at a photo service. This workspace is not connected to one yet."

// beingForgotten says why nobody can connect the workspace now.
const beingForgotten = "This workspace's earlier data is being deleted. That takes a few minutes. After that, a workspace admin can connect an account again."

// HomeUnconnected is the whole App Home of a workspace without an account.
func HomeUnconnected(p *kit.Page, v View) {
	if v.Forgetting {
		p.Row(aboutUnconnected + "\n" + beingForgotten)
		return
	}
	p.Row(aboutUnconnected + kit.OnlyIf(v.HasOrders, "\nEarlier orders are saved. They go on when their account is connected again."))
	if v.MayConnect {
		row := []slack.BlockElement{kit.PrimaryButton("Connect", ActionConnect, "connect")}
		if v.HasOrders {
			row = append(row, kit.Button("Export or Delete Data", ActionDisconnect, "data"))
		}
		p.Buttons(row...)
		p.Note("You need three things from the photo service's account settings: base URL, API key and API secret.")
		return
	}
	p.Row(whoConnects(v))
}

// whoConnects tells a non-admin who can connect the workspace.
func whoConnects(v View) string {
	return "A workspace admin can connect it on my Home tab." + kit.OnlyIf(kit.IsUser(v.InstalledBy), " "+kit.Mention(v.InstalledBy)+" added me to this workspace and may know whom to ask.")
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
	p.Buttons(kit.Button("Change Account", ActionConnect, "change"), kit.Button("Disconnect", ActionDisconnect, "disconnect"))
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
	return "This workspace is not connected to a photo service. Nothing was sent or changed. " + howToConnect(v, "You can connect it now, or on my Home tab.")
}

// NotConnectedPlain is the same sentence as plain text, for a form error.
const NotConnectedPlain = "This workspace is no longer connected to a photo service. Nothing was sent. A workspace admin can connect it on my Home tab. Then submit this again."

// NotAdded answers a workspace in which the app is no longer installed. page is the URL that installs it.
func NotAdded(page string) string {
	return "I am not set up in this workspace. Nothing was sent or changed. A workspace admin can add me again at " + page + ". Saved orders and settings are then back."
}

// WaitsForAccount says that a request waits until the workspace is connected again.
func WaitsForAccount(asked string, v View) kit.Message {
	return kit.Say("Your request has to wait: " + asked + ". This workspace was disconnected from its photo service. Nothing is lost, and you need not ask again. It goes on when the account is connected again. " +
		howToConnect(v, "You can connect it on my Home tab."))
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
		p.Say("Nothing was connected or changed. The secret is not saved. Type it again.")
	}
	p.Say("All three are in the photo service's account settings. I store them encrypted, and never show the key and secret again.")
	field := func(name, label, hint string, box *slack.PlainTextInputBlockElement) {
		p.Put(kit.Field(kit.BlockID(name, f.Attempt, 0), label, hint, box))
	}
	address := kit.Input(fieldServiceURL, f.URL, maxServiceURL)
	address.Placeholder = kit.PlainText("https://api.example.com/v1")
	field(fieldServiceURL, "Base URL", "How every link of the photo service's API begins, up to the version.", address)
	field(fieldServiceKey, "API key", "", kit.Input(fieldServiceKey, f.Key, maxCredentials))
	field(fieldServiceSecret, "API secret", "Slack shows what you type. Make sure nobody reads along.", kit.Input(fieldServiceSecret, "", maxCredentials))
	prices := kit.Input(fieldPrices, f.Prices, maxPrices)
	prices.Placeholder = kit.PlainText("basic=1, extensive=3, reference=2")
	p.Put(kit.Field(kit.BlockID(fieldPrices, f.Attempt, 0), "Price list", "The credits of one photo. Order forms and limits go by it.", prices).WithOptional(true))
	if f.FormerHost != "" {
		same := kit.Option("same", "It is the same account", "It has a new key or link, and knows this workspace's orders.")
		p.Put(kit.Field(kit.BlockID(fieldSameAccount, f.Attempt, 0), "This workspace's orders", "They were placed with an account at "+kit.Plain(f.FormerHost, 100)+".", slack.NewCheckboxGroupsBlockElement(fieldSameAccount, same)).WithOptional(true))
	}
	return p.Note("I test the connection right away. The test changes nothing at the photo service.").
		Form(TitleConnect, "Connect", CallbackConnect, externalID, kit.Meta{Attempt: f.Attempt})
}

// NotConnectedBecause reports the problem to somebody who closed the window, without what they typed.
func NotConnectedBecause(f Form) kit.Message {
	return kit.NewPage(kit.Warning + "This workspace was not connected to a photo service: " + kit.Cut(kit.Inline(f.Wrong, 1500), kit.MaxSection)).
		Say(kit.Inline(f.Fix, 1000)).Note("Nothing was changed. To try again, press *Connect* or *Change Account* on the Home tab.").Message()
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
	return "This workspace's orders were placed with an account at " + kit.Plain(was, 100) + ". Tick the box if it is the same account with a new key or link. To use another account, close this and delete the orders first, with “Disconnect” or “Export or Delete Data” on the Home tab."
}

// Attempt returns how often a form was submitted before.
func Attempt(view slack.View) int { return kit.DecodeMeta(view.PrivateMetadata).Attempt }

// Connecting shows that the account is being tested.
func Connecting(host, externalID string) slack.ModalViewRequest {
	return kit.NewPage(":hourglass_flowing_sand: Testing the connection to *"+cmp.Or(kit.Inline(host, 100), "that link")+"*…").
		Note("This takes a few seconds, at most a minute. If nothing changes by then, close this window and press *Connect* or *Change Account* on the Home tab again. Doing it twice is safe.").
		Modal(titleTesting, externalID, kit.Meta{})
}

// ServiceFound is the result of testing an account.
type ServiceFound struct {
	Host      string
	Credits   decimal.NullDecimal
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
	p.Note(kit.OnlyIf(f.BasicAuth, "Requests are sent with basic authentication."))
	return p.Say("All full members of this workspace can order now: `/order new`").Modal(titleConnected, externalID, kit.Meta{})
}

// ServiceSkew warns that the clocks differ by more than a minute, or returns "".
func ServiceSkew(ahead time.Duration) string {
	if ahead.Abs() <= time.Minute {
		return ""
	}
	side := kit.Either(ahead < 0, "behind", "ahead of")
	return "Darkroom's clock is " + kit.Lasting(ahead.Abs()) + " " + side + " the photo service's. It may refuse requests because of that. Tell your Darkroom admin and the photo service."
}

// NotPublicAddress refuses a private address.
const NotPublicAddress = "This link is not public. Darkroom reaches photo services on the public internet only."

// unreadable says that the saved account cannot be decrypted; see [tenants.ErrUnreadable].
const unreadable = "I can no longer read this workspace's account at the photo service, so nothing can be ordered. " +
	"Orders, settings and presets are saved. They go on when the account is connected again."

// HomeUnreadable is the whole App Home of a workspace whose account is unreadable.
func HomeUnreadable(p *kit.Page, v View) {
	p.Row(unreadable)
	if !v.MayConnect {
		p.Row(whoConnects(v))
		return
	}
	p.Buttons(kit.PrimaryButton("Connect", ActionConnect, "connect"), kit.Button("Disconnect", ActionDisconnect, "disconnect"))
	p.Note("You need three things from the photo service's account settings: base URL, API key and API secret. The log tells your Darkroom admin why.")
}

// WaitsUnreadable says that a request waits because the account is unreadable.
func WaitsUnreadable(asked string, v View) kit.Message {
	return kit.Say("Your request has to wait: " + asked + ". I can no longer read this workspace's account. Nothing is lost, and you need not ask again. It goes on when the account is connected again. " +
		kit.Either(v.MayConnect, "You can connect it on my Home tab.", whoConnects(v)))
}
