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
func RolledBack() string { return ":warning: Redis came back as it was before: " + lostSince }

const lostSince = "an order that was placed since is not in it, and was found again by its card. " +
	"I order nothing again before I have looked for it at the service. Others like it are found as soon as somebody presses a button of their card or mentions me in its thread; " +
	"until then I do not follow them, and their channels hear nothing of them: look at `/order list account` for that time, and use each card once. " +
	"What people set, moved or untracked since then is as it was before, and must be done again."

// Notices of the operations channel, sent once each. Each process sends those about Redis.
const (
	ServiceDown = "The photo editing service cannot be reached. Orders are safe; news of them waits until it is back."
	ServiceBack = "The photo editing service is back. News of orders comes again."

	RedisAway = "Redis does not answer, where I keep what people ask for. Until it does I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits."
	// RedisFull replaces RedisAway if only memory is missing.
	RedisFull = "The memory of Redis is full (maxmemory), where I keep what people ask for. Until it has room I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits. Please raise maxmemory, or shorten RETENTION."
	// RedisUnconfirmed replaces RedisAway if required replicas are missing.
	RedisUnconfirmed = "Too few replicas of Redis confirm what I write there (wait_replicas in REDIS_URL). Until they do I take nothing new: people are told so, and to send it again, which is safe. What I took before is kept and waits."
	RedisBack        = "Redis answers again. What waited goes on by itself."

	// OwnNames says that the service changes order names.
	OwnNames = "The photo service " + ownNames + " `darkroom doctor` shows this, too."

	ownNames = "gave an order another name than mine. I find orders by the reference in their name, so an order whose answer is lost may be there although I do not find it. " +
		"From now on I never conclude from that: who ordered is told that nobody knows, and that trying again may cost twice. Please look at the service's own list in such a case."

	// OrdersKnown ends [OrdersUnknown].
	OrdersKnown = "The service knows our orders again. None was given up, and what happened meanwhile is told in their channels."
)

// Dead reports a failed job by the error code that its person read.
func Dead(reference string) string {
	return "A job cannot succeed and waits for your decision. `darkroom dead show " + reference + "` says what it is and why."
}

// SlackBack reports an outage of Slack after it ended.
func SlackBack(from, to time.Time) string {
	return "Slack did not answer me from " + kit.When(from) + " to " + kit.When(to) + " (" + lasting(to.Sub(from)) + "). " +
		"What I had taken is kept, and goes out now: nobody need ask for it again. A form that did not open, or a list that did not come, must be asked for once more; that is safe."
}

// lasting formats a duration in words.
func lasting(d time.Duration) string {
	if d < 2*time.Minute {
		return kit.Count(int(d.Round(time.Second)/time.Second), "second", "seconds")
	}
	d = d.Round(time.Minute)
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	return kit.Join(" ", kit.OnlyIf(hours > 0, kit.Count(hours, "hour", "hours")), kit.OnlyIf(minutes > 0, kit.Count(minutes, "minute", "minutes")))
}

// CreditsLow says that credits fell below the threshold. [CreditsWell] follows at well credits.
func CreditsLow(left, below, well decimal.Decimal) string {
	return "The account at the photo service has *" + kit.CreditCount(left) + "* left, fewer than the " + kit.Amount(below) + " below which I am to tell you (`LOW_CREDITS`). " +
		"Nothing has stopped: orders go on while the credits last. After that the service refuses new ones, and whoever places one is told. " +
		"Please buy credits there; I say so once when there are " + kit.Amount(well) + " or more again."
}

// CreditsWell ends [CreditsLow].
func CreditsWell(left decimal.Decimal) string {
	return "The account at the photo service has *" + kit.CreditCount(left) + "* again. That is enough: there is nothing left to do."
}

// OrdersUnknown says that the service answers but does not know our orders. unknown is how many of all it does not know.
func OrdersUnknown(unknown, all int) string {
	which := kit.Either(unknown < all, fmt.Sprintf("%d of our %d orders", unknown, all), "any of our orders")
	return "The service no longer knows " + which + "; is the key right? It answers, but to `UPSTREAM_API_KEY` it says *invalid order id*. Nothing is lost and no order is given up: I go on asking, and say when this is over."
}

// OrdersGivenUp ends [OrdersUnknown] when orders are taken for gone.
func OrdersGivenUp(orders int) string {
	which := kit.Plural(orders, "one", strconv.Itoa(orders)) + " of our orders"
	gone := kit.Plural(orders, "it to be gone. Its channel is told", "them to be gone. Their channels are told")
	return "The service has not known " + which + " for so long, while it knows others, that I take " + gone + "; an order that it knows again comes back by itself."
}

// MustWait says that a request waits because Slack refuses the app something. told says that the operator
// knows; none says that nothing was sent yet.
func MustWait(asked string, told, none bool) kit.Message {
	goes := kit.Either(told, "I have told them, and go on", "please tell them, and I go on")
	return kit.Say("What you asked for (" + asked + ") has to wait: Slack refuses me something that I need for it, and only whoever runs me can mend that. " +
		kit.OnlyIf(none, "Nothing was sent yet. ") + "Nothing is lost, and you need not do it again: " + goes + " by myself as soon as I may.")
}

// NotAllowed answers a click that Slack does not let the app answer. told says that the operator knows.
func NotAllowed(told bool) string {
	who := kit.Either(told, "I have told them", "please tell them")
	return "Slack refuses me something that I need for this, and only whoever runs me can mend that: " + who + ". Nothing was sent; please try again later."
}

// Refused reports a call that Slack refuses, with its reason and the missing scopes.
func Refused(method, reason, needed string) string {
	says := "Slack refuses me `" + kit.Code(method) + "`: " + kit.Inline(reason, 80) + ". What people asked for waits, nothing is lost, and it goes on by itself once this is mended. "
	if needed == "" {
		return says + "Please check my token: install me again, and give me the new one."
	}
	scopes := strings.FieldsFunc(kit.Code(needed), func(r rune) bool { return r == ',' || r == ' ' })
	return says + "Please give me the scope `" + strings.Join(scopes, "`, `") + "` (`darkroom manifest` lists all) and install me again."
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
	which := kit.Either(unknown < all, fmt.Sprintf("%d of this workspace's %d orders", unknown, all), "any of this workspace's orders")
	return "The photo service no longer knows " + which + "; is the account right? It answers, but of each it says *invalid order id*. " +
		"An admin finds *Change Account* on my Home. Nothing is lost and no order is given up: I go on asking, and say when this is over."
}

// OwnNamesHere is [OwnNames] for one workspace.
const OwnNamesHere = "This workspace's photo service " + ownNames

// CreditsLowHere is [CreditsLow] for one workspace.
func CreditsLowHere(left, below, well decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* left, fewer than " + kit.Amount(below) + ". " +
		"Nothing has stopped: orders go on while the credits last. After that the service refuses new ones, and whoever places one is told. " +
		"Please buy credits there; I say so once when I see " + kit.Amount(well) + " or more again."
}

// CreditsWellHere ends [CreditsLowHere].
func CreditsWellHere(left decimal.Decimal) string {
	return "This workspace's account at the photo service has *" + kit.CreditCount(left) + "* again. That is enough: there is nothing left to do."
}

// RefusedHere is [Refused] for one workspace.
func RefusedHere(reason string) string {
	return "Slack refuses me something that I need in this workspace (" + kit.Inline(reason, 80) + "). What people asked for waits, nothing is lost, and it goes on by itself once this is mended. " +
		"Please have an admin add me again, from the same page as the first time: what is kept here stays."
}

// RolledBackHere is [RolledBack] for one workspace.
func RolledBackHere() string {
	return ":warning: What I keep of this workspace was set back to an earlier time: " + lostSince
}
