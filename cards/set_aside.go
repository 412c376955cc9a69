package cards

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"darkroom/store"

	"github.com/slack-go/slack"
)

// Letter is a job that was set aside because it cannot succeed, as an operator sees it. What somebody
// typed is no part of it: `darkroom jobs show` has that, for who runs the app.
type Letter struct {
	ID, Ref string
	Does    string         // what it was doing, as in "placing an order"
	Order   *store.Tracked // about which; nil: about none, or about one that its reader may not see
	By      string         // who asked for it; "" = nobody
	At      time.Time      // when it was set aside
	Why     string         // as it was written: somebody else's words may be in it
}

// Verdict is what an operator decides about a [Letter].
type Verdict string

// The verdicts.
const (
	BackAgain Verdict = "back"
	Dropped   Verdict = "drop"
)

// Decided is what became of a letter that somebody decided about. The zero value is none.
type Decided struct {
	Ref     string  `json:"ref,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	By      string  `json:"by,omitempty"`   // "" = nobody that we know of
	Late    bool    `json:"late,omitempty"` // somebody else was faster
}

// SetAside is a page of letters, the newest first.
type SetAside struct {
	Letters     []Letter
	Total       int
	Page, Pages int // the first page is 0
	Said        Decided
}

// DecideLetters is what only operators may do with letters; DecidingLetters is the doing of it.
const (
	DecideLetters   = "put back or drop a job that was set aside"
	DecidingLetters = "putting back or dropping a job that was set aside"
)

// LetterValue is what the buttons of a letter carry.
func LetterValue(l Letter) string { return strconv.FormatInt(l.At.UnixMilli(), 10) + " " + l.ID }

// ParseLetterValue reads it back: the job's id, and when it was set aside in Unix milliseconds.
func ParseLetterValue(value string) (id string, died int64, ok bool) {
	at, id, _ := strings.Cut(value, " ")
	died, err := strconv.ParseInt(at, 10, 64)
	return id, died, err == nil && id != ""
}

// homeAside leads operators to the jobs that were set aside, when there are any.
func (p *builder) homeAside(jobs int) {
	if jobs == 0 {
		return
	}
	p.put(slack.NewSectionBlock(mrkdwn(warning+"*"+count(jobs, "job", "jobs")+"* could not be done and "+plural(jobs, "is", "are")+" set aside, with everything in "+plural(jobs, "it", "them")+"."), nil,
		slack.NewAccessory(press("Look at "+plural(jobs, "it", "them"), ActionAsidePage+"open", "0"))))
}

// setAside is the page of letters.
func (p *builder) setAside(s SetAside) {
	p.put(slack.NewHeaderBlock(plainText("Jobs that were set aside")))
	p.buttons(press("Back to the orders", ActionHomePage+"front", "0"))
	if s.Said != (Decided{}) {
		p.row(s.Said.words())
	}
	if s.Total == 0 {
		p.row("No job is set aside: everything that was asked for is done or under way.")
		return
	}
	p.row("These could not be done. Whoever asked for one is told, with its reference. *Put back* does it again: it looks before it sends, so nothing is done twice. *Drop* forgets it.")
	if s.Pages > 1 {
		p.row(count(s.Total, "job", "jobs") + " · page " + strconv.Itoa(s.Page+1) + " of " + strconv.Itoa(s.Pages))
	}
	for _, l := range s.Letters {
		p.letter(l)
	}
	if s.Pages > 1 {
		p.paging(ActionAsidePage, onlyIf(s.Page > 0, strconv.Itoa(s.Page-1)), onlyIf(s.Page < s.Pages-1, strconv.Itoa(s.Page+1)))
	}
	p.note("The reasons are as the program wrote them. What somebody typed is not shown here: `darkroom jobs show` has it.")
}

// maxReason is how much of a reason is shown.
const maxReason = 300

// address is one in a reason: it may let in whoever reads it, as a photo's signed one does.
var address = regexp.MustCompile(`https?://[^\s"'<>|]+`)

// why is the reason of a letter, in one line.
func (l Letter) why() string {
	return orElse(inline(oneLine(address.ReplaceAllString(l.Why, "(address)")), maxReason), "no reason was given")
}

// letter is one of them, with what can be done about it.
func (p *builder) letter(l Letter) {
	about := ""
	if l.Order != nil {
		about = project(*l.Order)
	}
	p.put(slack.NewDividerBlock())
	p.row("`" + code(l.Ref) + "` *" + inline(capital(l.Does), 150) + "*" + led("\n", dots(about, led("asked for by ", mentionKnown(l.By)), "since "+when(l.At))) +
		"\nWhy: " + l.why())
	value := LetterValue(l)
	if units(value) > maxValue {
		p.note("Its id is too long for a button: `darkroom jobs retry` and `darkroom jobs drop` take its reference.")
		return
	}
	back := press("Put back", ActionPutBack, value)
	back.AccessibilityLabel = plain("Put back "+l.Ref, maxAccessible)
	drop := press("Drop", ActionDrop, value).WithStyle(slack.StyleDanger).WithConfirm(sureToDrop(l))
	drop.AccessibilityLabel = plain("Drop "+l.Ref, maxAccessible)
	p.buttons(back, drop)
}

// sureToDrop asks before a letter is dropped.
func sureToDrop(l Letter) *slack.ConfirmationBlockObject {
	confirm := slack.NewConfirmationBlockObject(plainText("Drop this job?"),
		plainText(plain(l.Ref+" is forgotten for good, with what was typed for it. Nobody is told.", 300)), plainText("Drop it"), plainText("Keep it"))
	return confirm.WithStyle(slack.StyleDanger)
}

// words say what became of a letter.
func (d Decided) words() string {
	name, done := "`"+code(d.Ref)+"`", "put it back, and it is being done again"
	if d.Verdict == Dropped {
		done = "dropped it for good"
	}
	switch {
	case d.By == "":
		return name + " is not set aside any more: somebody decided about it with `darkroom jobs`, or its time was over (`RETENTION`). Nothing was changed."
	case d.Late:
		return name + " was decided before you: " + mention(d.By) + " " + done + "."
	case d.Verdict == Dropped:
		return name + " is dropped: it is forgotten for good."
	}
	return name + " is put back, and is being done again. Should it fail again, it comes back here."
}

func mentionKnown(user string) string {
	if user == "" {
		return ""
	}
	return mention(user)
}
