package cards

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"darkroom/order"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Slack's limits, in characters: docs.slack.dev/reference/block-kit. We count
// UTF-16 units, the larger of the two ways to count.
const (
	maxSection    = 3000
	maxField      = 2000
	maxInput      = 3000
	maxLabel      = 2000
	maxAlt        = 2000
	maxURL        = 3000
	maxValue      = 2000
	maxTitle      = 24
	maxHeader     = 150
	maxAccessible = 75 // the label of a button for screen readers
	maxID         = 255
	maxMetadata   = 3000
	maxOptionText = 75
	maxFallback   = 4000 // bytes: chat.postEphemeral counts bytes, chat.update characters
	maxMessage    = 12000
	maxBlocks     = 50

	maxModal       = 90_000 // bytes: a view has at most 250 kB of JSON, which may double what is written
	maxModalBlocks = 100
)

const (
	ellipsis  = "…"
	zeroWidth = "\u200b" // parts what would be an emoji, a quotation or a mention
	isolate   = "\u2068" // right-to-left words must not reorder ours
	pop       = "\u2069"
)

// Escape makes words that somebody typed safe inside a message: they read as
// typed, and can neither mention, link, format, quote nor become an emoji.
func Escape(s string) string { return escape(s, -1) }

// escape is Escape cut to limit characters (none when negative), ellipsis
// included, never inside an entity.
func escape(s string, limit int) string {
	return build(apart(s), limit, func(prev, r, next rune) string {
		switch r {
		case '&':
			return "&amp;"
		case '<':
			return "&lt;"
		case '>':
			if prev == 0 || prev == '\n' {
				return zeroWidth + "&gt;" // a line that begins with it is a quotation
			}
			return "&gt;"
		case '*', '_', '~', '`':
			if isWordRune(prev) && isWordRune(next) {
				return string(r)
			}
			return onlySaid(r)
		}
		return string(r)
	})
}

// onlySaid is a sign that would format, as what a date says that Slack cannot read: that is text and
// nothing else. There is no other way to write it; a zero-width space beside it counts as the edge of a
// word, which lets it format (github.com/yhatt/jsx-slack, docs/about-escape-and-exact-mode.md).
func onlySaid(r rune) string { return unreadDate + string(r) + ">" }

const unreadDate = "<!date^00000000^{_}|"

// lookAlikes stand for those signs where there is no room for such dates; inLabel where Slack takes
// none, in the label of a link.
var (
	lookAlikes = strings.NewReplacer("*", "∗", "_", "ˍ", "~", "∼", "`", "ˋ")
	inLabel    = strings.NewReplacer(onlySaid('*'), "∗", onlySaid('_'), "ˍ", onlySaid('~'), "∼", onlySaid('`'), "ˋ")
)

// copied turns what stands for other signs on the screen back into them.
var copied = strings.NewReplacer(zeroWidth, "", "∗", "*", "ˍ", "_", "∼", "~", "ˋ", "`")

// Copied is how words were written that somebody copied from what was shown: where [Escape] had to part or
// replace a sign they read otherwise.
func Copied(s string) string { return copied.Replace(s) }

// plain is the twin of escape for plain_text, where Slack reads no markup. A
// zero-width space still parts what would be a mention elsewhere.
func plain(s string, limit int) string {
	return build(apart(s), limit, func(_, r, next rune) string {
		if r == '<' && strings.ContainsRune("!@#", next) {
			return "<" + zeroWidth
		}
		return string(r)
	})
}

// emojiName is what Slack draws as an emoji, in plain_text too, when it knows the name.
var emojiName = regexp.MustCompile(`^:[\p{L}\p{N}_+'-]+:`)

// apart parts the colon of what looks like an emoji's name from the name: ":smile:" is read as typed.
func apart(s string) string {
	if strings.Count(s, ":") < 2 {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if !shown(r) {
			return -1
		}
		return r
	}, s)
	var out strings.Builder
	for i, r := range s {
		out.WriteRune(r)
		if r == ':' && emojiName.MatchString(s[i:]) {
			out.WriteString(zeroWidth)
		}
	}
	return out.String()
}

// clip cuts words that stay as they are: what a person typed, in its own input.
func clip(s string, limit int) string {
	return build(s, limit, func(_, r, _ rune) string { return string(r) })
}

// build writes s piece by piece and stops where the ellipsis still fits.
func build(s string, limit int, piece func(prev, r, next rune) string) string {
	var out strings.Builder
	fits, size := 0, 0 // where to cut, and characters so far
	var prev rune
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if !shown(r) {
			continue
		}
		p := piece(prev, r, next)
		prev = r
		if limit >= 0 && size+units(p) > limit {
			return out.String()[:fits] + ellipsis
		}
		out.WriteString(p)
		if size += units(p); size < limit {
			fits = out.Len()
		}
	}
	return out.String()
}

// shown drops control characters and those that would turn our own words round.
func shown(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return false
	}
	return !unicode.IsControl(r)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// units counts as JavaScript does.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// inline is escaped text for the middle of a line of ours.
func inline(s string, limit int) string {
	s = oneLine(s)
	if strings.ContainsFunc(s, rightToLeft) {
		return isolate + escape(s, limit) + pop
	}
	return escape(s, limit)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstRightToLeft begins the first of the blocks that are written so; what most text is made of comes before it.
const firstRightToLeft = 0x0590

func rightToLeft(r rune) bool {
	return r >= firstRightToLeft && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// cut shortens text of ours, already safe, to limit bytes: never inside a
// character, an entity or a link.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	head := s[:end]
	if i := strings.LastIndexByte(head, '<'); i > strings.LastIndexByte(head, '>') {
		head = head[:i]
	}
	if i := strings.LastIndexByte(head, '&'); i > strings.LastIndexByte(head, ';') {
		head = head[:i]
	}
	return head + ellipsis
}

func mrkdwn(safe string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, safe, false, true)
}

func plainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, true, false)
}

// isUser and isChannel know the shape of Slack's ids: only such a thing may
// stand between < and >.
var (
	isUser    = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`).MatchString
	isChannel = regexp.MustCompile(`^[CG][A-Z0-9]{1,30}$`).MatchString
)

func mention(user string) string {
	if isUser(user) {
		return "<@" + user + ">"
	}
	return inline(user, 80)
}

// begun is who did something, at the beginning of a sentence.
func begun(user string) string {
	if user == order.FormerPerson {
		return capital(user)
	}
	return mention(user)
}

// called is the mention of somebody who is to look; "" of nobody, and of one who left.
func called(user string) string { return onlyIf(isUser(user), mention(user)) }

func channelLink(channel string) string {
	if isChannel(channel) {
		return "<#" + channel + ">"
	}
	if channel == "" {
		return "the channel"
	}
	return inline(channel, 80)
}

// by names who did it; nobody we know means it was done elsewhere.
func by(actor string) string {
	if actor == "" {
		return "elsewhere"
	}
	return "by " + mention(actor)
}

// when is a date that every reader sees in their own time zone.
func when(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{date_short_pretty} at {time}|" +
		t.UTC().Format("2 Jan 2006 15:04") + " UTC>"
}

// whenKnown is "" for the zero time.
func whenKnown(t time.Time) string { return onlyIf(!t.IsZero(), when(t)) }

// clock is only the time of such a date, for one a few minutes from now.
func clock(t time.Time) string {
	return "<!date^" + strconv.FormatInt(t.Unix(), 10) + "^{time}|" + t.UTC().Format("15:04") + " UTC>"
}

// link is a link to an address somebody else gave; only the label when it is none.
func link(address, label string) string {
	safe := strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C").Replace(address)
	if !isWeb(address) || units(safe) > maxURL {
		return label
	}
	return "<" + safe + "|" + strings.ReplaceAll(inLabel.Replace(label), "|", "¦") + ">"
}

func isWeb(address string) bool { return order.WebAddress(address) }

// each is what becomes of every one of a list, nil of none; place is where it stands, from 0.
func each[E, T any](list []E, becomes func(place int, one E) T) []T {
	var all []T
	for i, one := range list {
		all = append(all, becomes(i, one))
	}
	return all
}

// dots joins what is known of something: "Paused · 3 images · 12 credits".
func dots(parts ...string) string { return joined(" · ", parts...) }

// joined leaves out what is "".
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// onlyIf is words that are said only when something is so, else "": which is left out wherever
// words are put together.
func onlyIf(so bool, words string) string {
	if so {
		return words
	}
	return ""
}

// led puts words of ours in front of a value, unless that is "".
func led(words, value string) string { return onlyIf(value != "", words+value) }

func count(n int, one, many string) string { return strconv.Itoa(n) + " " + plural(n, one, many) }

// plural is the word for so many.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func credits(d decimal.Decimal) string {
	shown := amount(d)
	if shown == "1" {
		return "1 credit"
	}
	return shown + " credits"
}

// amount is a credit figure as people write money: to the hundredth, unless that makes nothing of something. It is
// short even when it is absurd.
func amount(d decimal.Decimal) string {
	if e := d.Exponent(); e > 30 || e < -30 || d.NumDigits() > 40 {
		return "very many"
	}
	d = order.Credits(d)
	if cents := d.Round(2); d.IsZero() || !cents.IsZero() {
		d = cents
	}
	return d.String()
}

// Credits is a credit figure as people read it, for a form that shows it.
func Credits(d decimal.Decimal) string { return amount(d) }

// statusWords is an order's status as people say it; a status we do not know
// is shown as the service wrote it.
func statusWords(s order.Status) string {
	if words := knownStatus(s); words != "" {
		return words
	}
	return inline(string(s), 80)
}

// knownStatus is "" for a status we do not know.
func knownStatus(s order.Status) string {
	return map[order.Status]string{
		order.StatusEditing:   "Being edited",
		order.StatusRevising:  "Changes being made",
		order.StatusPaused:    "Paused by the service",
		order.StatusReviewing: "Ready for review",
		order.StatusClosed:    "Approved",
		order.StatusCanceled:  "Canceled",
		"":                    "Not known yet",
	}[s]
}
