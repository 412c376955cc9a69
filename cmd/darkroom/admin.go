package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"syscall"

	"darkroom/cmd/darkroom/config"
)

// listenAdmin opens the address that only operators reach; nil: there is none.
func (a *app) listenAdmin(ctx context.Context) (err error) {
	addr := a.cfg.AdminAddr
	if addr == config.AdminOff {
		return nil
	}
	var lc net.ListenConfig
	a.admin, err = lc.Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("ADMIN_ADDR: %s is taken (%w); give each replica on this machine its own, such as 127.0.0.1:9091, or \"off\" for none", addr, err)
	case err != nil:
		return fmt.Errorf("ADMIN_ADDR: %w", err)
	}
	a.log.Info("metrics and pprof", "admin_addr", a.admin.Addr().String())
	if tcp, ok := a.admin.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.log.Warn("metrics and pprof are not on a loopback address: let only your own network reach it", "admin_addr", tcp.String())
	}
	return nil
}

// serveAdmin serves operators, if there is an address for them, until what it returns is called: after all
// else, so that they see the app stop.
func (a *app) serveAdmin() (stop func()) {
	if a.admin == nil {
		return func() {}
	}
	server := a.httpServer(a.adminMux())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(a.admin); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("metrics and pprof are served no longer", "err", err)
		}
	}()
	return func() {
		_ = server.Close() // nobody's work is lost
		<-ended
	}
}

// adminMux is every HTTP path that is for operators alone.
func (a *app) adminMux() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.Handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
