package stories

import (
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// picture is a photo on somebody's laptop.
func (w *world) picture(i int) workspace.Upload {
	w.t.Helper()
	address := w.Samples()[i]
	return workspace.Upload{Name: path.Base(address), Content: w.get(address, http.StatusOK)}
}

// get reads an address as anybody could.
func (w *world) get(address string, status int) []byte {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(w.t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	require.NoError(w.t, err)
	require.Equal(w.t, status, answer.StatusCode, "%s", content)
	return content
}

func TestUploadsAndAddressesTogetherImageByImage(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Type("/order new " + w.Samples()[2])
	maria.SeesModal("New photo order")
	maria.Sees("120 credits left")
	maria.Upload("Photos", w.picture(0), w.picture(1))
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "Both at once")
	maria.Check("Per photo")
	maria.Submit()
	maria.Sees("3 photos")
	maria.Choose("1 · beach.jpg: Service type", "Extensive")
	maria.Choose("2 · house.jpg: Service type", "Reference only")
	maria.Fill("3 · cake.jpg: Instruction", "Polish the gold.")
	maria.Press("Go Back")
	maria.SeesValue("Project name", "Both at once")
	maria.Submit()
	maria.Sees("2 photos · 1 reference: 1 Basic, 1 Extensive")
	maria.SeesValue("3 · cake.jpg: Instruction", "Polish the gold.")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Both at once", "Placed")
	order := w.order()
	require.Len(t, order.Images, 2)
	require.Equal(t, "extensive", order.Images[0].Service)
	require.Equal(t, "Polish the gold.", order.Images[1].Instruction)
	require.Len(t, order.References, 1)
}

func TestAMessagesPhotosAreOrderedFromItsMenu(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	notes := workspace.Upload{Name: "notes.txt", Content: []byte("not a photo")}
	maria.Share("Please brighten these\nand keep the &lt;sand&gt;", w.picture(0), w.picture(1), notes)
	maria.MessageShortcut("Please brighten these", "Order these photos")
	maria.SeesModal("New photo order")
	maria.Sees("notes.txt")
	maria.Sees("beach.jpg")
	maria.Fill("Project name", "From a message")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("From a message", "Placed")
	order := w.order()
	require.Len(t, order.Images, 2)
	require.Equal(t, "Please brighten these", order.Instructions[0])

	address := order.Images[0].URL
	require.Equal(t, w.picture(0).Content, w.get(address, http.StatusOK))
	token, _, _ := strings.Cut(strings.TrimPrefix(address, w.app.url+"/files/"), "/")
	flipped := strings.Replace(address, token, flip(token), 1)
	w.get(flipped, http.StatusForbidden)
}

// flip changes one character in the middle of a token.
func flip(token string) string {
	middle := len(token) / 2
	other := "A"
	if token[middle] == 'A' {
		other = "B"
	}
	return token[:middle] + other + token[middle+1:]
}
