package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/time/rate"

	"darkroom/order"
	"darkroom/upstream"
)

const (
	clockOff  = time.Minute // a difference from which on signatures may be refused
	clockNear = 5 * time.Second
	slowReply = 3 * time.Second // a service whose typical answer takes longer is slow
)

// service finds out how the photo service wants to be spoken to.
func (d *doctor) service(ctx context.Context) []check {
	if lacking := d.lacking("UPSTREAM_URL", "UPSTREAM_API_KEY", "UPSTREAM_API_SECRET", "UPSTREAM_PARAMS", "UPSTREAM_SIGNATURE", "UPSTREAM_SIGNATURE_NUMBERS", "UPSTREAM_BASIC_AUTH", "UPSTREAM_RATE"); len(lacking) > 0 {
		return notChecked("address", "The photo service", lacking)
	}
	how := serviceConfig(d.cfg, d.limiter())
	how.Timeout = d.wait.service
	found, err := upstream.Discover(ctx, how)
	checks := []check{serviceAddress(found, err)}
	if found.Dated {
		checks = append(checks, clockCheck(found.Clock))
	}
	if found.Reads != upstream.ReadsUnknown {
		checks = append(checks, signatureCheck(found))
	}
	if found.Reads == upstream.ReadsWork || found.Reads == upstream.ReadsAlike {
		checks = append(checks, parametersCheck(found, err), balanceCheck(found, d.cfg.LowCredits))
	}
	if found.Requests > 0 {
		checks = append(checks, rateCheck(found, d.cfg.UpstreamRate))
	}
	if found.Reads == upstream.ReadsUnknown {
		checks = append(checks, check{
			Name: "everything else", State: yellow, Says: "How requests are signed, where parameters travel and the balance could not be looked at: the service gave no clear answer.",
		})
	}
	return checks
}

// limiter keeps the pace of the service together with the app that runs beside it.
func (d *doctor) limiter() upstream.Limiter {
	if d.store == nil {
		return rate.NewLimiter(rate.Limit(d.cfg.UpstreamRate), d.cfg.UpstreamRate)
	}
	return d.store.Rate(d.cfg.UpstreamRate).People()
}

// serviceAddress says whether an order service was reached.
func serviceAddress(found upstream.Findings, err error) check {
	c := check{Name: "address", State: red}
	why := reasonOf(err)
	switch {
	case errors.Is(err, upstream.ErrMadeUpOrder):
		c.Says = "The service reports success for an order that was made up: nothing more was tried. Which orders exist cannot be told from its answers."
		c.Fix = "Ask the service's operator what UPSTREAM_URL should be: this may be a test system."
	case errors.Is(err, upstream.ErrInFront):
		c.Says = "Something in front of the service refuses (" + why + ", no answer in the service's form): whether key and secret are right could not be seen."
		c.Fix = "Ask whoever runs the firewall or proxy there to let this machine through, and look at UPSTREAM_URL."
	case statusOf(err)/100 == 3:
		c.Says = fmt.Sprintf("UPSTREAM_URL redirects (HTTP status %d): signed requests are sent nowhere else.", statusOf(err))
		c.Fix = "Set UPSTREAM_URL to where it leads."
	case errors.Is(err, upstream.ErrNotOurService):
		c.Says = "What answers at UPSTREAM_URL is not the order service (" + why + ")."
		c.Fix = "Set UPSTREAM_URL to the service's base address, up to its version, without an operation."
	case errors.Is(err, order.ErrRateLimited):
		c.State, c.Says = yellow, "The service turned doctor away for coming too often: not all could be looked at."
		c.Fix = "Try again in some minutes, or lower UPSTREAM_RATE."
	case err != nil && found.Requests > 0:
		c.Says, c.Fix = "The service is in trouble ("+why+"): orders wait until it is well.", "Ask the service's operator; run doctor again later."
	case err != nil:
		c.Says, c.Fix = "The service does not answer ("+why+").", "Look at UPSTREAM_URL, at this machine's network, and whether the service is up."
	default:
		c.State, c.Says = green, "The order service answers."
	}
	return c
}

// statusOf is the HTTP status of the answer that an error is about; 0: there was none.
func statusOf(err error) int {
	if e, ok := errors.AsType[*order.Error](err); ok {
		return e.Status
	}
	return 0
}

// reasonOf is why a request failed, without what it was.
func reasonOf(err error) string {
	if errors.Is(err, upstream.ErrMadeUpOrder) {
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
		parts = append(parts, e.Cause.Error())
	}
	parts = append(parts, e.Messages...)
	if len(parts) == 0 {
		parts = append(parts, e.Problem)
	}
	return strings.Join(parts, "; ")
}

// clockCheck compares this machine's clock with the service's; Date tells whole seconds.
func clockCheck(ahead time.Duration) check {
	side := "ahead of"
	if ahead < 0 {
		side = "behind"
	}
	c := check{Name: "clock", State: green, Says: "This machine's clock and the service's agree."}
	if off := ahead.Abs().Round(time.Second); off > clockNear {
		c.Says = fmt.Sprintf("This machine's clock is %s %s the service's.", off, side)
		c.State, c.Fix = yellow, "Set this machine's clock (NTP): Slack's requests are refused from five minutes on."
		if off > clockOff {
			c.State, c.Says = red, c.Says+" Requests are signed with their time, and the service may refuse them."
		}
	}
	return c
}

// settings are the lines of the environment that differ.
func settings(from, to upstream.Way) []string {
	var lines []string
	line := func(name, is, should string) {
		if is != should {
			lines = append(lines, name+"="+should)
		}
	}
	line("UPSTREAM_SIGNATURE", from.Signature, to.Signature)
	line("UPSTREAM_SIGNATURE_NUMBERS", from.Numbers, to.Numbers)
	line("UPSTREAM_PARAMS", from.Params, to.Params)
	line("UPSTREAM_BASIC_AUTH", strconv.FormatBool(from.BasicAuth), strconv.FormatBool(to.BasicAuth))
	return lines
}

// signatureCheck says whether requests are signed as the service wants it.
func signatureCheck(found upstream.Findings) check {
	c := check{Name: "signature", State: red}
	reading := found.Found
	reading.Params = found.Configured.Params
	switch {
	case found.Reads == upstream.ReadsRefused:
		c.Says = "The service refuses this key and secret, however requests are signed" + quoted(found.Words) + "."
		c.Fix = "Copy UPSTREAM_API_KEY and UPSTREAM_API_SECRET again from the service's account settings."
	case !reading.Same(found.Configured):
		c.Says = "The service does not take requests as they are signed now; it takes them so:"
		c.Fix, c.Settings = "Set these, and restart:", settings(found.Configured, reading)
	case found.Reads == upstream.ReadsAlike:
		c.State, c.Says = yellow, "The service takes the key and the secret, but refuses the keywords that would tell the dialects apart"+quoted(found.List)+"."
	default:
		c.State, c.Says = green, fmt.Sprintf("The service takes requests as they are signed (%s, numbers as %s).", found.Found.Signature, found.Found.Numbers)
	}
	return c
}

// quoted are the service's own words, behind a sentence.
func quoted(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return ": “" + strings.TrimSuffix(strings.Join(words, "; "), ".") + "”"
}

// parametersCheck says whether the parameters of writes travel where the service reads them.
func parametersCheck(found upstream.Findings, err error) check {
	c := check{Name: "parameters", State: red}
	switch {
	case found.Writes == upstream.WritesRefused:
		c.Says = "The service reads the parameters of a POST nowhere that we can put them" + quoted(found.Words) + ": orders could be looked at, but not placed."
		c.Fix = "Ask the service's operator where the parameters of POST and DELETE requests travel, and how they are signed."
	case found.Writes == upstream.WritesUntold:
		c.State, c.Says = yellow, "Where the parameters of POST and DELETE travel cannot be told: the service answers the same without a signature."
		c.Fix = "The first order will tell; UPSTREAM_PARAMS and UPSTREAM_SIGNATURE_NUMBERS are what to change."
	case found.Writes == upstream.WritesUnasked:
		c.State, c.Says = yellow, "Where the parameters of POST and DELETE travel could not be looked at: the service did not say that an order which was made up does not exist, so nothing was sent to change it"+quoted(found.Words)+"."
		c.Fix = "Set UPSTREAM_PARAMS as the service's documentation says. The first order will tell."
	case found.Writes == upstream.WritesUnknown:
		c.State, c.Says = yellow, "Where the parameters of POST and DELETE travel could not be looked at ("+reasonOf(err)+")."
	case !found.Found.Same(found.Configured) && (found.Found.Params != found.Configured.Params || found.Found.Numbers == "sent"): // else the signature's check says it
		c.Says = "The service does not read the parameters of POST and DELETE as they are sent now; it reads them so:"
		c.Fix, c.Settings = "Set these, and restart:", settings(found.Configured, found.Found)
	case found.Writes == upstream.WritesNoDelete:
		c.State, c.Says = yellow, "The service reads the parameters of a POST, but those of a DELETE nowhere: orders can be placed and not canceled."
		c.Fix = "A proxy may take the body off DELETE requests: ask the service's operator."
	default:
		c.State, c.Says = green, fmt.Sprintf("The service reads the parameters of POST and DELETE where they are sent (%s).", found.Found.Params)
	}
	return c
}

// balanceCheck compares the credits with LOW_CREDITS.
func balanceCheck(found upstream.Findings, lowest string) check {
	credits := found.Credits.Decimal
	c := check{Name: "balance", State: green, Says: "The account has " + credits.String() + " credits."}
	low, err := decimal.NewFromString(lowest)
	switch {
	case credits.Sign() <= 0:
		c.State, c.Says, c.Fix = yellow, "The account has no credits: no order can be placed.", "Buy credits at the service."
	case err == nil && credits.LessThan(low):
		c.State, c.Fix = yellow, "Buy credits at the service."
		c.Says = fmt.Sprintf("The account has %s credits, fewer than LOW_CREDITS (%s).", credits, low)
	}
	return c
}

// rateCheck says how fast the service answers and whether it minded.
func rateCheck(found upstream.Findings, allowed int) check {
	took := found.Typical.Round(time.Millisecond)
	c := check{Name: "rate", State: green, Says: fmt.Sprintf("%d requests were answered, typically in %s, none refused for coming too often; UPSTREAM_RATE allows %d a second.", found.Requests, took, allowed)}
	if found.Requests == 1 {
		c.Says = fmt.Sprintf("One request was answered, in %s, and not refused for coming too often; UPSTREAM_RATE allows %d a second.", took, allowed)
	}
	switch {
	case found.TooMany > 0:
		c.State, c.Fix = yellow, "Lower UPSTREAM_RATE, and let nobody else use this key."
		c.Says = fmt.Sprintf("The service turned %d of %d requests away for coming too often, although no more than %d a second went out (UPSTREAM_RATE).", found.TooMany, found.Requests, allowed)
	case found.Typical > slowReply && found.Requests == 1:
		c.State, c.Says = yellow, fmt.Sprintf("The service is slow: it took %s to answer one request.", took)
	case found.Typical > slowReply:
		c.State, c.Says = yellow, fmt.Sprintf("The service is slow: half of %d requests took longer than %s.", found.Requests, took)
	}
	return c
}
