// Package ops has texts for operators: for the operations channel, or for direct messages where one app serves
// many workspaces.
package ops

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"darkroom/cards/kit"

	"github.com/shopspring/decimal"
)

// RolledBack tells operators that Redis restored an earlier state.
func RolledBack() string { return ":warning: Redis came back in an earlier state. " + lostSince }

const lostSince = "It lacks an order that was placed since. I found that order again by its card. " +
	"I search the photo service before I order anything again. I find other lost orders when somebody uses their card or mentions me in their thread. " +
	"Until then, their channels get no updates. Look at `/order list account` for that time, and use each card once. " +
	"Settings, moves and untracked orders of that time are lost, too. Do them again."

// Notices of the operations channel, sent once each. Each process sends those about Redis.
const (
	ServiceDown = "The photo service cannot be reached. Orders are safe. Updates wait until it is back."
	ServiceBack = "The photo service is back. Order updates go on."

	RedisAway = "Redis does not answer. I refuse new requests until it does, and ask people to send them again, which is safe. Earlier requests are saved and wait."
	// RedisFull replaces RedisAway if only memory is missing.
	RedisFull = "Redis has no memory left (maxmemory). I refuse new requests until it has, and ask people to send them again, which is safe. Earlier requests are saved and wait. Raise maxmemory, or shorten RETENTION."
	// RedisUnconfirmed replaces RedisAway if required replicas are missing.
	RedisUnconfirmed = "Too few Redis replicas confirm my writes (wait_replicas in REDIS_URL). I refuse new requests until they do, and ask people to send them again, which is safe. Earlier requests are saved and wait."
	RedisBack        = "Redis answers again. Waiting requests go on."

	// OwnNames says that the service changes order names.
	OwnNames = "The photo service " + ownNames + " `darkroom doctor` shows this too."

	ownNames = "changes the names of orders. I find orders by the order code in their name. If an answer is lost, I may not find an order that was placed. " +
		"I then tell the requester that nobody knows, and that trying again may cost twice. Check the photo service's own list in such a case."

	// OrdersKnown ends [OrdersUnknown].
	OrdersKnown = "The photo service knows our orders again. No order was given up. Their channels are told what happened meanwhile."
)

// Dead reports a failed job by the error code that its person read.
func Dead(reference string) string {
	return "A request failed and waits for your decision. `darkroom dead show " + reference + "` says what it is and why."
}

// SlackBack reports an outage of Slack after it ended.
func SlackBack(from, to time.Time) string {
	return "Slack did not answer me from " + kit.When(from) + " to " + kit.When(to) + " (" + kit.Lasting(to.Sub(from)) + "). " +
		"Requests that I had accepted are saved and go out now. Ask again for forms and lists that did not open. That is safe."
}

// CreditsLow says that credits fell below the threshold. [CreditsWell] follows at well credits.
func CreditsLow(left, below, well decimal.Decimal) string {
	return "The account at the photo service has *" + kit.CreditCount(left) + "* left, fewer than " + kit.Amount(below) + " (`LOW_CREDITS`). " +
		"Orders go on while the credits last. After that, the photo service refuses new orders. " +
		"Buy credits there. I tell you once there are " + kit.Amount(well) + " or more again."
}

// CreditsWell ends [CreditsLow].
func CreditsWell(left decimal.Decimal) string {
	return "The account at the photo service has *" + kit.CreditCount(left) + "* again. That is enough."
}

// OrdersUnknown says that the service answers but does not know our orders. unknown is how many of all it does not know.
func OrdersUnknown(unknown, all int) string {
	which := kit.Either(unknown < all, fmt.Sprintf("%d of our %d orders", unknown, all), "our orders")
	return "The photo service no longer knows " + which + ". Is the key right? To `UPSTREAM_API_KEY` it answers *invalid order id*. Nothing is lost and no order is given up. I keep asking, and say when this is over."
}

// OrdersGivenUp ends [OrdersUnknown] when orders are taken for gone.
func OrdersGivenUp(orders int) string {
	which := kit.Plural(orders, "one", strconv.Itoa(orders)) + " of our orders"
	gone := kit.Plural(orders, "it to be gone. Its channel is told", "them to be gone. Their channels are told")
	return "The photo service has long not known " + which + ", but knows others. I take " + gone + ". An order that it knows again comes back."
}

// MustWait says that a request waits because Slack refuses the app something. told says that the operator
// knows; none says that nothing was sent yet.
func MustWait(asked string, told, none bool) kit.Message {
	goes := kit.Either(told, "I have told them", "Tell them")
	return kit.Say("Your request has to wait: " + asked + ". Slack refuses me a permission that it needs. Only your Darkroom admin can fix that. " +
		kit.OnlyIf(none, "Nothing was sent yet. ") + "Nothing is lost. " + goes + ". Your request goes on when it is fixed, and you need not repeat it.")
}

// NotAllowed answers a click that Slack does not let the app answer. told says that the operator knows.
func NotAllowed(told bool) string {
	who := kit.Either(told, "I have told them", "Tell them")
	return "Slack refuses me a permission that this needs. Only your Darkroom admin can fix that. " + who + ". Nothing was sent. Try again later."
}

// Refused reports a call that Slack refuses, with its reason and the missing scopes.
func Refused(method, reason, needed string) string {
	says := "Slack refuses me `" + kit.Code(method) + "`: " + kit.Inline(reason, 80) + ". Requests wait, and nothing is lost. They go on when this is fixed. "
	if needed == "" {
		return says + "Check my token. Install me again, and give me the new one."
	}
	scopes := strings.FieldsFunc(kit.Code(needed), func(r rune) bool { return r == ',' || r == ' ' })
	return says + "Give me the scope `" + strings.Join(scopes, "`, `") + "` (`darkroom manifest` lists all) and install me again."
}

// Where one app serves many workspaces, these texts replace those of the operations channel that mention
// configuration.

// ToResponsible addresses a notice to the person who connected the workspace or installed the app.
func ToResponsible(sentence string, connected bool) string {
	why := kit.Either(connected, "connected this workspace to its photo service", "added me to this workspace")
	return sentence + "\n_I tell you because you " + why + "._"
}

// OrdersUnknownHere is [OrdersUnknown] for one workspace.
func OrdersUnknownHere(unknown, all int) string {
	which := kit.Either(unknown < all, fmt.Sprintf("%d of this workspace's %d orders", unknown, all), "this workspace's orders")
	return "The photo service no longer knows " + which + ". Is the account right? It answers *invalid order id*. " +
		"Admins find *Change Account* on my Home tab. Nothing is lost and no order is given up. I keep asking, and say when this is over."
}

// OwnNamesHere is [OwnNames] for one workspace.
const OwnNamesHere = "This workspace's photo service " + ownNames

// CreditsLowHere is [CreditsLow] for one workspace.
func CreditsLowHere(left, below, well decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* left, fewer than " + kit.Amount(below) + ". " +
		"Orders go on while the credits last. After that, the photo service refuses new orders. " +
		"Buy credits there. I tell you once there are " + kit.Amount(well) + " or more again."
}

// CreditsWellHere ends [CreditsLowHere].
func CreditsWellHere(left decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* again. That is enough."
}

// RefusedHere is [Refused] for one workspace.
func RefusedHere(reason string) string {
	return "Slack refuses me a permission that I need in this workspace (" + kit.Inline(reason, 80) + "). Requests wait, and nothing is lost. They go on when this is fixed. " +
		"Ask an admin to add me again, from the same page as the first time. Saved data stays."
}

// RolledBackHere is [RolledBack] for one workspace.
func RolledBackHere() string {
	return ":warning: This workspace's data was set back to an earlier time. " + lostSince
}
