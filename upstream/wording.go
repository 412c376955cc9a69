package upstream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"darkroom/order"
)

// Wording phrases the results of [Discover] for people who can change the configuration. The sentences are the
// same for an operator, who sets variables, and for an admin, who fills in a form.
type Wording struct {
	URL, Key, Secret string // names of these settings
	Asker            string // the program that called the service: "doctor"
	Here             string // its location: "this machine"
	Again            string // the next step after the service recovers: "run doctor again later"
	TooOften         string // the next step after a rate limit
	Settings         string // the settings for the place of parameters; "": there are no such settings
	Outside          bool   // hide details of the network that the app runs in
}

// Advice is a finding and its fix; either may be "".
type Advice struct{ Message, Fix string }

func (w Wording) said(says, fix string) Advice {
	r := strings.NewReplacer("{url}", w.URL, "{key}", w.Key, "{secret}", w.Secret, "{asker}", w.Asker, "{here}", w.Here, "{again}", w.Again)
	return Advice{r.Replace(says), r.Replace(fix)}
}

// Reached says whether an order service was reached; err is the error of [Discover].
func (w Wording) Reached(found Findings, err error) Advice {
	why := w.reason(err)
	var says, fix string
	switch {
	case err == nil:
		return Advice{Message: "The photo service answers."}
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

// with inserts text of others into a sentence unchanged.
func (w Wording) with(why, says, fix string) Advice {
	said := w.said(says, fix)
	said.Message = fmt.Sprintf(said.Message, why)
	return said
}

// Refused says that the service accepted no way of signing with this key and secret.
func (w Wording) Refused(found Findings) Advice {
	said := w.said("", "Copy {key} and {secret} again from the service's account settings.")
	said.Message = "The service refuses this key and secret, however requests are signed" + quoted(found.Words) + "."
	return said
}

// Alike says that several ways of signing work and cannot be told apart.
func (w Wording) Alike(found Findings) Advice {
	return Advice{Message: "The service takes the key and the secret, but refuses the keywords that would tell the dialects apart" + quoted(found.List) + "."}
}

// Writes says what is wrong or unknown about the place of write parameters; the zero Advice if writes of any
// length work.
func (w Wording) Writes(found Findings, err error) Advice {
	first := "The first order will tell"
	switch found.Writes {
	case WritesRefused:
		return Advice{
			"The service reads the parameters of a POST nowhere that we can put them" + quoted(found.Words) + ": orders could be looked at, but not placed.",
			"Ask the service's operator where the parameters of POST and DELETE requests travel, and how they are signed.",
		}
	case WritesUntold:
		fix := first + "."
		if w.Settings != "" {
			fix = first + "; " + w.Settings + " are what to change."
		}
		return Advice{"Where the parameters of POST and DELETE travel cannot be told: the service answers the same without a signature.", fix}
	case WritesUnasked:
		return Advice{"Where the parameters of POST and DELETE travel could not be looked at: the service did not say that an order which was made up does not exist, so nothing was sent to change it" + quoted(found.Words) + ".", first + "."}
	case WritesUnknown:
		return Advice{Message: "Where the parameters of POST and DELETE travel could not be looked at (" + w.reason(err) + ")."}
	case WritesNoDelete:
		return Advice{
			"The service reads the parameters of a POST, but those of a DELETE nowhere: orders can be placed and not canceled.",
			"A proxy may take the body off DELETE requests: ask the service's operator.",
		}
	case WritesWork:
		return tooLong(found)
	}
	return Advice{}
}

// tooLong says why long writes fail; the zero Advice if they work.
func tooLong(found Findings) Advice {
	switch {
	case found.Long:
		return Advice{}
	case found.Found.Params == inQueryOnly:
		return Advice{
			fmt.Sprintf("The service reads the parameters of a POST in its address alone, which has room for %d bytes: it takes no order of many photos with long addresses, and no long text.", maxURL),
			"Ask the service's operator whether it can read a form body, too.",
		}
	}
	return Advice{
		fmt.Sprintf("The service does not read a POST of more than %d bytes: an order of many photos, or a long text, may be refused.", maxURL),
		"Ask the service's operator how long the body of a request may be.",
	}
}

// statusOf returns the HTTP status of an error's answer; 0 without an answer.
func statusOf(err error) int {
	if e, ok := errors.AsType[*order.Error](err); ok {
		return e.Status
	}
	return 0
}

// reason returns why a request failed, without naming the operation.
func (w Wording) reason(err error) string {
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
	switch {
	case e.Cause != nil && w.Outside:
		parts = append(parts, causeOutside(e.Cause))
	case e.Cause != nil:
		parts = append(parts, e.Cause.Error())
	}
	parts = append(parts, e.Messages...)
	if len(parts) == 0 {
		parts = append(parts, e.Problem)
	}
	return strings.Join(parts, "; ")
}

// causeOutside returns a cause in fixed words. Its own text may contain an internal address.
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

// quoted returns the service's own words in quotation marks, to end a sentence.
func quoted(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return ": “" + strings.TrimSuffix(strings.Join(words, "; "), ".") + "”"
}
