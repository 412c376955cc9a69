package workspace

// SetSigningSecret makes another secret sign from now on, as Slack does when one is regenerated.
func (w *Workspace) SetSigningSecret(secret string) {
	defer w.change()()
	w.o.SigningSecret = secret
}

// SetBotToken makes another token the app's, as an installation does after the one before was revoked.
func (w *Workspace) SetBotToken(token string) {
	defer w.change()()
	w.o.BotToken, w.revoked = token, false
}

// SetAppTokens replaces the app-level tokens: an app may have several.
func (w *Workspace) SetAppTokens(tokens ...string) {
	defer w.change()()
	w.o.AppToken, w.appTokens = tokens[0], tokens
}
