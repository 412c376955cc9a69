package config

import (
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Service returns the configuration of a client of the photo service, whose calls wait for limiter.
func (c Config) Service(limiter upstream.Limiter) upstream.Config {
	return upstream.Config{
		URL: c.UpstreamURL, Key: string(c.UpstreamAPIKey), Secret: string(c.UpstreamAPISecret),
		Params: c.UpstreamParams, Signature: c.UpstreamSignature,
		Numbers: c.UpstreamSignatureNumbers, BasicAuth: c.UpstreamBasicAuth, Limiter: limiter,
	}
}

// Account returns the account of the photo service that the configuration names, with the operator's prices.
func (c Config) Account() tenants.ServiceAccount {
	return tenants.ServiceAccount{URL: c.UpstreamURL, Key: string(c.UpstreamAPIKey), Prices: c.Prices}
}
