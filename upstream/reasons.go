package upstream

import (
	"errors"
	"regexp"
	"strings"
)

// Why the service refused, as far as its words are recognised. Their wording
// is illustrative in the interface, so the match is loose.
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

// reasons are tried in order. The words are looked for in a text of lower-case
// words with single spaces. They are loose about wording but not about the
// subject: an inner failure such as "duplicate entry for key" or "deadline
// exceeded" says nothing about the order.
var reasons = []struct {
	kind  error
	words *regexp.Regexp
}{
	{ErrDuplicate, regexp.MustCompile(`\bnot\b.*\bpost\b.*\bduplicat|\bduplicated? (messages?|images?|posts?|contents?|references?)\b|\b(messages?|images?) (was |were |is |are |has |have )?(already|duplicat)`)},
	{ErrInsufficientBalance, regexp.MustCompile(`\b(insufficient|not enough|too few)\b.*\b(balance|credits?|funds?)\b|\b(balance|credits?|funds?)\b.*\b(insufficient|not enough|too low)\b`)},
	{ErrInaccessibleFile, regexp.MustCompile(`\b(files?|images?|photos?|pictures?|urls?)\b.*\b((not|in|un) ?accessible|can ?not be (accessed|fetched|downloaded))\b|\b(can ?not|could not|unable to|failed to) (access|fetch|download)\b.*\b(files?|images?|photos?|pictures?|urls?)\b|\binaccessible (files?|images?|photos?|pictures?|urls?)\b`)},
	{ErrDeadlinePassed, regexp.MustCompile(`\bdeadline\b.*\b(passed|over|expired|missed)\b|\b(passed|missed)\b.*\bdeadline\b|\bcancel\w*\b.*\b(window|period|time)\b.*\b(passed|over|expired|closed)\b`)},
	{ErrInvalidStatus, regexp.MustCompile(`\b(invalid|wrong|incorrect) (order )?status\b|\border( s)? status\b.*\b(invalid|wrong|incorrect|not)\b|\border\b.*\bnot (in|under)\b.*\b(status|review)`)},
	{ErrImageNotFound, regexp.MustCompile(`\bimages?( ids?)?\b.*\b(not found|not exist)\b|\b(no such|unknown) image\b|\binvalid image ids?\b`)},
	{ErrInvalidOrder, regexp.MustCompile(`\b(invalid|unknown|wrong|incorrect) order (id|number)\b|\b(invalid|unknown|no such) order$|\border( id| number)?\b.*\b(not found|not exist|invalid|unknown)\b`)},
}

var (
	address  = regexp.MustCompile(`(?i)\bhttps?:\S+`)
	notWords = regexp.MustCompile(`[^\pL\pN]+`)
)

// Reason is the kind of one message of the service, nil when it is not
// recognised. What is quoted after the first colon counts only when the words
// before it say nothing: it may hold anything, such as a file's name.
func Reason(message string) error {
	message = address.ReplaceAllString(message, " url ")
	head, _, _ := strings.Cut(message, ":")
	if kind := reasonIn(head); kind != nil {
		return kind
	}
	return reasonIn(message)
}

func reasonIn(text string) error {
	text = strings.TrimSpace(notWords.ReplaceAllString(strings.ToLower(text), " "))
	for _, r := range reasons {
		if r.words.MatchString(text) {
			return r.kind
		}
	}
	return nil
}

// known reports whether there are messages and every one is a reason we know.
func known(messages []string) bool {
	for _, message := range messages {
		if Reason(message) == nil {
			return false
		}
	}
	return len(messages) > 0
}
