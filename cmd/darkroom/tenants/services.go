package tenants

import (
	"darkroom/cmd/darkroom/workspace"
	"darkroom/files"
	"darkroom/store/ratelimit"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Services has the rates of all accounts, and the connections to their services.
type Services struct {
	shared      *workspace.Shared
	rates       *ratelimit.Accounts
	connections *upstream.Connections
}

// connections returns the connection pool for the order services of all workspaces.
func connections(s *workspace.Shared) *upstream.Connections {
	t := files.Transport(s.Config.AllowPrivateURLs)
	t.MaxIdleConns = idleInAll
	return upstream.NewConnections(t, idlePerHost, s.Failpoints.Service())
}

// Dial returns a function that makes a client of an account's service, at the account's rate.
func (m *Services) Dial(who string, observe func(upstream.Call), part func(r *ratelimit.Account) upstream.Limiter) func(tenants.ServiceAccount) (*upstream.Client, error) {
	return func(a tenants.ServiceAccount) (*upstream.Client, error) {
		return m.shared.ServiceOf(accountConfig(a, workspace.Claimed{Limiter: part(m.rates.Of(a.ID()))}, m.connections), who, observe)
	}
}
