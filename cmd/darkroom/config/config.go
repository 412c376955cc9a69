// Package config reads the configuration from the environment, and reports its problems.
package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/caarlos0/env/v11"
	"github.com/shopspring/decimal"

	"darkroom/cards/place"
	"darkroom/files"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store/conn"
	"darkroom/store/keyspace"
	"darkroom/store/seal"
)

// Config is everything an operator sets, read once from the environment. Each variable
// NAME may also be given as NAME_FILE, the path of a file that holds it.
type Config struct {
	SlackBotToken      Secret `env:"SLACK_BOT_TOKEN" want:"the app's bot token, xoxb-… (OAuth & Permissions)"`
	SlackSigningSecret Secret `env:"SLACK_SIGNING_SECRET" want:"the app's signing secret (Basic Information); verifies what Slack sends by HTTP. While it is changed, others may follow after commas"`
	SlackAppToken      Secret `env:"SLACK_APP_TOKEN" want:"an app-level token, xapp-… (scope connections:write), for Socket Mode; this, the signing secret or both"`
	SlackAPIURL        string `env:"SLACK_API_URL" envDefault:"https://slack.com/api/" want:"the base of the Web API, https://…"`

	SlackClientID     string `env:"SLACK_CLIENT_ID" want:"the app's client ID (Basic Information): one Darkroom for many workspaces, each of which adds the app with a button and connects an account of its own"`
	SlackClientSecret Secret `env:"SLACK_CLIENT_SECRET" want:"the app's client secret (Basic Information); beside SLACK_CLIENT_ID only"`
	EncryptionKey     Secret `env:"ENCRYPTION_KEY" want:"the key that seals the tokens and accounts of workspaces in Redis, 32 characters or more; old keys may follow after commas; beside SLACK_CLIENT_ID only"`

	UpstreamURL              string `env:"UPSTREAM_URL" want:"the photo service's base URL, https://…"`
	UpstreamAPIKey           Secret `env:"UPSTREAM_API_KEY" want:"the photo service's API key"`
	UpstreamAPISecret        Secret `env:"UPSTREAM_API_SECRET" want:"the photo service's API secret"`
	UpstreamParams           string `env:"UPSTREAM_PARAMS" envDefault:"query" want:"query, query-only, form or json: where the parameters of writes travel; with query those of a long POST travel in a form body, with query-only it is not sent"`
	UpstreamSignature        string `env:"UPSTREAM_SIGNATURE" envDefault:"php" want:"php, plain or python: how the signed JSON is written; php-flat, plain-flat or python-flat: arrays are signed as the text that is sent"`
	UpstreamSignatureNumbers string `env:"UPSTREAM_SIGNATURE_NUMBERS" envDefault:"string" want:"string, number or sent: how numbers are signed; sent is as they travel, which makes a difference with UPSTREAM_PARAMS=json only"`
	UpstreamBasicAuth        bool   `env:"UPSTREAM_BASIC_AUTH" envDefault:"false" want:"true or false: also send key and secret as HTTP Basic"`
	UpstreamRate             int    `env:"UPSTREAM_RATE" envDefault:"5" want:"requests a second to the service, all replicas together; 1 or more"`

	RedisURL       Secret   `env:"REDIS_URL" want:"where Redis is: redis://host:6379/0, rediss://… or unix://…"`
	PublicURL      string   `env:"PUBLIC_URL" want:"the https:// URL at which the photo service reaches this app, to fetch photos uploaded in Slack; without it orders take URLs only"`
	PrivacyURL     string   `env:"PRIVACY_URL" want:"the https:// URL of your privacy policy, to which the page that installs the app links"`
	SupportURL     string   `env:"SUPPORT_URL" want:"the https:// URL of your support, to which the page that installs the app links"`
	FileSigningKey Secret   `env:"FILE_SIGNING_KEY" want:"the key that signs file URLs, 32 characters or more; old keys may follow after commas"`
	ListenAddr     string   `env:"LISTEN_ADDR" envDefault:":8080" want:"host:port to listen on"`
	AdminAddr      string   `env:"ADMIN_ADDR" envDefault:"127.0.0.1:9090" want:"host:port for /metrics and /debug/pprof, which only operators should reach; off for none"`
	PollSchedule   string   `env:"POLL_SCHEDULE" envDefault:"@every 30s" want:"a cron spec or @every with at least 1s"`
	Operators      []string `env:"OPERATORS" want:"Slack user ids, comma separated: U012ABC,U034DEF"`
	OpsChannel     string   `env:"OPS_CHANNEL" want:"the id of the channel that hears of outages and of low credits, C012ABC"`
	LowCredits     string   `env:"LOW_CREDITS" envDefault:"0" want:"the credits below which the operations channel (for many workspaces: who connected one) is told, once, and once when there are a tenth more again; 0 is off"`
	Services       string   `env:"SERVICE_DESCRIPTIONS" want:"what the service types mean to those who order, in your own words of at most 75 characters each: basic=Colour and light; extensive=Detailed retouching"`
	Prices         string   `env:"SERVICE_PRICES" want:"the credits of one photo of each service type, which the order form and the limits then go by: basic=1,extensive=3,reference=2"`
	LogLevel       string   `env:"LOG_LEVEL" envDefault:"info" want:"debug, info, warn or error"`
	LogFormat      string   `env:"LOG_FORMAT" envDefault:"text" want:"text or json"`

	// OpenTelemetry's own variables; its library reads the others of them.
	OTLPEndpoint       string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" want:"an http(s) URL: where an OpenTelemetry collector takes OTLP over HTTP (often port 4318); traces go to its /v1/traces. Without it none are recorded"`
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" want:"the same for traces alone: the whole URL, /v1/traces included"`
	OTLPHeaders        Secret `env:"OTEL_EXPORTER_OTLP_HEADERS" want:"headers for the collector, such as its token: name=value,name=value, with the values percent-encoded"`
	OTLPTracesHeaders  Secret `env:"OTEL_EXPORTER_OTLP_TRACES_HEADERS" want:"the same for traces alone"`
	OTLPProtocol       string `env:"OTEL_EXPORTER_OTLP_PROTOCOL" want:"http/protobuf: nothing else is spoken to the collector"`
	OTelDisabled       bool   `env:"OTEL_SDK_DISABLED" envDefault:"false" want:"true or false: true records no traces although a collector is named"`

	Retention time.Duration `env:"RETENTION" envDefault:"9600h" want:"how long a finished order is kept, 9600h (400 days) or any time from 1h on; 0 keeps all for ever"`

	AllowPrivateURLs bool `env:"DARKROOM_ALLOW_PRIVATE_URLS" envDefault:"false" want:"true only beside the sandbox: foreign URLs may be private"`
}

// AdminOff is the ADMIN_ADDR of an app without metrics and pprof.
const AdminOff = "off"

// PathHealth answers 200 while the process runs.
const PathHealth = "/healthz"

// AppName is the name that the app's health check returns; "darkroom doctor" recognizes the app by it.
const AppName = "darkroom"

// PerServer is how many commands may be under way with each server of Redis, besides those that wait there for jobs.
const PerServer = 64

// leastRetention is the shortest retention of a finished order: a click just before its end
// must still find it.
const leastRetention = time.Hour

// Error is every problem of a configuration at once.
type Error struct{ Problems []Problem }

// Problem is one problem of one variable; no value is in it.
type Problem struct{ Name, Message string }

func (e *Error) Error() string {
	all := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		all[i] = p.Message
	}
	return "the configuration has problems:\n  " + strings.Join(all, "\n  ") +
		"\nNothing was started. \"darkroom serve --help\" lists every variable."
}

// add notes one problem: the variable and what it should hold, never its value.
func (e *Error) add(name, problem string) {
	e.says(name, fmt.Sprintf("%s %s: it should hold %s", name, problem, Wants()[name]))
}

// says notes a problem with its own sentence. Only the first problem of a variable counts: others may follow from it.
func (e *Error) says(name, sentence string) {
	if slices.ContainsFunc(e.Problems, func(p Problem) bool { return p.Name == name }) {
		return
	}
	e.Problems = append(e.Problems, Problem{name, sentence})
}

// When notes the problem if wrong is true.
func (e *Error) When(wrong bool, name, problem string) {
	if wrong {
		e.add(name, problem)
	}
}

// Read reads and validates the environment.
func Read(environ []string) (Config, error) {
	cfg, problems := Inspect(environ)
	if len(problems.Problems) > 0 {
		return Config{}, problems
	}
	return cfg, nil
}

// Inspect reads the usable variables of the environment, and returns the problems of the others.
func Inspect(environ []string) (Config, *Error) {
	var problems Error
	vars := WithFiles(environ, &problems)
	cfg, err := env.ParseAsWithOptions[Config](env.Options{Environment: vars})
	problems.parsed(err)
	problems.required(vars)
	problems.validate(cfg)
	return cfg, &problems
}

// WithFiles gives each variable the contents of its NAME_FILE.
func WithFiles(environ []string, problems *Error) map[string]string {
	vars := env.ToMap(environ)
	for _, name := range slices.Sorted(maps.Keys(Wants())) {
		path, ok := vars[name+"_FILE"]
		if !ok || path == "" {
			continue
		}
		if vars[name] != "" {
			problems.add(name, "is set, and so is "+name+"_FILE; keep one")
			continue
		}
		raw, err := os.ReadFile(path)
		if err != nil { // the problem omits the path: it may be a secret, set by mistake
			problems.says(name, fmt.Sprintf("%s_FILE cannot be read (%v): it should hold the path of a file with %s", name, errors.Unwrap(err), Wants()[name]))
			continue
		}
		vars[name] = strings.TrimRight(string(raw), "\r\n")
	}
	return vars
}

// parsed notes the values of the wrong type.
func (e *Error) parsed(err error) {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return
	}
	for _, one := range all.Errors {
		if parse, ok := errors.AsType[env.ParseError](one); ok {
			field, _ := reflect.TypeFor[Config]().FieldByName(parse.Name)
			e.add(field.Tag.Get("env"), "is not understood")
		}
	}
}

// Required are the required variables of an app for one workspace, besides one of SLACK_SIGNING_SECRET and
// SLACK_APP_TOKEN.
var Required = []string{"SLACK_BOT_TOKEN", "UPSTREAM_URL", "UPSTREAM_API_KEY", "UPSTREAM_API_SECRET", "REDIS_URL"}

// RequiredOfMany are the required variables of an app for many workspaces. NeverOfMany may not be set there: they
// configure one workspace.
var (
	RequiredOfMany = []string{"SLACK_CLIENT_SECRET", "ENCRYPTION_KEY", "PUBLIC_URL", "FILE_SIGNING_KEY", "REDIS_URL"}
	NeverOfMany    = []string{
		"SLACK_BOT_TOKEN", "UPSTREAM_URL", "UPSTREAM_API_KEY", "UPSTREAM_API_SECRET", "OPERATORS", "OPS_CHANNEL", "SERVICE_PRICES",
	}
)

// required notes the missing variables.
func (e *Error) required(vars map[string]string) {
	needed := Required
	if vars["SLACK_CLIENT_ID"] != "" {
		needed = RequiredOfMany
		for _, name := range NeverOfMany {
			if vars[name] != "" {
				e.says(name, name+" is of one workspace: it should not be set beside SLACK_CLIENT_ID, which is for many")
			}
		}
	}
	for _, name := range needed {
		e.When(vars[name] == "", name, "is missing")
	}
	e.When(vars["SLACK_SIGNING_SECRET"] == "" && vars["SLACK_APP_TOKEN"] == "", "SLACK_SIGNING_SECRET", "is missing (or SLACK_APP_TOKEN, for Socket Mode)")
	e.When(vars["PUBLIC_URL"] != "" && vars["FILE_SIGNING_KEY"] == "", "FILE_SIGNING_KEY", "is missing beside PUBLIC_URL")
	e.When(vars["PUBLIC_URL"] == "" && vars["FILE_SIGNING_KEY"] != "", "PUBLIC_URL", "is missing beside FILE_SIGNING_KEY")
}

// validateURLs notes links that cannot work.
func (e *Error) validateURLs(c Config) {
	e.webURL("SLACK_API_URL", c.SlackAPIURL)
	e.webURL("UPSTREAM_URL", c.UpstreamURL)
	e.secret("SLACK_API_URL", c.SlackAPIURL)
	e.secret("UPSTREAM_URL", c.UpstreamURL)
	e.webURL("PUBLIC_URL", c.PublicURL)
	e.pageURL("PRIVACY_URL", c.PrivacyURL)
	e.pageURL("SUPPORT_URL", c.SupportURL)
	e.webURL("OTEL_EXPORTER_OTLP_ENDPOINT", c.OTLPEndpoint)
	e.webURL("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.OTLPTracesEndpoint)
}

// validate notes values that cannot work.
func (e *Error) validate(c Config) {
	e.oneOf("UPSTREAM_PARAMS", c.UpstreamParams, "query", "query-only", "form", "json")
	e.oneOf("UPSTREAM_SIGNATURE", c.UpstreamSignature, "php", "plain", "python", "php-flat", "plain-flat", "python-flat")
	e.oneOf("UPSTREAM_SIGNATURE_NUMBERS", c.UpstreamSignatureNumbers, "string", "number", "sent")
	e.oneOf("LOG_LEVEL", c.LogLevel, "debug", "info", "warn", "error")
	_, err := c.ServiceDescriptions()
	e.When(err != nil, "SERVICE_DESCRIPTIONS", fmt.Sprint(err))
	if _, err := order.ParsePrices(c.Prices); err != nil {
		e.says("SERVICE_PRICES", "SERVICE_PRICES: "+err.Error())
	}
	e.oneOf("LOG_FORMAT", c.LogFormat, "text", "json")
	e.validateURLs(c)
	e.oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", c.OTLPProtocol, OTLPProtocol)
	for name, headers := range map[string]Secret{"OTEL_EXPORTER_OTLP_HEADERS": c.OTLPHeaders, "OTEL_EXPORTER_OTLP_TRACES_HEADERS": c.OTLPTracesHeaders} {
		_, err := OTLPHeaders(headers)
		e.When(err != nil, name, "is not understood")
	}
	e.prefix("SLACK_BOT_TOKEN", string(c.SlackBotToken), "xoxb-", "xoxe.xoxb-")
	e.prefix("SLACK_APP_TOKEN", string(c.SlackAppToken), "xapp-")
	e.When(c.UpstreamRate < 1 || c.UpstreamRate > 1000, "UPSTREAM_RATE", "is out of range")
	schedule, err := poll.ParseSchedule(c.PollSchedule)
	e.When(err != nil, "POLL_SCHEDULE", "is not a schedule")
	e.When(err == nil && schedule.Next(time.Now()).IsZero(), "POLL_SCHEDULE", "never comes")
	if rdb, err := conn.Connect(string(c.RedisURL)); errors.Is(err, conn.ErrWait) {
		e.says("REDIS_URL", "REDIS_URL: "+err.Error())
	} else if c.RedisURL != "" && err != nil {
		e.add("REDIS_URL", "is not understood (in a password, / ? # and @ are written as %2F %3F %23 and %40)")
	} else if err == nil {
		_ = rdb.Close() // nothing was dialled
	}
	short := func(key string) bool { return len(key) < files.MinKey }
	e.When(slices.ContainsFunc(c.FileKeys(), short), "FILE_SIGNING_KEY", "is too short")
	if c.EncryptionKey != "" {
		_, err := seal.NewKeys(string(c.EncryptionKey))
		e.When(err != nil, "ENCRYPTION_KEY", "is too short")
	}
	for name, set := range map[string]bool{"SLACK_CLIENT_SECRET": c.SlackClientSecret != "", "ENCRYPTION_KEY": c.EncryptionKey != ""} {
		e.When(set && c.SlackClientID == "", "SLACK_CLIENT_ID", "is missing beside "+name)
	}
	low, err := decimal.NewFromString(c.LowCredits)
	e.When(err != nil || low.IsNegative(), "LOW_CREDITS", "is not a number of credits")
	e.When(c.Retention < 0 || c.Retention > 0 && c.Retention < leastRetention, "RETENTION", "is too short")
	for _, user := range c.Operators {
		e.prefix("OPERATORS", user, "U", "W")
	}
	e.prefix("OPS_CHANNEL", c.OpsChannel, "C", "G")
	if !c.AllowPrivateURLs { // beside the sandbox, plain http will do
		e.prefix("PUBLIC_URL", c.PublicURL, "https://")
	}
	_, _, err = net.SplitHostPort(c.ListenAddr)
	e.When(err != nil, "LISTEN_ADDR", "is not an address")
	_, _, err = net.SplitHostPort(c.AdminAddr)
	e.When(err != nil && c.AdminAddr != AdminOff, "ADMIN_ADDR", "is not an address")
}

// Many reports whether the app is for many workspaces.
func (c Config) Many() bool { return c.SlackClientID != "" }

// CommandsAtOnce returns how many commands may be under way with one server of Redis; 0: the default. In an app for many
// workspaces each shard has two readers that wait for jobs.
func (c Config) CommandsAtOnce() int {
	if !c.Many() {
		return 0
	}
	return 2*keyspace.Shards + PerServer
}

// ServiceDescriptions returns the operator's own words for the service types.
func (c Config) ServiceDescriptions() (place.Descriptions, error) {
	words := place.Descriptions{}
	for one := range strings.SplitSeq(c.Services, ";") {
		if strings.TrimSpace(one) == "" {
			continue
		}
		name, says, found := strings.Cut(one, "=")
		service, says := order.ServiceType(strings.ToLower(strings.TrimSpace(name))), strings.TrimSpace(says)
		switch {
		case !found || says == "":
			return nil, errors.New("has a service type without words")
		case service != order.ServiceBasic && service != order.ServiceExtensive:
			return nil, errors.New("names a service type that is neither basic nor extensive")
		case words[service] != "":
			return nil, errors.New("describes a service type twice")
		case utf8.RuneCountInString(says) > place.MaxDescription:
			return nil, fmt.Errorf("has a description of more than %d characters", place.MaxDescription)
		}
		words[service] = says
	}
	return words, nil
}

// LowCreditsLimit returns the credits below which the operations channel is notified; zero: never.
func (c Config) LowCreditsLimit() decimal.Decimal {
	low, _ := decimal.NewFromString(c.LowCredits) // validated
	return low
}

// FileKeys returns the keys of file URLs, the signing one first. Spaces around commas do not
// count.
func (c Config) FileKeys() []string {
	if c.FileSigningKey == "" {
		return nil
	}
	keys := strings.Split(string(c.FileSigningKey), ",")
	for i, key := range keys {
		keys[i] = strings.TrimSpace(key)
	}
	return keys
}

func (e *Error) oneOf(name, value string, allowed ...string) {
	e.When(value != "" && !slices.Contains(allowed, value), name, "is not understood")
}

// webURL notes an address that cannot be extended by paths and queries.
func (e *Error) webURL(name, value string) {
	u, err := url.Parse(value)
	e.When(value != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https"), name, "is not a web address")
	e.When(err == nil && (u.User != nil || u.RawQuery != "" || u.Fragment != ""), name, "cannot be used: no password, no query, no fragment")
}

// pageURL notes an address that a browser does not open safely.
func (e *Error) pageURL(name, value string) {
	u, err := url.Parse(value)
	e.When(value != "" && (err != nil || u.Host == "" || u.Scheme != "https" || u.User != nil), name, "is not the https:// address of a page")
}

// secret notes an address of another machine to which credentials would travel unencrypted.
func (e *Error) secret(name, value string) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return
	}
	ip := net.ParseIP(u.Hostname())
	e.When(u.Hostname() != "localhost" && !ip.IsLoopback(), name, "begins with http://, so that credentials would travel in clear (only localhost, 127.0.0.1 and ::1 may)")
}

func (e *Error) prefix(name, value string, prefixes ...string) {
	begins := func(prefix string) bool { return strings.HasPrefix(value, prefix) }
	e.When(value != "" && !slices.ContainsFunc(prefixes, begins), name, "does not look right")
}

// Wants maps each variable to the description of its value.
func Wants() map[string]string {
	t := reflect.TypeFor[Config]()
	all := make(map[string]string, t.NumField())
	for f := range t.Fields() {
		all[f.Tag.Get("env")] = f.Tag.Get("want")
	}
	return all
}
