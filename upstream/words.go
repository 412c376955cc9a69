package upstream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"darkroom/order"
)

// Words say what [Discover] found, to somebody who may change what was configured: what they call its
// parts. The sentences are the same for an operator, who sets variables, and for an admin, who fills in a form.
type Words struct {
	URL, Key, Secret string // what they are called
	Asker            string // who asked the service: "doctor"
	Here             string // from where: "this machine"
	Again            string // what to do once a service is well again: "run doctor again later"
	TooOften         string // what to do about a service that was asked too often
	Settings         string // what to change when the first order shows that parameters travel otherwise; "": nobody sets that
	Outside          bool   // they do not run the app: nothing of the network that it runs in is said
}

// Said is what was found, and what to do about it; either may be "".
type Said struct{ Says, Fix string }

func (w Words) said(says, fix string) Said {
	r := strings.NewReplacer("{url}", w.URL, "{key}", w.Key, "{secret}", w.Secret, "{asker}", w.Asker, "{here}", w.Here, "{again}", w.Again)
	return Said{r.Replace(says), r.Replace(fix)}
}

// Reached says whether an order service was reached; err is what [Discover] returned.
func (w Words) Reached(found Findings, err error) Said {
	why := w.reason(err)
	var says, fix string
	switch {
	case err == nil:
		return Said{Says: "The photo service answers."}
	case errors.Is(err, ErrMadeUpOrder):
		says = "The service reports success for an order that was made up: nothing more was tried. Which orders exist cannot be told from its answers."
		fix = "Ask the service's operator what {url} should be: this may be a test system."
	case errors.Is(err, ErrInFront):
		return w.with(why, "Something in front of the service refuses (%s, no answer in the service's form): whether key and secret are right could not be seen.",
			"Ask whoever runs the firewall or proxy there to let {here} through, and look at {url}.")
	case statusOf(err)/100 == 3:
		says = fmt.Sprintf("{url} redirects (HTTP status %d): signed requests are sent nowhere else.", statusOf(err))
		fix = "Set {url} to where it leads."
	case errors.Is(err, ErrNotOurService):
		return w.with(why, "What answers at {url} is not the photo service (%s).", "Set {url} to the service's base address, up to its version, without an operation.")
	case errors.Is(err, order.ErrRateLimited):
		says, fix = "The service turned {asker} away for coming too often: not all could be looked at.", w.TooOften
	case found.Requests > 0:
		return w.with(why, "The service is in trouble (%s): orders wait until it is well.", "Ask the service's operator; {again}.")
	default:
		return w.with(why, "The service does not answer (%s).", "Look at {url}, at {here}'s network, and whether the service is up.")
	}
	return w.said(says, fix)
}

// with puts what somebody else wrote into a sentence, as it is.
func (w Words) with(why, says, fix string) Said {
	said := w.said(says, fix)
	said.Says = fmt.Sprintf(said.Says, why)
	return said
}

// Refused says that no way of signing requests was taken with this key and secret.
func (w Words) Refused(found Findings) Said {
	said := w.said("", "Copy {key} and {secret} again from the service's account settings.")
	said.Says = "The service refuses this key and secret, however requests are signed" + Quoted(found.Words) + "."
	return said
}

// Alike says that several ways of signing work as far as could be seen.
func (w Words) Alike(found Findings) Said {
	return Said{Says: "The service takes the key and the secret, but refuses the keywords that would tell the dialects apart" + Quoted(found.List) + "."}
}

// Writes says what is wrong with, or not known of, where the parameters of writes travel; the zero Said when
// they do, at any length.
func (w Words) Writes(found Findings, err error) Said {
	first := "The first order will tell"
	switch found.Writes {
	case WritesRefused:
		return Said{
			"The service reads the parameters of a POST nowhere that we can put them" + Quoted(found.Words) + ": orders could be looked at, but not placed.",
			"Ask the service's operator where the parameters of POST and DELETE requests travel, and how they are signed.",
		}
	case WritesUntold:
		fix := first + "."
		if w.Settings != "" {
			fix = first + "; " + w.Settings + " are what to change."
		}
		return Said{"Where the parameters of POST and DELETE travel cannot be told: the service answers the same without a signature.", fix}
	case WritesUnasked:
		return Said{"Where the parameters of POST and DELETE travel could not be looked at: the service did not say that an order which was made up does not exist, so nothing was sent to change it" + Quoted(found.Words) + ".", first + "."}
	case WritesUnknown:
		return Said{Says: "Where the parameters of POST and DELETE travel could not be looked at (" + w.reason(err) + ")."}
	case WritesNoDelete:
		return Said{
			"The service reads the parameters of a POST, but those of a DELETE nowhere: orders can be placed and not canceled.",
			"A proxy may take the body off DELETE requests: ask the service's operator.",
		}
	case WritesWork:
		return tooLong(found)
	}
	return Said{}
}

// tooLong says what becomes of long writes; the zero Said when they are read like short ones.
func tooLong(found Findings) Said {
	switch {
	case found.Long:
		return Said{}
	case found.Found.Params == inQueryOnly:
		return Said{
			fmt.Sprintf("The service reads the parameters of a POST in its address alone, which has room for %d bytes: it takes no order of many photos with long addresses, and no long text.", maxURL),
			"Ask the service's operator whether it can read a form body, too.",
		}
	}
	return Said{
		fmt.Sprintf("The service does not read a POST of more than %d bytes: an order of many photos, or a long text, may be refused.", maxURL),
		"Ask the service's operator how long the body of a request may be.",
	}
}

// statusOf is the HTTP status of the answer that an error is about; 0: there was none.
func statusOf(err error) int {
	if e, ok := errors.AsType[*order.Error](err); ok {
		return e.Status
	}
	return 0
}

// reason is why a request failed, without what it was.
func (w Words) reason(err error) string {
	if w.Outside {
		return reasonOf(err, causeOutside)
	}
	return ReasonOf(err)
}

// causeOutside is a cause in fixed words: its own may have the address to which a name leads here.
func causeOutside(cause error) string {
	switch {
	case errors.Is(cause, ErrNoSuchHost):
		return "there is no such host name"
	case errors.Is(cause, errLate):
		return "no answer in time"
	case errors.Is(cause, errNoTLS):
		return "no encrypted connection: its certificate or its TLS was not accepted"
	case errors.Is(cause, syscall.ECONNREFUSED):
		return "the connection was refused"
	}
	return "the connection failed"
}

// ReasonOf is why a request failed, without what it was.
func ReasonOf(err error) string { return reasonOf(err, error.Error) }

func reasonOf(err error, says func(cause error) string) string {
	if errors.Is(err, ErrMadeUpOrder) {
		return "the service reports success for an order that was made up"
	}
	e, ok := errors.AsType[*order.Error](err)
	if !ok {
		return "its answers are not those of one"
	}
	var parts []string
	if e.Status != 0 {
		parts = append(parts, "HTTP status "+strconv.Itoa(e.Status))
	}
	if e.Cause != nil {
		parts = append(parts, says(e.Cause))
	}
	parts = append(parts, e.Messages...)
	if len(parts) == 0 {
		parts = append(parts, e.Problem)
	}
	return strings.Join(parts, "; ")
}

// Quoted are the service's own words, behind a sentence.
func Quoted(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return ": “" + strings.TrimSuffix(strings.Join(words, "; "), ".") + "”"
}
