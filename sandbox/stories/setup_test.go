package stories

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

// doctor is what `darkroom doctor` says in the app's environment, in one line, and whether nothing is red.
func (w *world) doctor() (says string, well bool) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), binary, "doctor")
	cmd.Env = slices.Concat(w.Environ(), []string{"REDIS_URL=" + w.redis, "PUBLIC_URL=" + w.app.url, "FILE_SIGNING_KEY=" + fileKey}, w.environ)
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.IsType(w.t, &exec.ExitError{}, err, "%s", out)
	}
	return strings.Join(strings.Fields(string(out)), " "), err == nil
}

// An app made from a manifest has its secret only then: Slack asks before anybody can answer, and sends
// no event until it was asked again.
func TestTheRequestURLIsVerifiedOnceTheAppRunsWithItsSecret(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery, o.Workspace.VerifyFirst = sandbox.OverHTTP, true })
	w.restart("SLACK_SIGNING_SECRET=that-of-another-app")
	for range 20 {
		require.False(t, w.Workspace.VerifyURL())
	}
	w.until("the log says why", func() bool { return strings.Contains(w.app.said(), "Slack cannot verify the request URL") })
	require.Equal(t, 1, strings.Count(w.app.said(), "press Retry at Event Subscriptions"), "once a minute")
	w.until("doctor says what to do", func() bool {
		says, well := w.doctor()
		return !well && strings.Contains(says, "Slack could not verify the request URL") && strings.Contains(says, "press Retry beside the request URL")
	})

	w.restart("SLACK_SIGNING_SECRET=8f742231b10e8888abcd99yyyzzz85a5")
	maria := w.person("maria")
	order := w.place(maria, "Before Retry") // commands have addresses of their own
	require.True(t, w.Workspace.VerifyURL(), "Retry")
	w.until("doctor is content", func() bool {
		says, well := w.doctor()
		return well && strings.Contains(says, "Slack verified the request URL")
	})
	w.deliver(maria, order.ID)
	maria.OpenHome()
	maria.SeesHome("Before Retry")
	w.until("events arrive", func() bool { says, _ := w.doctor(); return strings.Contains(says, "an event came last") })
}

// Whoever installs the app may leave files:write out. A preview that Slack cannot fetch stays a link, and
// everything else is as ever.
func TestWithoutTheOptionalPermissionPreviewsStayLinks(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) {
		o.Workspace.PublicImagesOnly = true
		o.Workspace.Scopes = without(t, "files:write")
	})
	require.Contains(t, w.app.said(), "an optional permission was not granted")
	maria := w.person("maria")
	order := w.place(maria, "Unoptional")
	w.deliver(maria, order.ID)
	maria.SeesInThread("Unoptional", "Ready for review")
	w.until("the app knows that it may not upload", func() bool { return strings.Contains(w.app.said(), "previews stay links") })
	require.NotRegexp(t, `(?m)^darkroom_slack_calls_total\{.*outcome="missing_scope"\} [^0]`, w.app.metrics(), "nobody is alarmed")
	require.Zero(t, w.picturesOf("Unoptional"))
	require.NotContains(t, w.app.said(), "level=ERROR")
	says, _ := w.doctor()
	require.Contains(t, says, "yellow permissions The app works without files:write")

	approveOn(maria, "Ready for review", "Unoptional")
	maria.SeesInThread("Unoptional", "Approved by Maria")
	maria.SeesInThread("Unoptional", "Final photos")
}
