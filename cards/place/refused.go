package place

import (
	"errors"
	"slices"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// refused says why the order was refused. Problems of single images stand beside those images.
func (f *orderForm) refused() {
	if len(f.named) == 0 {
		return
	}
	var rows []string
	marked := 0
	for i, problem := range f.named {
		if f.besideImage[i] {
			marked++
			continue
		}
		rows = append(rows, kit.Inline(problem, 600))
	}
	if marked > 0 {
		rows = append(rows, kit.Count(marked, "photo has a problem. See the note under the photos.", "photos have a problem. See the notes under the photos."))
	}
	f.Alert("The order was not placed, and nothing was charged:\n• " + strings.Join(rows, "\n• ") +
		"\nNothing you typed is lost. Fix this and place the order again.")
}

// StillThere keeps the problems that name an image of the draft. The others may be fixed.
func StillThere(d store.Draft, problems kit.Problems) kit.Problems {
	return slices.DeleteFunc(slices.Clone(problems), func(problem string) bool { return !imageNamed(d, problem) })
}

// imageNamed reports whether a problem names an image of the draft.
func imageNamed(d store.Draft, problem string) bool {
	return slices.ContainsFunc(d.Images(), func(image store.DraftImage) bool { return namesAddress(problem, image.Address) })
}

// namesAddress reports whether a problem contains the whole address. One address may begin with another.
func namesAddress(problem, address string) bool {
	if address == "" {
		return false
	}
	for _, after, found := strings.Cut(problem, address); found; _, after, found = strings.Cut(after, address) {
		if after == "" || strings.ContainsAny(after[:1], " ,;.)\"'\n") {
			return true
		}
	}
	return false
}

// problemText returns a problem as it stands beside its image.
func (f *orderForm) problemText(i int) string {
	own := "The photo service says: “" + kit.FullStop(kit.Inline(f.named[i], 600)) + "”"
	if !errors.Is(order.ReasonOf("create", f.a.Problems[i]), order.ErrInaccessibleFile) {
		return own
	}
	what := "the photo"
	for at, image := range f.d.Images() {
		if namesAddress(f.a.Problems[i], image.Address) {
			what = "*" + kit.Inline(kit.PhotoLabel(at, image.Name), 200) + "*"
		}
	}
	return "The photo service could not open " + what + ". It says: “" + kit.FullStop(kit.Inline(f.named[i], 600)) + "”"
}

// Refused tells the requester, whose form is closed, why the order was refused. It shows everything typed.
func Refused(d store.Draft, problems kit.Problems) kit.Message {
	p := &kit.Page{}
	addUnpostable(p, d)
	p.Problems("Your order was not placed, and nothing was charged:", Named(d, problems),
		"Everything you typed is saved. Open the form, fix this and place the order again.")
	return addDraftButtons(addDraft(p, d), "Open the Form", d).Message()
}

// GuestOrder tells a read-only person why they cannot order. urls are those of their command.
func GuestOrder(channel string, why order.Denial, urls string) kit.Message {
	return kit.NewPage(CannotOrder(channel, why)).Typed("Your photo links:", urls).Message()
}

// CannotOrder is the sentence of [GuestOrder].
func CannotOrder(channel string, why order.Denial) string {
	return cards.OnlySees(why) + "place them. Nothing was sent: ask " + cards.FullMember(channel) + " to order for you."
}

// Reopen offers a draft whose form could not be opened.
func Reopen(d store.Draft, sentence string) kit.Message {
	return kit.NewPage(kit.Cut(sentence, kit.MaxSection)).Say("Saved for you: " + summary(d)).
		Buttons(kit.PrimaryButton("Open the Form", ActionOpen, d.ID)).Message()
}

// addDraft shows everything typed into the order form.
func addDraft(p *kit.Page, d store.Draft) *kit.Page {
	photos := kit.Map(d.Files, func(i int, f store.DraftFile) string { return kit.PhotoLabel(i, f.Name) })
	return p.Say("Post to: "+kit.ChannelLink(d.Channel)).
		Typed("Photos:", strings.Join(photos, "\n")).
		Typed("Photo links:", strings.Join(d.URLs, "\n")).
		Say("Service type: "+kit.EscapeTo(ServiceWords(d.Service), kit.MaxField)).
		Typed("Instructions:", strings.Join(d.Instructions, "\n")).
		Typed("Project name:", d.ProjectName).
		Typed("Customer ID:", d.CustomerID)
}
