package stories

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// A channel says what its photos must be. The review says which ones are not so, and Request Changes begins with that.
func TestTheReviewSaysWhatIsNotAsOrdered(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	maria.Goto("#shoots")
	opensSettings(maria, "Delivered photos")
	maria.Fill("Size in pixels", "large")
	maria.Submit()
	maria.SeesError("Size in pixels", "Type 2000 for the long edge")
	maria.Fill("Size in pixels", "900")
	maria.Check("File formats", "JPEG")
	maria.Choose("Color profile", "Standard (sRGB)")
	savesSettings(maria, "Photos: long edge 900 px or more, JPEG, sRGB.")

	ben.Goto("#shoots")
	w.Photos.Botches("house.jpg", photos.Small)
	w.Photos.Botches("cake.jpg", photos.LeftOut)
	w.Photos.Botches("shoe.jpg", photos.Untouched)
	w.Photos.Botches("cat.jpg", photos.Page)
	var all []string
	for _, name := range []string{"beach.jpg", "house.jpg", "cake.jpg", "shoe.jpg", "cat.jpg"} {
		at := slices.IndexFunc(w.Samples(), func(address string) bool { return strings.HasSuffix(address, name) })
		require.GreaterOrEqual(t, at, 0, name)
		all = append(all, w.Samples()[at])
	}
	ben.Type("/order new " + strings.Join(all, " "))
	ben.SeesModal("New photo order")
	ben.Fill("Project name", "Catalogue")
	ben.Fill("Instructions", "Warmer.")
	ben.Submit()
	ben.Sees("Order placed")
	ben.CloseModal()
	order := w.newest(1)
	w.deliver(ben, order.ID)
	ben.SeesInThread("Catalogue", "1 photo is missing: cake.jpg. 3 of 4 photos need a look: 2 · house.jpg is 320 px, ordered 900 px; "+
		"3 · shoe.jpg looks like its original; 4 · cat.jpg is not a picture.")
	require.Equal(t, 1, w.reviewsOf("Catalogue"), "it is in the review")

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Sees("Some text is filled in from the check of the photos.")
	ben.SeesValue("2 · house.jpg", "Please deliver this photo with a long edge of at least 900 px. It has 320 px.")
	ben.SeesValue("3 · shoe.jpg", "This photo looks like its original. Please edit it.")
	ben.Fill("4 · cat.jpg", "")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	require.Len(t, w.order().Revisions, 1)
	asked := w.order().Revisions[0]
	require.Len(t, asked, 2, "what was deleted is not sent")
	for _, lines := range asked {
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], "Please")
	}

	w.Photos.Botches("house.jpg", photos.Unchanged)
	require.NoError(t, w.Photos.Deliver(order.ID))
	ben.SeesInThread("Catalogue", "2 of 4 photos need a look: 3 · shoe.jpg looks the same as in round 1; 4 · cat.jpg is not a picture.")
}

// A preset has rules of its own. They hold for its orders, and for no others.
func TestAPresetSaysWhatItsPhotosMustBe(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("#shoots")
	beach, house := w.Samples()[0], w.Samples()[1]
	maria.Type("/order new " + beach)
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Warmer.")
	maria.Fill("Project name", "By hand")
	maria.Submit()
	maria.Sees("Order placed")
	maria.Press("Save as Preset")
	maria.SeesModal("Save as preset")
	maria.Fill("Name", "Shop")
	maria.Submit()
	maria.Sees("Saved as Shop")
	maria.CloseModal()

	maria.Type("/order presets")
	maria.SeesModal("Presets")
	maria.Choose("Delivered photos", "Shop")
	maria.SeesModal("Delivered photos")
	maria.Fill("Aspect ratio", "1:1")
	maria.Submit()
	maria.Sees("Photos: 1:1.")
	maria.CloseModal()
	maria.Type("/order presets")
	maria.Sees("Photos: 1:1.")
	maria.CloseModal()

	maria.Type("/order new " + house)
	maria.SeesModal("New photo order")
	maria.Choose("Preset", "Shop")
	maria.SeesValue("Instructions", "Warmer.")
	maria.Fill("Project name", "By preset")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	w.newest(2)
	w.delivered(maria, "By preset")
	maria.SeesInThread("By preset", "1 of 1 photo needs a look: 1 · house.jpg is 960 × 640 px, ordered 1:1.")
	w.delivered(maria, "By hand")
	maria.DoesNotSeeInThread("By hand", "ordered 1:1")
}
