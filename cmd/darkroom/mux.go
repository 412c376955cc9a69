package main

import (
	"encoding/json"
	"net/http"
	"time"

	"darkroom/bot"
	"darkroom/bot/install"
	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/workspace"
	"darkroom/files"
	"darkroom/review"
)

// mux serves the HTTP paths for Slack, the photo service and probes. The paths for operators are in
// [admin.mux].
func (a *app) mux() http.Handler {
	mux := http.NewServeMux()
	if a.server != nil {
		for _, path := range []string{bot.PathCommands, bot.PathInteractions, bot.PathEvents} {
			mux.Handle(path, a.server)
		}
	}
	if a.shared.Signer != nil {
		all := workspace.Files{Of: a.workspaceApp}
		mux.Handle(files.Path, files.NewHandler(a.shared.Signer, all, a.log))
		mux.Handle(files.ZIPPath, files.NewZIPHandler(files.ZIPConfig{
			Signer: a.shared.Signer, Deliveries: all, Log: a.log, Fetcher: a.shared.Originals(),
		}))
		mux.Handle(review.Path, review.NewHandler(review.Config{Signer: a.shared.Signer, Of: all.Review, Log: a.log, Now: time.Now}))
	}
	if a.many != nil {
		for _, path := range []string{install.Path, install.Path + "/", install.PathOAuth} {
			mux.Handle(path, a.many.Install)
		}
	}
	mux.HandleFunc("GET "+config.PathHealth, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", a.ready.serve)
	return mux
}

func answer(w http.ResponseWriter, status int, says string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"app": config.AppName, "status": says}) // the client went away
}
