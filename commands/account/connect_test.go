package account_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/commands/commandstest"
	"darkroom/files"
	"darkroom/order"
	"darkroom/sandbox/photos"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// heardLog collects all log lines.
type heardLog struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *heardLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *heardLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

func (l *heardLog) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// service starts a real service with an unusual dialect, outside the bubble.
func service(t *testing.T) *photos.Service {
	t.Helper()
	s := photos.New(photos.Options{Manual: true, Signature: photos.Python, Params: photos.JSONBody, Credits: decimal.RequireFromString("42.50")})
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	return s
}

// unconnected sets up a workspace with the admin boss and no account.
func unconnected(r *commandstest.Rig, log *slog.Logger) *commandstest.Accounts {
	r.SetUpWorkspace()
	return r.Connects(log)
}

// connecting returns the fields of the connect form.
func connecting(url, key, secret string) map[string]string {
	return map[string]string{"Base URL": url, "API key": key, "API secret": secret}
}

// opensConnect presses Connect in the Home tab.
func opensConnect(r *commandstest.Rig, user string) (window string) {
	r.Does(bot.Request{Name: cardsaccount.ActionConnect, Value: "connect", View: commandstest.AtHome(), User: user})
	return r.Screen.Last()
}

func TestAnAdminConnectsTheWorkspaceFromItsHome(t *testing.T) {
	s := service(t)
	log := &heardLog{}
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, log.logger())

		require.True(r.T, commandstest.ContainsAll(r.Comes("maria"), "not connected to one yet", "A workspace admin can connect it", "UINSTALLER"))
		require.NotContains(r.T, r.Home("maria"), cardsaccount.ActionConnect)
		require.True(r.T, commandstest.ContainsAll(r.Comes("boss"), "not connected to one yet", cardsaccount.ActionConnect))
		require.Contains(r.T, r.Says("maria", "C1", "balance"), "A workspace admin can connect it")
		require.Contains(r.T, r.Says("maria", "C1", "help"), "/order new")

		window := opensConnect(r, "boss")
		r.Sends("boss", window, connecting(s.URL(), "sandbox-key", "wrong-secret"))
		wrong := r.Shows(window)
		require.True(r.T, commandstest.ContainsAll(wrong, "refuses this key and secret", s.URL(), "sandbox-key", "Copy API key and API secret again"), wrong)
		require.Nil(r.T, accounts.Now)
		require.NotContains(r.T, wrong, "wrong-secret")

		r.Sends("boss", window, connecting(s.URL()+"/", "sandbox-key", "sandbox-secret"))
		require.True(r.T, commandstest.ContainsAll(r.Shows(window), "is connected to", "42.5", "All full members of this workspace can order now"), r.Shows(window))
		require.NotContains(r.T, r.Shows(window), "signature", "only the operator reads how requests are signed")
		require.Equal(r.T, 1, accounts.Changes)
		require.Equal(r.T, "python", accounts.Now.Signature)
		require.Equal(r.T, "json", accounts.Now.Params)
		require.Equal(r.T, "boss", accounts.Now.By)
		require.True(r.T, commandstest.ContainsAll(r.Home("boss"), accounts.Now.Host(), cardsaccount.ActionDisconnect, "Change Account"), r.Home("boss"))
		require.NotContains(r.T, r.Comes("maria"), accounts.Now.Host(), "only admins see with whom")
		require.Contains(r.T, r.Says("maria", "C1", "balance"), "Credits left")

		secretNowhere(r, "wrong-secret", log)
		secretNowhere(r, "sandbox-secret", log)
		require.NotContains(r.T, log.String(), "sandbox-key")
		require.True(r.T, commandstest.ContainsAll(log.String(), "photo service connected", accounts.Now.Host(), `"user":"boss"`), "the audit says who connected what")
	})
}

// secretNowhere looks for a secret in everything stored, logged or shown.
func secretNowhere(r *commandstest.Rig, secret string, log *heardLog) {
	r.T.Helper()
	require.NotContains(r.T, r.Server.Dump(), secret, "in Redis")
	require.NotContains(r.T, log.String(), secret, "in the log")
	r.Screen.Lock()
	defer r.Screen.Unlock()
	for _, shown := range r.Screen.Shown {
		require.NotContains(r.T, shown, secret)
	}
	require.NotContains(r.T, strings.Join(r.Screen.Messages, "\n"), secret)
	for _, home := range r.Screen.Homes {
		require.NotContains(r.T, home, secret)
	}
}

// Slack or a double click may deliver a submission several times.
func TestOneSubmissionConnectsOnce(t *testing.T) {
	s := service(t)
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		view := r.FilledIn(opensConnect(r, "boss"), connecting(s.URL(), "sandbox-key", "sandbox-secret"))
		q := bot.Request{Kind: bot.KindSubmit, ID: "V1:hash", Name: cardsaccount.CallbackConnect, Team: "T1", User: "boss", View: &view, At: time.Now()}
		for range 3 {
			reply, err := r.Handle(r.T.Context(), q)
			require.NoError(r.T, err)
			require.Contains(r.T, commandstest.Text(reply.Body), "Testing the connection to")
		}
		r.Settle(2 * time.Second)
		require.Equal(r.T, 1, accounts.Changes)
		asked := len(s.Requests())
		require.LessOrEqual(r.T, asked, 40)

		require.Contains(r.T, r.Shows(view.ExternalID), "is connected to")
		r.SendsAs("V1:again", "boss", view)
		require.Equal(r.T, 2, accounts.Changes, "pressing again does no harm")
	})
}

func TestOnlyAdminsConnect(t *testing.T) {
	s := service(t)
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		require.Contains(r.T, r.Shows(opensConnect(r, "maria")), "Only workspace admins may connect")
		window := opensConnect(r, "boss")
		view := r.FilledIn(window, connecting(s.URL(), "sandbox-key", "sandbox-secret"))
		r.SendsAs("V1:1", "maria", view) // a former admin who submits the form is refused like anybody else
		require.Contains(r.T, r.Shows(window), "Only workspace admins may connect")
		require.Nil(r.T, accounts.Now)
		require.Empty(r.T, s.Requests(), "nobody was asked")
	})
}

func TestWhatIsSeenAtOnceIsSaidBesideTheField(t *testing.T) {
	for name, test := range map[string]struct{ url, key, says string }{
		"no address":      {"photos", "k", "link is not complete"},
		"plain http":      {"http://api.example.com", "k", "must begin with https://"},
		"a private host":  {"https://10.1.2.3/v1", "k", "link is not public"},
		"a query":         {"https://api.example.com/v1?x=1", "k", "Leave out user names"},
		"a key of spaces": {"https://api.example.com/v1", "a b", "has a space in it"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				accounts := unconnected(r, nil)
				r.Connecting.AllowPrivate, r.Connecting.Discover = false, nil // Discover must not run
				window := opensConnect(r, "boss")
				reply := r.Sends("boss", window, connecting(test.url, test.key, "s3cret"))
				answer, ok := reply.Body.(*slack.ViewSubmissionResponse)
				require.True(r.T, ok)
				require.Equal(r.T, slack.RAErrors, answer.ResponseAction)
				require.Contains(r.T, commandstest.Text(answer.Errors), test.says)
				require.Nil(r.T, accounts.Now)
			})
		})
	}
}

// A service that does not answer, or a Redis that does not save the account, ends as a sentence in the window.
func TestAnAccountThatCannotBeConnected(t *testing.T) {
	s := service(t)
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		window := opensConnect(r, "boss")
		r.Sends("boss", window, connecting("http://127.0.0.1:1/api", "k", "s3cret"))
		require.True(r.T, commandstest.ContainsAll(r.Shows(window), "The service does not answer", "Nothing was connected"), r.Shows(window))

		accounts.Broken = order.ErrUnavailable
		r.Sends("boss", window, connecting(s.URL(), "sandbox-key", "sandbox-secret"))
		require.Contains(r.T, r.Shows(window), "Nothing was connected")
		require.Nil(r.T, accounts.Now)

		r.Screen.Closes()
		before := r.Seen()
		accounts.Broken = nil
		r.SendsAs("V1:closed", "boss", r.FilledIn(window, connecting(s.URL(), "sandbox-key", "wrong")))
		told := r.Since(before)
		require.Contains(r.T, told, "was not connected to a photo service", "who has closed the window is told")
		require.NotContains(r.T, told, "sandbox-key")
	})
}

// An admin who types an address does not run the app: the hosts and addresses inside its network appear only in the
// log.
func TestWhatIsInTheNetworkOfTheAppIsNotToldToAnAdmin(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 443}, Err: err}
	}
	const nothing = "Darkroom finds nothing at this link on the public internet." // does not reveal whether the name exists inside
	for name, test := range map[string]struct {
		fails error
		says  string
	}{
		"a private address":    {dial(fmt.Errorf("%w: not public", files.ErrRefused)), nothing},
		"no such name":         {dial(&net.DNSError{Err: "no such host", Name: "photos", Server: "10.1.2.3:53", IsNotFound: true}), nothing},
		"a broken name server": {dial(&net.DNSError{Err: "server misbehaving", Name: "photos", Server: "10.1.2.3:53", IsTemporary: true}), nothing},
		"a name server that is slow": {
			dial(&net.DNSError{Err: "i/o timeout", Name: "photos", Server: "10.1.2.3:53", IsTimeout: true}), "The service does not answer (no answer in time)",
		},
		"refused":             {dial(syscall.ECONNREFUSED), "The service does not answer (the connection was refused)"},
		"no route":            {dial(syscall.EHOSTUNREACH), "The service does not answer (the connection failed)"},
		"late":                {dial(os.ErrDeadlineExceeded), "The service does not answer (no answer in time)"},
		"another certificate": {&tls.CertificateVerificationError{Err: errors.New("valid for 10.1.2.3")}, "The service does not answer (no encrypted connection: its certificate or its TLS was not accepted)"},
		"no TLS":              {tls.RecordHeaderError{Msg: "from 10.1.2.3"}, "The service does not answer (no encrypted connection: its certificate or its TLS was not accepted)"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &heardLog{}
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				accounts := unconnected(r, log.logger())
				inside := &http.Transport{DialTLSContext: func(context.Context, string, string) (net.Conn, error) { return nil, test.fails }}
				r.Connecting.Discover = func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error) {
					return upstream.Discover(ctx, upstream.Config{URL: a.URL, Key: a.Key, Secret: a.Secret, Connections: upstream.NewConnections(inside, 1, nil)})
				}
				window := opensConnect(r, "boss")
				r.Sends("boss", window, connecting("https://photos.example.com/v1", "k3y", "s3cret"))
				require.True(r.T, commandstest.ContainsAll(r.Shows(window), test.says, "Nothing was connected"), r.Shows(window))
				require.NotContains(r.T, r.Shows(window), "10.1.2.3")
				require.Nil(r.T, accounts.Now)
				require.Contains(r.T, log.String(), test.fails.Error(), "whoever runs the app reads all of it")
			})
		})
	}
}

// A lost key of ENCRYPTION_KEY stops the workspace and says so. After an admin connects again, everything goes on.
func TestAnAccountThatCannotBeReadIsConnectedAgain(t *testing.T) {
	s := service(t)
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		typed := connecting(s.URL(), "sandbox-key", "sandbox-secret")
		r.Sends("boss", opensConnect(r, "boss"), typed)
		require.Equal(r.T, 1, accounts.Changes)
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order001 Please keep the shadows.")
		accounts.Lock()
		accounts.Sealed = true
		accounts.Unlock()
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(time.Hour)

		require.True(r.T, commandstest.ContainsAll(r.Comes("boss"), "no longer read this workspace's account", "are saved", cardsaccount.ActionConnect, cardsaccount.ActionDisconnect), r.Home("boss"))
		require.True(r.T, commandstest.ContainsAll(r.Comes("maria"), "no longer read this workspace's account", "A workspace admin can connect it"), r.Home("maria"))
		require.NotContains(r.T, r.Home("maria"), cardsaccount.ActionConnect)
		require.Contains(r.T, r.Says("maria", "C1", "balance"), "A workspace admin can connect it")
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "I can no longer read this workspace's account")
		require.EqualValues(r.T, 1, r.Stats().Jobs, "it waits, and is not dead")

		window := opensConnect(r, "boss")
		require.Contains(r.T, r.Shows(window), "API secret")
		r.Sends("boss", window, typed)
		require.Contains(r.T, r.Shows(window), "is connected to")
		require.False(r.T, accounts.Sealed)
		r.Settle(10 * time.Minute)
		require.Zero(r.T, r.Stats().Jobs)
		require.Contains(r.T, r.Says("maria", "C1", "show order001"), "Project order001")
	})
}

// Another account may have other orders with the same ids.
func TestAnotherAccountNeedsAWord(t *testing.T) {
	s := service(t)
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		was := tenants.ServiceAccount{URL: "https://old.example.com/v1", Key: "k", Secret: "s"}
		require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), was, tenants.Connection{}))
		r.Owns("order001", "C1", "maria", nil)

		require.Contains(r.T, r.Comes("boss"), "Earlier orders are saved")
		window := opensConnect(r, "boss")
		typed := connecting(s.URL(), "sandbox-key", "sandbox-secret")
		reply := r.Sends("boss", window, typed)
		require.Contains(r.T, commandstest.Text(reply.Body), "orders were placed with an account at old.example.com")
		require.Nil(r.T, accounts.Now)

		typed["This workspace's orders"] = "It is the same account"
		r.Sends("boss", window, typed)
		require.Equal(r.T, 1, accounts.Changes)
		now, err := r.Store.Connection.Read(r.T.Context())
		require.NoError(r.T, err)
		require.False(r.T, now.Other(*accounts.Now), "from now on it is this one")
	})
}

// An order may be placed while the new service is called.
func TestAnAccountIsNotChangedOverAnOrderThatWasPlacedMeanwhile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		accounts := unconnected(r, nil)
		was := tenants.ServiceAccount{URL: "https://old.example.com/v1", Key: "k", Secret: "s"}
		require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), was, tenants.Connection{}))
		require.NoError(r.T, accounts.Connect(r.T.Context(), was))
		r.Connecting.Discover = func(context.Context, tenants.ServiceAccount) (upstream.Findings, error) {
			r.Owns("order001", "C1", "maria", nil)
			return upstream.Findings{Reads: upstream.ReadsWork, Writes: upstream.WritesWork}, nil
		}
		window := opensConnect(r, "boss")
		typed := connecting("https://new.example.com/v1", "key", "secret")
		r.Sends("boss", window, typed)
		require.True(r.T, commandstest.ContainsAll(r.Shows(window), "orders were placed with an account at old.example.com", "It is the same account"), r.Shows(window))
		require.Equal(r.T, "k", accounts.Now.Key)
	})
}
