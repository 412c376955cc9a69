package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/upstream"
)

// ordered returns the only order that the service got.
func ordered(r *commandstest.Rig) upstream.NewOrder {
	r.T.Helper()
	r.Service.Lock()
	defer r.Service.Unlock()
	require.Len(r.T, r.Service.Placed, 1)
	return r.Service.Placed[0]
}

func TestWhatIsTypedIsOfferedAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		first := r.Sheet()
		first.Types("Instructions", "Brighten the sk")
		first.Types("Instructions", "Brighten the sky.")
		first.Types("Photo links", "https://example.com/a.jpg\nnot yet a U")
		first.Closes()
		require.Empty(r.T, r.Screen.LastMessage(), "closing makes no noise")

		r.Types("new")
		second := r.Sheet()
		require.Contains(r.T, second.Shown(), "unfinished order")
		require.Contains(r.T, second.Shown(), "Brighten the sky.”")
		second.Types("Project name", "Another")
		second.Presses(place.ActionOpen, r.Draft().ID)
		require.NotContains(r.T, second.Shown(), "Another", "it is the other draft's form")
		require.Contains(r.T, second.Shown(), "not\\nyet\\na\\nU", "as it was typed")
		second.Types("Photo links", "https://example.com/a.jpg")
		require.Empty(r.T, second.Submits())
		require.Contains(r.T, second.Shown(), "Order placed")

		r.Types("new")
		require.NotContains(r.T, r.Sheet().Shown(), "Brighten the sky.", "what was placed is not offered")
		require.Contains(r.T, r.Sheet().Shown(), "Another", "what was left for it is")
	})
}

func TestADiscardedDraftIsNotOfferedAndTheFormStays(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		r.Screen.Closes()
		r.Types("new")
		form := r.Sheet()
		form.Types("Instructions", "Keep the sand.")
		form.Presses(place.ActionDiscard, r.Draft().ID)
		require.NotContains(r.T, form.Shown(), "unfinished order")
		require.Contains(r.T, form.Shown(), "Keep the sand.")
		require.Equal(r.T, store.DraftDiscarded, r.Draft().State)
	})
}

func TestOnlyTheirOwnDraftIsOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "new", User: "peter"})
		require.NotContains(r.T, r.Screen.Modal(), "unfinished")
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionOpen, Value: r.Draft().ID, User: "peter"})
		require.Contains(r.T, r.Screen.LastMessage(), "This draft is no longer saved")
	})
}

func TestALateKeystrokeDoesNotUndoALaterOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		form := r.Sheet()
		form.Types("Instructions", "Bright")
		late := form.Acts
		form.Types("Instructions", "Brighten")
		form.Held[form.Field("Instructions")] = slack.BlockAction{Value: "Bright"}
		form.Acts = late - 1
		form.Dispatch()
		require.Equal(r.T, []string{"Brighten"}, r.Draft().Instructions)
	})
}

func TestWhatIsTypedAfterPlacingChangesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		late := form.View()
		require.Empty(r.T, form.Submits())
		_, err := r.Handle(r.T.Context(), bot.Request{
			Kind: bot.KindAction, Name: kit.ActionTyped, View: late, Team: "T1", User: "maria", ActionTS: "9",
		})
		require.NoError(r.T, err)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestPhotosAreOrderedBeforeTheURLs(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new https://example.com/c.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Uploads("a.jpg", "b.jpg")
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
		images := ordered(r).Images
		require.Len(r.T, images, 3)
		require.Regexp(r.T, `^https://darkroom\.example\.com/files/.+/a\.jpg$`, images[0].URL)
		require.Contains(r.T, images[1].URL, "/b.jpg")
		require.Equal(r.T, "https://example.com/c.jpg", images[2].URL)
		order, err := r.Store.Orders.Order(r.T.Context(), "order1")
		require.NoError(r.T, err)
		require.Equal(r.T, 3, order.Images)
	})
}

func TestMorePhotosThanOneUploadHolds(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new")
		form := r.Sheet()
		for part := range 4 {
			var names []string
			for i := range 10 {
				names = append(names, fmt.Sprintf("p%d%d.jpg", part, i))
			}
			form.Uploads(names...)
			form.Ticks("Add more photos", true) // and the photos stay
			require.Equal(r.T, part < 3, form.Button() == "Next", "ten more have room without it")
			if part < 3 {
				require.Empty(r.T, form.Submits())
				require.Equal(r.T, "Place Order", form.Button())
			}
			require.Contains(r.T, form.Shown(), fmt.Sprintf("%d photos in this order", 10*(part+1)))
		}
		require.Contains(r.T, form.Shown(), "40 · p39.jpg")
		form.Uploads("q0.jpg")
		form.Presses(place.ActionOptions, "")
		form.Types("Photo links", strings.Repeat("https://example.com/a.jpg ", 1)+"https://example.com/b.jpg")
		form.Types("Instructions", "Brighten.")
		require.Empty(r.T, form.Submits())
		require.Len(r.T, ordered(r).Images, 43)
	})
}

// Slack may lose what was chosen in the upload field. The form says so where it would come back without it.
func TestAFormThatWantsMorePhotosSaysWhenNoneCame(t *testing.T) {
	for _, next := range []string{"Add more photos", "Per photo"} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.Signs()
			r.Types("new")
			form := r.Sheet()
			form.Presses(place.ActionOptions, "")
			form.Types("Instructions", "Brighten.")
			form.Ticks(next, true)
			require.Len(r.T, form.Submits(), 1, next)
			require.Contains(r.T, form.Shown(), "Brighten.")
		})
	}
}

func TestAPhotoThatIsTakenOutIsNotOrdered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new")
		form := r.Sheet()
		form.Uploads("a.jpg", "b.jpg")
		form.Ticks("Add more photos", true)
		form.Submits()
		form.Types("Instructions", "Brighten.")
		form.Uploads("c.jpg") // not submitted yet
		r.Screen.Moved = 1
		stale := form.View()
		form.Presses(place.ActionRemove, place.PhotoValue(r.Draft().ID, commandstest.SlackPhoto("a.jpg").ID))
		require.NotContains(r.T, form.Shown(), "a.jpg")
		require.Contains(r.T, form.Shown(), "2 · c.jpg", "what was in the field is kept")
		require.Contains(r.T, form.Shown(), "Brighten.")

		// A submission of the older window still has the photo.
		reply, err := r.Handle(r.T.Context(), bot.Request{
			Kind: bot.KindSubmit, ID: "s", Name: place.CallbackNew, Team: "T1", User: "maria", View: stale,
		})
		require.NoError(r.T, err)
		require.Empty(r.T, reply.Body.(*slack.ViewSubmissionResponse).Errors)
		r.Settle(time.Second)
		require.Len(r.T, ordered(r).Images, 2)
		form.Presses(place.ActionRemove, place.PhotoValue(r.Draft().ID, commandstest.SlackPhoto("b.jpg").ID))
		require.Len(r.T, r.Draft().Files, 2, "what is ordered stays")
	})
}

func TestWhatCannotBeOrderedIsNamedUnderPhotos(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Uploads("a.jpg", "notes.pdf")
		problem := form.Problem(form.Submits(), "Photos")
		require.Contains(r.T, problem, "notes.pdf is not a photo")
		require.NotContains(r.T, problem, "a.jpg")
		require.Equal(r.T, "a.jpg", r.Draft().Files[0].Name, "kept")
		form.Uploads("a.jpg")
		require.Empty(r.T, form.Submits())
		require.Len(r.T, ordered(r).Images, 1)
	})
}

func TestALocalProblemKeepsTheDraft(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		form := r.Sheet()
		form.Held[form.Field("Photo links")] = slack.BlockAction{Value: "ftp://example.com/a.jpg"}
		form.Held[form.Field("Instructions")] = slack.BlockAction{Value: "Brighten."}
		require.Contains(r.T, form.Problem(form.Submits(), "Photo links"), "ftp://example.com/a.jpg")
		require.Equal(r.T, []string{"Brighten."}, r.Draft().Instructions)
	})
}

func TestWithoutAPublicURLTheFormSaysWhy(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		require.Contains(r.T, r.Screen.Modal(), "PUBLIC_URL")
		require.NotContains(r.T, r.Screen.Modal(), "file_input")
	})
}

func TestARefusedPhotoIsNamedAndKeepsItsAddress(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Uploads("beach.jpg")
		r.Service.NextCreate = append(r.Service.NextCreate, func(func() order.Order) (order.Order, error) {
			url := r.Service.Placed[0].Images[0].URL
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"one file is not accessible from our server: " + url}}
		})
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "not accessible from our server: 1 · beach.jpg")
		require.NotContains(r.T, form.Shown(), "/files/")
		r.Settle(time.Hour)
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
		require.Equal(r.T, r.Service.Placed[0].Images, r.Service.Placed[1].Images, "another address would look like another photo")
	})
}

func TestAFormThatComesTooLateIsKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Late = 1
		r.Types("new https://example.com/a.jpg")
		require.Contains(r.T, r.Screen.LastMessage(), "I was too late")
		require.Contains(r.T, r.Screen.LastMessage(), place.ActionOpen)
		r.Presses(place.ActionOpen, r.Draft().ID)
		require.Contains(r.T, r.Screen.Modal(), "https://example.com/a.jpg")
	})
}

func TestASecondDeliveryOfTheClickKeepsWhatIsTyped(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		r.Screen.Late = 1 // the trigger is used up
		q := bot.Request{Kind: bot.KindCommand, ID: "trigger1", Verb: "new", Team: "T1", User: "maria", Channel: "C1", TriggerID: "trigger1"}
		require.NoError(r.T, works(r.T.Context(), r, q))
		require.Equal(r.T, []string{"Brighten."}, r.Draft().Instructions)
		require.Empty(r.T, r.Screen.LastMessage(), "the form is open")
	})
}

// ordersPhotos chooses the shortcut on a message with that text and these photos.
func ordersPhotos(r *commandstest.Rig, text string, names ...string) {
	r.T.Helper()
	m := &slack.Message{}
	m.Text = text
	for _, name := range names {
		m.Files = append(m.Files, commandstest.SlackPhoto(name))
	}
	r.Click(bot.Request{Kind: bot.KindShortcut, Name: commands.ShortcutPhotos, Message: m})
}

func TestThePhotosOfAMessageAreOrdered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		ordersPhotos(r, "<@UDARKROOM> Brighten &amp; crop.\nKeep the sand, see <https://example.com/x.jpg>", "a.jpg", "notes.pdf", "b.jpg")
		form := r.Sheet()
		require.Contains(r.T, form.Shown(), "notes.pdf: this is not a photo")
		require.Contains(r.T, form.Shown(), "2 photos in this order")
		require.Equal(r.T, []string{"Brighten & crop.", "Keep the sand, see https://example.com/x.jpg"}, r.Draft().Instructions)
		require.Equal(r.T, "C1", r.Draft().Channel)
		require.Empty(r.T, r.Service.Placed, "nothing is sent yet")
		require.Empty(r.T, form.Submits())
		require.Len(r.T, ordered(r).Images, 2)
	})
}

func TestAMessageWithoutPhotosOpensTheFormAllTheSame(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		ordersPhotos(r, "Brighten.", "notes.pdf")
		require.Contains(r.T, r.Screen.Modal(), "notes.pdf: this is not a photo")
		ordersPhotos(r, "Brighten.")
		require.Contains(r.T, r.Screen.Modal(), "no photos of its own")
		require.Contains(r.T, r.Screen.Modal(), "Brighten.")
		r.Sign(nil)
		ordersPhotos(r, "Brighten.", "a.jpg")
		require.Contains(r.T, r.Screen.Modal(), "PUBLIC_URL")
	})
}

func TestAMessageWhoseTriggerIsTooOldIsKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Screen.Late = 1
		ordersPhotos(r, "Brighten.", "a.jpg")
		require.Contains(r.T, r.Screen.LastMessage(), place.ActionOpen)
		require.Len(r.T, r.Draft().Files, 1)
	})
}

func TestTheButtonSaysNextWheneverItLeadsOn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		for _, label := range []string{"Per photo", "Add more photos"} {
			form.Ticks(label, true)
			require.Equal(r.T, "Next", form.Button(), label)
			form.Ticks(label, false)
			require.Equal(r.T, "Place Order", form.Button(), label)
		}
		require.Contains(r.T, form.Shown(), "Brighten.")
		require.Empty(r.T, form.Submits())
		require.Len(r.T, ordered(r).Images, 1)
	})
}

func TestATickThatTheAppHasNotHeardOfLeadsOnAllTheSame(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.TicksUnseen("Per photo", true)
		require.Equal(r.T, "Place Order", form.Button())
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "1 photo: 1 Basic")
		require.Empty(r.T, r.Service.Placed)
	})
}

func TestAButtonThatSaysNextOrdersNothingWithoutATickEither(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.Ticks("Per photo", true)
		form.TicksUnseen("Per photo", false)
		require.Equal(r.T, "Next", form.Button())
		require.Empty(r.T, form.Submits())
		require.Empty(r.T, r.Service.Placed)
		require.Equal(r.T, "Place Order", form.Button())
		require.Empty(r.T, form.Submits())
		require.Len(r.T, ordered(r).Images, 1)
	})
}

func TestATickDoesNotPaintOverWhatCameMeanwhile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		form.TicksUnseen("Per photo", true)
		late := form.View()
		require.Empty(r.T, form.Submits())
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionEach, Value: "yes", View: late})
		require.Contains(r.T, form.Shown(), "1 · a.jpg: Instruction", "the second step stays")
	})
}

// Slack sends a tick and the submission after it at once; the tick may be done last.
func TestATickThatIsLateDoesNotVoidTheStepThatComes(t *testing.T) {
	for name, ts := range map[string]string{"before the submission": "946684799.999999", "after it": "946999999.000000"} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Signs()
				r.Types("new")
				form := r.Sheet()
				form.Uploads("a.jpg")
				form.Types("Instructions", "Brighten.")
				form.TicksUnseen("Per photo", true)
				late := form.View()
				require.Empty(r.T, form.SubmitsBefore(func() {
					require.Contains(r.T, form.Shown(), "One moment")
					r.Click(bot.Request{
						Kind: bot.KindAction, Name: place.ActionEach, Value: "yes", View: late, ActionTS: ts, ViewSummary: bot.ViewSummary{Bytes: 20_000},
					})
				}))
				require.Contains(r.T, form.Shown(), "1 · a.jpg: Instruction")
			})
		})
	}
}

func TestWhatIsFoldedAwayOpensAndNothingTypedIsLost(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Types("new")
		form := r.Sheet()
		require.NotContains(r.T, form.Shown(), "Photo links\",")
		require.NotContains(r.T, form.Shown(), "Post to")
		require.Contains(r.T, form.Shown(), "Updates go to")
		form.Types("Instructions", "Brighten.")
		form.Uploads("a.jpg")
		form.Presses(place.ActionOptions, "")
		form.Types("Photo links", "https://example.com/b.jpg")
		form.Presses(place.ActionOptions, "")
		require.Contains(r.T, form.Shown(), "https://example.com/b.jpg")
		require.Contains(r.T, form.Shown(), "*2 photos*", "counted as far as they are told")
		form.Types("Customer ID", "77")
		form.Held[form.Field("Post to")] = slack.BlockAction{SelectedConversation: "C2"}
		require.Empty(r.T, form.Submits())
		require.Equal(r.T, []string{"Brighten."}, ordered(r).Instructions)
		require.Len(r.T, ordered(r).Images, 2)
		require.Equal(r.T, "77", ordered(r).CustomerID)
		require.Equal(r.T, "C2", r.Draft().Channel)
	})
}

func TestEverythingWrongIsSaidAtOnceAndIsGoneWhenMended(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Brighten.")
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits", "one file is not accessible from our server: https://example.com/a.jpg"))
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "insufficient balance")
		require.Contains(r.T, form.Shown(), "could not open *1 · a.jpg*")

		form.Types("Photo links", "ftp://example.com/b.jpg https://example.com/c.jpg https://example.com/c.jpg")
		form.Types("Instructions", " ")
		form.Types("Project name", strings.Repeat("x", 81))
		require.Empty(r.T, form.Submits(), "it is shown anew")
		for _, wrong := range []string{"ftp://example.com/b.jpg", "Listed more than once", "Say what the editor should do", "has 81 characters"} {
			require.Contains(r.T, form.Shown(), wrong)
		}
		require.NotContains(r.T, form.Shown(), "insufficient balance", "mended, or so they say")
		require.NotContains(r.T, form.Shown(), "could not open")

		form.Types("Photo links", "https://example.com/c.jpg")
		form.Types("Instructions", "Brighten.")
		form.Types("Project name", "Short")
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
	})
}
