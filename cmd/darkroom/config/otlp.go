package config

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// OTLPProtocol is the protocol for collectors. OpenTelemetry's own client for it needs gRPC for two message types, which
// would make the program half as large again.
const OTLPProtocol = "http/protobuf"

// OTLPHeaders reads name=value,name=value.
func OTLPHeaders(text Secret) (http.Header, error) {
	all := http.Header{}
	for pair := range strings.SplitSeq(string(text), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !found || name == "" || err != nil {
			return nil, errors.New("headers: not name=value,name=value")
		}
		all.Set(name, value)
	}
	return all, nil
}

// TracesURL returns the address that spans are sent to; "": traces are off.
func (c Config) TracesURL() string {
	switch {
	case c.OTelDisabled:
		return ""
	case c.OTLPTracesEndpoint != "" || c.OTLPEndpoint == "":
		return c.OTLPTracesEndpoint
	}
	return strings.TrimRight(c.OTLPEndpoint, "/") + "/v1/traces"
}
