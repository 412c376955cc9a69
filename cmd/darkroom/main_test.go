package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/store/storetest"
)

// together is how many tests run at the same time, unless the command line says otherwise: they
// wait far more than they compute.
const together = "6"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", together); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"darkroom": main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", Cmds: map[string]func(*testscript.TestScript, bool, []string){"workspaces": workspaces},
	})
}

func TestManifestFileIsWhatTheCommandWrites(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, manifest.Write(&out, "https://darkroom.example.com", manifest.Form{}))
	file, err := os.ReadFile("../../manifest.yml")
	require.NoError(t, err)
	require.Equal(t, out.String(), string(file), "go run ./cmd/darkroom manifest > manifest.yml")
}

func TestManifestIsValidForSlack(t *testing.T) {
	for name, f := range map[string]manifest.Form{"by HTTP": {}, "by Socket Mode": {Socket: true}, "for many workspaces": {Many: true}} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, manifest.Write(&out, "https://darkroom.example.com", f))
			asJSON, err := yaml.YAMLToJSON(out.Bytes())
			require.NoError(t, err)
			manifest, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
			require.NoError(t, err)
			require.NoError(t, manifestSchema(t).Validate(manifest))

			settings := manifest.(map[string]any)["settings"].(map[string]any)
			require.Equal(t, f.Socket, settings["socket_mode_enabled"])
			require.Equal(t, !f.Socket, bytes.Contains(out.Bytes(), []byte("https://darkroom")), "an address only where Slack calls one")
			require.Equal(t, f.Many, settings["org_deploy_enabled"])
			require.Equal(t, f.Many, settings["token_rotation_enabled"])
			settings["socket_mode_enabled"] = "perhaps"
			require.Error(t, manifestSchema(t).Validate(manifest), "the schema has teeth")
		})
	}
}

// What the app hears of where it is, it subscribes to; and it is sent back only to the address that it answers.
func TestTheManifestForManyWorkspacesHasWhatAppsOfManyNeed(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, manifest.Write(&out, "https://darkroom.example.com", manifest.Form{Many: true}))
	var m struct {
		OAuth struct {
			Redirects []string `yaml:"redirect_urls"`
		} `yaml:"oauth_config"`
		Settings struct {
			Events struct {
				Bot []string `yaml:"bot_events"`
			} `yaml:"event_subscriptions"`
		} `yaml:"settings"`
	}
	require.NoError(t, yaml.Unmarshal(out.Bytes(), &m))
	require.Equal(t, []string{"https://darkroom.example.com/slack/oauth"}, m.OAuth.Redirects)
	require.ElementsMatch(t, append([]string{"app_uninstalled", "tokens_revoked", "team_access_granted", "team_access_revoked"}, manifest.Names(manifest.Events)...), m.Settings.Events.Bot)
}

// manifestSchema is Slack's own, found under the names it refers to itself by.
func manifestSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(ecmaRegexp)
	const base = "https://raw.githubusercontent.com/slackapi/manifest-schema/v0.5.0/schemas/"
	for url, file := range map[string]string{
		"file:///manifest.schema.json":      "manifest.schema.json",
		base + "manifest.schema.1.0.0.json": "manifest.schema.1.0.0.json",
		base + "manifest.schema.2.0.0.json": "manifest.schema.2.0.0.json",
	} {
		raw, err := os.ReadFile("testdata/manifest-schema/" + file)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		require.NoError(t, err)
		delete(doc.(map[string]any), "$id")
		require.NoError(t, compiler.AddResource(url, doc))
	}
	schema, err := compiler.Compile("file:///manifest.schema.json")
	require.NoError(t, err)
	return schema
}

// ecmaRegexp reads patterns as JavaScript does: Slack's look ahead, which Go's own
// package does not.
func ecmaRegexp(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	return (*ecma)(re), err
}

type ecma regexp2.Regexp

func (e *ecma) MatchString(s string) bool {
	matched, err := (*regexp2.Regexp)(e).MatchString(s)
	return err == nil && matched
}

func (e *ecma) String() string { return (*regexp2.Regexp)(e).String() }

func TestSecretsPrintAsStars(t *testing.T) {
	cfg, err := config.Read(working())
	require.NoError(t, err)
	asJSON, err := json.Marshal(cfg)
	require.NoError(t, err)
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("config", "cfg", cfg)
	slog.New(slog.NewTextHandler(&logged, nil)).Info("config", "token", cfg.SlackBotToken)
	for _, text := range []string{string(asJSON), logged.String(), fmt.Sprintf("%v %+v %#v %s", cfg, cfg, cfg, cfg.RedisURL)} {
		require.Contains(t, text, config.Masked)
		require.NotContains(t, text, "s3cret")
	}
}

func TestConfigNamesEveryProblemAtOnce(t *testing.T) {
	for name, wrong := range map[string][]string{
		"UPSTREAM_RATE":       {"UPSTREAM_RATE=many", "UPSTREAM_RATE=0", "UPSTREAM_RATE=1000000000"},
		"UPSTREAM_PARAMS":     {"UPSTREAM_PARAMS=xml"},
		"UPSTREAM_SIGNATURE":  {"UPSTREAM_SIGNATURE=ruby"},
		"UPSTREAM_URL":        {"UPSTREAM_URL=photos.example.com", "UPSTREAM_URL=", "UPSTREAM_URL=https://x.test/v2?y=1", "UPSTREAM_URL=https://me:s3cret@x.test"},
		"UPSTREAM_BASIC_AUTH": {"UPSTREAM_BASIC_AUTH=maybe"},
		"PUBLIC_URL":          {"PUBLIC_URL=ftp://x", "PUBLIC_URL=http://x.test"},
		"PRIVACY_URL":         {"PRIVACY_URL=http://x.test/privacy", "PRIVACY_URL=privacy", "PRIVACY_URL=https://me:s3cret@x.test"},
		"SUPPORT_URL":         {"SUPPORT_URL=javascript:alert(1)", "SUPPORT_URL=mailto:s3cret@x.test"},
		"POLL_SCHEDULE":       {"POLL_SCHEDULE=often", "POLL_SCHEDULE=@every 10ms", "POLL_SCHEDULE=0 0 30 2 *"},
		"LISTEN_ADDR":         {"LISTEN_ADDR=8080"},
		"ADMIN_ADDR":          {"ADMIN_ADDR=9090", "ADMIN_ADDR=none"},
		"LOW_CREDITS":         {"LOW_CREDITS=plenty", "LOW_CREDITS=-5"},

		"SERVICE_DESCRIPTIONS": {"SERVICE_DESCRIPTIONS=basic=Colour; premium=Everything"},
		"SERVICE_PRICES":       {"SERVICE_PRICES=basic=1,premium=3", "SERVICE_PRICES=basic=s3cret"},
		"OPERATORS":            {"OPERATORS=U012ABC,bob"},
		"OPS_CHANNEL":          {"OPS_CHANNEL=#ops"},
		"SLACK_BOT_TOKEN":      {"SLACK_BOT_TOKEN=xapp-s3cret", "SLACK_BOT_TOKEN="},
		"SLACK_APP_TOKEN":      {"SLACK_APP_TOKEN=xoxb-s3cret"},
		"FILE_SIGNING_KEY":     {"FILE_SIGNING_KEY=s3cret"},
		"REDIS_URL":            {"REDIS_URL=", "REDIS_URL=nonsense://x", "REDIS_URL=redis://:12/s3cret@host:6379/0", "REDIS_URL=redis://u/s3cret@host:1", "REDIS_URL=redis://:s3cret@host?wait_replicas=0", "REDIS_URL=unix:///s3cret?wait_time=1s"},
		"LOG_LEVEL":            {"LOG_LEVEL=loud"},

		"OTEL_EXPORTER_OTLP_ENDPOINT": {"OTEL_EXPORTER_OTLP_ENDPOINT=otel:4318", "OTEL_EXPORTER_OTLP_ENDPOINT=https://me:s3cret@otel.test"},
		"OTEL_EXPORTER_OTLP_HEADERS":  {"OTEL_EXPORTER_OTLP_HEADERS=s3cret", "OTEL_EXPORTER_OTLP_HEADERS=token=s3cret%"},
		"OTEL_EXPORTER_OTLP_PROTOCOL": {"OTEL_EXPORTER_OTLP_PROTOCOL=grpc"},
	} {
		for _, line := range wrong {
			t.Run(line, func(t *testing.T) {
				_, err := config.Read(append(working(), line, "LOG_FORMAT=xml"))
				require.ErrorContains(t, err, name)
				require.ErrorContains(t, err, "LOG_FORMAT", "the other problem as well")
				require.Equal(t, name == "UPSTREAM_URL", strings.Contains(err.Error(), "UPSTREAM_URL"), "nothing else is blamed: %v", err)
				require.NotContains(t, err.Error(), "s3cret")
			})
		}
	}
}

func TestAnAddressThatCannotBeUsedIsNamedOnce(t *testing.T) {
	for _, name := range []string{"PUBLIC_URL", "UPSTREAM_URL", "SLACK_API_URL"} {
		for _, wrong := range []string{"?y=1", "#y", "/a?y=1"} {
			_, err := config.Read(append(working(), name+"=https://x.test"+wrong))
			require.ErrorContains(t, err, name)
			require.Equal(t, 1, strings.Count(err.Error(), "\n  "+name), "%v", err)
		}
	}
}

func TestABlankAfterACommaIsPartOfNoKey(t *testing.T) {
	older := strings.Repeat("o", 32)
	cfg, err := config.Read(append(working(), "PUBLIC_URL=https://x.test", "FILE_SIGNING_KEY="+strings.Repeat("n", 32)+", "+older))
	require.NoError(t, err)
	require.Equal(t, older, cfg.FileKeys()[1])
	_, err = config.Read(append(working(), "PUBLIC_URL=https://x.test", "FILE_SIGNING_KEY="+strings.Repeat(" ", 40)))
	require.ErrorContains(t, err, "too short")
}

func TestAPublicURLIsOnlySchemeHostAndPath(t *testing.T) {
	key := "FILE_SIGNING_KEY=" + strings.Repeat("n", 32)
	for _, wrong := range []string{"https://x.test/?y=1", "https://u:s3cret@x.test"} {
		_, err := config.Read(append(working(), key, "PUBLIC_URL="+wrong))
		require.ErrorContains(t, err, "PUBLIC_URL cannot be used")
		require.NotContains(t, err.Error(), "s3cret")
	}
	_, err := config.Read(append(working(), key, "PUBLIC_URL=https://x.test/darkroom"))
	require.NoError(t, err)
}

func TestSecretsMayComeFromFiles(t *testing.T) {
	path := t.TempDir() + "/token"
	require.NoError(t, os.WriteFile(path, []byte("xoxb-from-file\n"), 0o600))
	var environ []string
	for _, line := range working() {
		if !strings.HasPrefix(line, "SLACK_BOT_TOKEN=") {
			environ = append(environ, line)
		}
	}
	cfg, err := config.Read(append(environ, "SLACK_BOT_TOKEN_FILE="+path))
	require.NoError(t, err)
	require.Equal(t, "xoxb-from-file", string(cfg.SlackBotToken))

	_, err = config.Read(append(working(), "SLACK_BOT_TOKEN_FILE="+path))
	require.ErrorContains(t, err, "SLACK_BOT_TOKEN_FILE; keep one")
	_, err = config.Read(append(environ, "SLACK_BOT_TOKEN_FILE=/nowhere"))
	require.ErrorContains(t, err, "SLACK_BOT_TOKEN_FILE cannot be read")
	_, err = config.Read(append(environ, "SLACK_BOT_TOKEN_FILE=xoxb-s3cret"))
	require.ErrorContains(t, err, "path of a file")
	require.NotContains(t, err.Error(), "s3cret", "a secret in the place of its path")
}

func TestTheAppStartsAlthoughSlackIsAway(t *testing.T) {
	for name, answer := range map[string]int{"down": 0, "troubled": http.StatusServiceUnavailable} {
		t.Run(name, func(t *testing.T) {
			slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(answer) }))
			defer slack.Close()
			if answer == 0 {
				slack.Close()
			}
			require.NoError(t, preflight(t, slack.URL))
		})
	}
	unknown := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"ok":false,"error":"invalid_auth"}`))
	}))
	defer unknown.Close()
	require.ErrorContains(t, preflight(t, unknown.URL), "SLACK_BOT_TOKEN")
}

// preflight is what the app finds when it starts beside this Slack.
func preflight(t *testing.T, slackURL string) error {
	t.Helper()
	cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+storetest.Embed(t).Addr(), "SLACK_API_URL="+slackURL+"/api/"))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, a.close()) }()
	return a.preflight(t.Context())
}

// working is an environment that serve would take.
func working() []string {
	return []string{
		"SLACK_BOT_TOKEN=xoxb-s3cret", "SLACK_SIGNING_SECRET=s3cret-signing",
		"UPSTREAM_URL=https://photos.example.com/v2", "UPSTREAM_API_KEY=s3cret-key", "UPSTREAM_API_SECRET=s3cret-secret",
		"REDIS_URL=redis://:s3cret@127.0.0.1:6379/0",
	}
}
