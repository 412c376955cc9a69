package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"syscall"

	"darkroom/cmd/darkroom/config"
)

// admin is the address that only operators reach, with metrics and pprof.
type admin struct {
	addr     string
	metrics  http.Handler
	log      *slog.Logger
	listener net.Listener // nil: ADMIN_ADDR is off
}

// listen opens the address, unless it is off.
func (a *admin) listen(ctx context.Context) (err error) {
	if a.addr == config.AdminOff {
		return nil
	}
	var lc net.ListenConfig
	a.listener, err = lc.Listen(ctx, "tcp", a.addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("ADMIN_ADDR: %s is taken (%w); give each replica on this machine its own, such as 127.0.0.1:9091, or \"off\" for none", a.addr, err)
	case err != nil:
		return fmt.Errorf("ADMIN_ADDR: %w", err)
	}
	a.log.Info("metrics and pprof", "admin_addr", a.listener.Addr().String())
	if tcp, ok := a.listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.log.Warn("metrics and pprof are not on a loopback address: let only your own network reach it", "admin_addr", tcp.String())
	}
	return nil
}

// serve serves operators until stop is called. The app calls stop last, so that they see the app
// stop.
func (a *admin) serve() (stop func()) {
	if a.listener == nil {
		return func() {}
	}
	server := httpServer(a.mux(), a.log)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("metrics and pprof are served no longer", "err", err)
		}
	}()
	return func() {
		_ = server.Close() // no work is lost
		<-ended
	}
}

// mux serves the HTTP paths for operators.
func (a *admin) mux() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
