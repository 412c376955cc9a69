package order

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Why the service refused, as far as its words are recognised.
var (
	// ErrInvalidOrder: no order has this id.
	ErrInvalidOrder = errors.New("invalid order id")
	// ErrInsufficientBalance: the account has fewer credits than the price.
	ErrInsufficientBalance = errors.New("insufficient balance")
	// ErrInaccessibleFile: the service could not fetch one of the addresses.
	ErrInaccessibleFile = errors.New("file not accessible")
	// ErrDeadlinePassed: the time in which an order can be canceled is over.
	ErrDeadlinePassed = errors.New("deadline passed")
	// ErrInvalidStatus: the order is not in a status that allows this.
	ErrInvalidStatus = errors.New("invalid order status")
	// ErrImageNotFound: the order has no image with this id.
	ErrImageNotFound = errors.New("image not found")
	// ErrDuplicate: the same message or image was posted before.
	ErrDuplicate = errors.New("duplicate")
)

// reason is one way to refuse. A message is matched whole: it is that reason
// and nothing else, because an inner failure ("invalid order status received
// from the queue") has the same words in it and says nothing about the order.
type reason struct {
	kind   error
	says   pattern // all words before the first colon or comma, in lower case, with single spaces; an address is "url"
	detail pattern // all that follows it; nil: nothing may
}

// reasons are what each operation can refuse for (interface: Errors, and the
// public facts in its notes): elsewhere the same words mean nothing. The
// wording is illustrative there, so the ways of saying it are several.
var reasons = map[string][]reason{
	"create":    {tooFewCredits, inaccessible},
	"cancel":    {unknownOrder, noOrder, tooLate},
	"fetch":     {unknownOrder, noOrder},
	"revise":    {unknownOrder, noOrder, wrongStatus, unknownImage},
	"approve":   {unknownOrder, noOrder, wrongStatus},
	"message":   {unknownOrder, noOrder, repeated("message")},
	"reference": {unknownOrder, noOrder, repeated("image"), inaccessible},
}

// Parts of patterns. An id among other words has a digit: "the order database
// does not exist" names none.
const (
	idWord   = `\pL*\pN[\pL\pN]*`
	missing  = `(?:(?:was|is|were) )?(?:not found|unknown)|(?:does|do) not exist`
	pictured = `(?:file|image|photo|picture|url)`
	credited = `(?:balance|credits?|funds)`
	// amounts are how much there is and how much is needed, in words that say no more.
	amounts = `(?:(?:you|your|the|this|an?|of|and|but|only|by|at|least|more|have|has|had|is|are|needs?|needed|requires?|required|missing|short|shortfall|lacking|available|remaining|left|current|total|account|order|price|costs?|balance|credits?|\d+(?:[.,]\d+)*)[.,;]? ?)*`
)

var (
	unknownOrder = reason{
		kind:   ErrInvalidOrder,
		says:   whole(`(?:an? )?(?:invalid|unknown|wrong|incorrect|no such) order (?:id|number)(?: ` + idWord + `)?|(?:the |this )?order (?:id|number)(?: ` + idWord + `)? (?:` + missing + `|is (?:invalid|not valid))`),
		detail: whole(`\S+`),
	}
	noOrder = reason{
		kind:   ErrInvalidOrder,
		says:   whole(`(?:unknown|no such) order(?: ` + idWord + `)?|(?:the |this )?order(?: ` + idWord + `)? (?:` + missing + `)`),
		detail: whole(`\S*\d\S*`),
	}
	tooFewCredits = reason{
		kind:   ErrInsufficientBalance,
		says:   whole(`(?:an )?(?:insufficient|not enough|too few) (?:account |credit )?` + credited + ` ?` + amounts + `|(?:you|your account) (?:do|does) not have enough ` + credited + ` ?` + amounts + `|(?:the |your )?(?:account )?` + credited + ` (?:is|are) (?:insufficient|not enough|too low) ?` + amounts),
		detail: whole(amounts),
	}
	inaccessible = reason{
		kind:   ErrInaccessibleFile,
		says:   whole(`(?:(?:\d+|one|an?|the|this|some) )?` + pictured + `s?(?:(?: at)? url)? (?:(?:is|are|was|were) )?(?:not accessible|inaccessible|(?:can ?not|could not) be (?:accessed|fetched|downloaded))(?: from our servers?)?(?:(?: at| from)? url)?|(?:can ?not|could not|unable to|failed to) (?:access|fetch|download) (?:(?:an?|the|this|one) )?` + pictured + `s?(?:(?: at| from)? url)?|inaccessible ` + pictured + `s?(?: url)?`),
		detail: whole(`(?:url[ ,;]*)+`),
	}
	tooLate = reason{
		kind: ErrDeadlinePassed,
		says: whole(`(?:the )?(?:\d+ (?:min|mins|minutes?) )?(?:cancel(?:l?ation|l?ing)? )?(?:deadline|window)(?: of \d+ (?:min|mins|minutes?))?(?: (?:for|to|of) cancel(?:l?ation|l?ing)?(?: (?:an|the|this) order)?)? (?:(?:has|is|was) )?(?:already )?(?:passed|over|expired|missed|closed)`),
	}
	wrongStatus = reason{
		kind:   ErrInvalidStatus,
		says:   whole(`(?:an )?(?:invalid|wrong|incorrect) order status|(?:the |this )?order(?: s)? status is (?:invalid|wrong|incorrect|not valid|not reviewing)|(?:the |this )?order(?: ` + idWord + `)? (?:is )?not (?:in|under) (?:review|(?:the )?reviewing(?: status)?)`),
		detail: whole(`editing|revising|paused|reviewing|closed|canceled`),
	}
	unknownImage = reason{
		kind:   ErrImageNotFound,
		says:   whole(`(?:the )?images? ids?(?: ` + idWord + `)? (?:` + missing + `)|(?:no such|unknown|invalid) image ids?(?: ` + idWord + `)?`),
		detail: whole(`\S+(?:, \S+)*`),
	}
)

// repeated is the refusal of what was posted before: what is a message or images.
func repeated(what string) reason {
	return reason{
		kind:   ErrDuplicate,
		says:   whole(`(?:please )?do not (?:re)?(?:post|send|submit|add) (?:an? |the )?(?:(?:duplicated?|same) ` + what + `s?(?: twice| again)?|` + what + `s? twice)|(?:this|the same|these) ` + what + `s? (?:was|were|has been|have been) (?:already )?(?:posted|sent|added)(?: already| before)?`),
		detail: whole(`(?:url[ ,;]*)+`),
	}
}

// pattern is a regular expression that is compiled when it is first asked for: most starts never
// meet a refusal.
type pattern func() *regexp.Regexp

// whole is the pattern of a whole text.
func whole(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + text + `)$`) })
}

var (
	address  = regexp.MustCompile(`(?i)\bhttps?:\S+`)
	notWords = regexp.MustCompile(`[^\pL\pN]+`)
)

// ReasonOf is the kind of a message with which the service refused an operation,
// named as in [Error].Op; nil when it is not wholly one of that operation's own.
func ReasonOf(op, message string) error {
	message = strings.ToLower(address.ReplaceAllString(message, " url "))
	head, detail := message, ""
	if i := strings.IndexAny(message, ":,"); i >= 0 {
		head, detail = message[:i], message[i+1:]
	}
	head = strings.TrimSpace(notWords.ReplaceAllString(head, " "))
	detail = strings.TrimRight(strings.Join(strings.Fields(detail), " "), ".!")
	for _, r := range reasons[op] {
		if r.says().MatchString(head) && (detail == "" || r.detail != nil && r.detail().MatchString(detail)) {
			return r.kind
		}
	}
	return nil
}

// Recognised reports whether there are messages and every one is wholly a reason of
// this operation.
func Recognised(op string, messages []string) bool {
	unrecognised := func(message string) bool { return ReasonOf(op, message) == nil }
	return len(messages) > 0 && !slices.ContainsFunc(messages, unrecognised)
}
