package person

import "darkroom/sandbox/workspace"

// Goto is [Person.Goto].
func (x *T) Goto(channel string) { x.must(x.p.Goto(channel)) }

// OpenHome is [Person.OpenHome].
func (x *T) OpenHome() { x.must(x.p.OpenHome()) }

// OpenThread is [Person.OpenThread].
func (x *T) OpenThread(text string) { x.must(x.p.OpenThread(text)) }

// Reload is [Person.Reload].
func (x *T) Reload() { x.must(x.p.Reload()) }

// CloseThread is [Person.CloseThread].
func (x *T) CloseThread() { x.must(x.p.CloseThread()) }

// Type is [Person.Type].
func (x *T) Type(line string) { x.must(x.p.Type(line)) }

// Share is [Person.Share].
func (x *T) Share(text string, files ...workspace.Upload) { x.must(x.p.Share(text, files...)) }

// EditMessage is [Person.EditMessage].
func (x *T) EditMessage(old, text string) { x.must(x.p.EditMessage(old, text)) }

// DeleteMessage is [Person.DeleteMessage].
func (x *T) DeleteMessage(text string) { x.must(x.p.DeleteMessage(text)) }

// Fill is [Person.Fill].
func (x *T) Fill(label, text string) { x.must(x.p.Fill(label, text)) }

// Choose is [Person.Choose].
func (x *T) Choose(label string, options ...string) { x.must(x.p.Choose(label, options...)) }

// FillOn is [Person.FillOn].
func (x *T) FillOn(near, label, text string) { x.must(x.p.FillOn(near, label, text)) }

// Check is [Person.Check].
func (x *T) Check(label string, options ...string) { x.must(x.p.Check(label, options...)) }

// Uncheck is [Person.Uncheck].
func (x *T) Uncheck(label string, options ...string) { x.must(x.p.Uncheck(label, options...)) }

// Upload is [Person.Upload].
func (x *T) Upload(label string, files ...workspace.Upload) { x.must(x.p.Upload(label, files...)) }

// Press is [Person.Press].
func (x *T) Press(button string) { x.must(x.p.Press(button)) }

// PressOn is [Person.PressOn].
func (x *T) PressOn(message, button string) { x.must(x.p.PressOn(message, button)) }

// Follow is [Person.Follow].
func (x *T) Follow(message, button string) string {
	address, err := x.p.Follow(message, button)
	x.must(err)
	return address
}

// PressTwice is [Person.PressTwice].
func (x *T) PressTwice(button string) { x.must(x.p.PressTwice(button)) }

// PressReplayed is [Person.PressReplayed].
func (x *T) PressReplayed(button string) { x.must(x.p.PressReplayed(button)) }

// Submit is [Person.Submit].
func (x *T) Submit() { x.must(x.p.Submit()) }

// SubmitTwice is [Person.SubmitTwice].
func (x *T) SubmitTwice() { x.must(x.p.SubmitTwice()) }

// SubmitReplayed is [Person.SubmitReplayed].
func (x *T) SubmitReplayed() { x.must(x.p.SubmitReplayed()) }

// Cancel is [Person.Cancel].
func (x *T) Cancel() { x.must(x.p.Cancel()) }

// CloseModal is [Person.CloseModal].
func (x *T) CloseModal() { x.must(x.p.CloseModal()) }

// Shortcut is [Person.Shortcut].
func (x *T) Shortcut(name string) { x.must(x.p.Shortcut(name)) }

// MessageShortcut is [Person.MessageShortcut].
func (x *T) MessageShortcut(message, name string) { x.must(x.p.MessageShortcut(message, name)) }

// SeesModal is [Person.SeesModal].
func (x *T) SeesModal(title string) { x.must(x.p.SeesModal(title)) }

// SeesNoModal is [Person.SeesNoModal].
func (x *T) SeesNoModal() { x.must(x.p.SeesNoModal()) }

// SeesError is [Person.SeesError].
func (x *T) SeesError(label, text string) { x.must(x.p.SeesError(label, text)) }

// SeesValue is [Person.SeesValue].
func (x *T) SeesValue(label, value string) { x.must(x.p.SeesValue(label, value)) }

// Sees is [Person.Sees].
func (x *T) Sees(text string) { x.must(x.p.Sees(text)) }

// DoesNotSee is [Person.DoesNotSee].
func (x *T) DoesNotSee(text string) { x.must(x.p.DoesNotSee(text)) }

// SeesInThread is [Person.SeesInThread].
func (x *T) SeesInThread(card, text string) { x.must(x.p.SeesInThread(card, text)) }

// DoesNotSeeInThread is [Person.DoesNotSeeInThread].
func (x *T) DoesNotSeeInThread(card, text string) { x.must(x.p.DoesNotSeeInThread(card, text)) }

// SeesBroadcast is [Person.SeesBroadcast].
func (x *T) SeesBroadcast(text string) { x.must(x.p.SeesBroadcast(text)) }

// SeesThumbnails is [Person.SeesThumbnails].
func (x *T) SeesThumbnails(n int) { x.must(x.p.SeesThumbnails(n)) }

// SeesButton is [Person.SeesButton].
func (x *T) SeesButton(label string) { x.must(x.p.SeesButton(label)) }

// SeesNoButton is [Person.SeesNoButton].
func (x *T) SeesNoButton(label string) { x.must(x.p.SeesNoButton(label)) }

// SeesButtonOn is [Person.SeesButtonOn].
func (x *T) SeesButtonOn(message, label string) { x.must(x.p.SeesButtonOn(message, label)) }

// SeesNoButtonOn is [Person.SeesNoButtonOn].
func (x *T) SeesNoButtonOn(message, label string) { x.must(x.p.SeesNoButtonOn(message, label)) }

// SeesDM is [Person.SeesDM].
func (x *T) SeesDM(text string) { x.must(x.p.SeesDM(text)) }

// SeesHome is [Person.SeesHome].
func (x *T) SeesHome(text string) { x.must(x.p.SeesHome(text)) }

// SeesReaction is [Person.SeesReaction].
func (x *T) SeesReaction(message, emoji string) { x.must(x.p.SeesReaction(message, emoji)) }

// SeesOptions is [Person.SeesOptions].
func (x *T) SeesOptions(label, typed string, texts ...string) {
	x.must(x.p.SeesOptions(label, typed, texts...))
}

// SeesNoReaction is [Person.SeesNoReaction].
func (x *T) SeesNoReaction(message, emoji string) { x.must(x.p.SeesNoReaction(message, emoji)) }

// SeesEphemeral is [Person.SeesEphemeral].
func (x *T) SeesEphemeral(text string) { x.must(x.p.SeesEphemeral(text)) }

// Card is [Person.Card].
func (x *T) Card(text string) workspace.Message {
	m, err := x.p.Card(text)
	x.must(err)
	return m
}
