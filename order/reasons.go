package order

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The recognized reasons of a refusal.
var (
	// ErrInvalidOrder: no order has this id.
	ErrInvalidOrder = errors.New("invalid order id")
	// ErrInsufficientBalance: the account has fewer credits than the price.
	ErrInsufficientBalance = errors.New("insufficient balance")
	// ErrInaccessibleFile: the service could not fetch an image address.
	ErrInaccessibleFile = errors.New("file not accessible")
	// ErrDeadlinePassed: the time to cancel an order is over.
	ErrDeadlinePassed = errors.New("deadline passed")
	// ErrInvalidStatus: the order's status does not allow the operation.
	ErrInvalidStatus = errors.New("invalid order status")
	// ErrImageNotFound: the order has no image with this id.
	ErrImageNotFound = errors.New("image not found")
	// ErrDuplicate: the same message or image was already posted.
	ErrDuplicate = errors.New("duplicate")
)

// reason recognizes one kind of refusal. It matches a whole message, because an internal failure ("invalid order
// status received from the queue") contains the same words and says nothing about the order.
type reason struct {
	kind   error
	head   pattern // the words before the first colon or comma, in lower case, with single spaces; an address is "url"
	detail pattern // the rest; nil: no rest is allowed
}

// reasons lists the refusals of each operation (interface: Errors, and its notes). Elsewhere the same words mean
// nothing. The interface calls its wording illustrative, so each reason has several.
var reasons = map[string][]reason{
	"create":    {tooFewCredits, inaccessible},
	"cancel":    {unknownOrder, noOrder, tooLate},
	"fetch":     {unknownOrder, noOrder},
	"revise":    {unknownOrder, noOrder, wrongStatus, unknownImage},
	"approve":   {unknownOrder, noOrder, wrongStatus},
	"message":   {unknownOrder, noOrder, repeated("message")},
	"reference": {unknownOrder, noOrder, repeated("image"), inaccessible},
}

// Parts of patterns. An ID among other words has a digit: "the order database does not exist" has no ID.
const (
	idWord   = `\pL*\pN[\pL\pN]*`
	missing  = `(?:(?:was|is|were) )?(?:not found|unknown)|(?:does|do) not exist`
	pictured = `(?:file|image|photo|picture|url)`
	credited = `(?:balance|credits?|funds)`
	// amounts matches the available and the needed credits, and words that add nothing to them.
	amounts = `(?:(?:you|your|the|this|an?|of|and|but|only|by|at|least|more|have|has|had|is|are|needs?|needed|requires?|required|missing|short|shortfall|lacking|available|remaining|left|current|total|account|order|price|costs?|balance|credits?|\d+(?:[.,]\d+)*)[.,;]? ?)*`
)

var (
	unknownOrder = reason{
		kind:   ErrInvalidOrder,
		head:   whole(`(?:an? )?(?:invalid|unknown|wrong|incorrect|no such) order (?:id|number)(?: ` + idWord + `)?|(?:the |this )?order (?:id|number)(?: ` + idWord + `)? (?:` + missing + `|is (?:invalid|not valid))`),
		detail: whole(`\S+`),
	}
	noOrder = reason{
		kind:   ErrInvalidOrder,
		head:   whole(`(?:unknown|no such) order(?: ` + idWord + `)?|(?:the |this )?order(?: ` + idWord + `)? (?:` + missing + `)`),
		detail: whole(`\S*\d\S*`),
	}
	tooFewCredits = reason{
		kind:   ErrInsufficientBalance,
		head:   whole(`(?:an )?(?:insufficient|not enough|too few) (?:account |credit )?` + credited + ` ?` + amounts + `|(?:you|your account) (?:do|does) not have enough ` + credited + ` ?` + amounts + `|(?:the |your )?(?:account )?` + credited + ` (?:is|are) (?:insufficient|not enough|too low) ?` + amounts),
		detail: whole(amounts),
	}
	inaccessible = reason{
		kind:   ErrInaccessibleFile,
		head:   whole(`(?:(?:\d+|one|an?|the|this|some) )?` + pictured + `s?(?:(?: at)? url)? (?:(?:is|are|was|were) )?(?:not accessible|inaccessible|(?:can ?not|could not) be (?:accessed|fetched|downloaded))(?: from our servers?)?(?:(?: at| from)? url)?|(?:can ?not|could not|unable to|failed to) (?:access|fetch|download) (?:(?:an?|the|this|one) )?` + pictured + `s?(?:(?: at| from)? url)?|inaccessible ` + pictured + `s?(?: url)?`),
		detail: whole(`(?:url[ ,;]*)+`),
	}
	tooLate = reason{
		kind: ErrDeadlinePassed,
		head: whole(`(?:the )?(?:\d+ (?:min|mins|minutes?) )?(?:cancel(?:l?ation|l?ing)? )?(?:deadline|window)(?: of \d+ (?:min|mins|minutes?))?(?: (?:for|to|of) cancel(?:l?ation|l?ing)?(?: (?:an|the|this) order)?)? (?:(?:has|is|was) )?(?:already )?(?:passed|over|expired|missed|closed)`),
	}
	wrongStatus = reason{
		kind:   ErrInvalidStatus,
		head:   whole(`(?:an )?(?:invalid|wrong|incorrect) order status|(?:the |this )?order(?: s)? status is (?:invalid|wrong|incorrect|not valid|not reviewing)|(?:the |this )?order(?: ` + idWord + `)? (?:is )?not (?:in|under) (?:review|(?:the )?reviewing(?: status)?)`),
		detail: whole(`editing|revising|paused|reviewing|closed|canceled`),
	}
	unknownImage = reason{
		kind:   ErrImageNotFound,
		head:   whole(`(?:the )?images? ids?(?: ` + idWord + `)? (?:` + missing + `)|(?:no such|unknown|invalid) image ids?(?: ` + idWord + `)?`),
		detail: whole(`\S+(?:, \S+)*`),
	}
)

// repeated recognizes the refusal of a duplicate message or image.
func repeated(what string) reason {
	return reason{
		kind:   ErrDuplicate,
		head:   whole(`(?:please )?do not (?:re)?(?:post|send|submit|add) (?:an? |the )?(?:(?:duplicated?|same) ` + what + `s?(?: twice| again)?|` + what + `s? twice)|(?:this|the same|these) ` + what + `s? (?:was|were|has been|have been) (?:already )?(?:posted|sent|added)(?: already| before)?`),
		detail: whole(`(?:url[ ,;]*)+`),
	}
}

// pattern compiles a regular expression at its first use: most processes never see a refusal.
type pattern func() *regexp.Regexp

// whole returns a pattern that matches the whole text.
func whole(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + text + `)$`) })
}

var (
	address  = regexp.MustCompile(`(?i)\bhttps?:\S+`)
	notWords = regexp.MustCompile(`[^\pL\pN]+`)
)

// ReasonOf returns the reason for which the service refused an operation, named as in [Error].Op; nil if the
// message is not exactly one of the operation's reasons.
func ReasonOf(op, message string) error {
	message = strings.ToLower(address.ReplaceAllString(message, " url "))
	head, detail := message, ""
	if i := strings.IndexAny(message, ":,"); i >= 0 {
		head, detail = message[:i], message[i+1:]
	}
	head = strings.TrimSpace(notWords.ReplaceAllString(head, " "))
	detail = strings.TrimRight(strings.Join(strings.Fields(detail), " "), ".!")
	for _, r := range reasons[op] {
		if r.head().MatchString(head) && (detail == "" || r.detail != nil && r.detail().MatchString(detail)) {
			return r.kind
		}
	}
	return nil
}

// Recognised reports whether there are messages and each is a reason of this operation.
func Recognised(op string, messages []string) bool {
	unrecognised := func(message string) bool { return ReasonOf(op, message) == nil }
	return len(messages) > 0 && !slices.ContainsFunc(messages, unrecognised)
}
