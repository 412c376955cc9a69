package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
	"darkroom/store/storetest"
)

func TestExplore(t *testing.T) {
	seated(t)
	redis := storetest.Start(t)
	w := openOver(t, redis.URL(), func(o *sandbox.Options) {})
	maria := w.person("maria")
	placed := func(project string) photos.Order {
		maria.Type("/order new " + w.Samples()[0])
		maria.SeesModal("New photo order")
		maria.Fill("Instructions", "Brighten.")
		maria.Fill("Project name", project)
		maria.Submit()
		maria.Sees("Order placed")
		maria.CloseModal()
		maria.SeesInThread(project, "Placed")
		return w.called(project)
	}
	a := placed("Approved since")
	require.NoError(t, w.Photos.Deliver(a.ID))
	maria.SeesInThread("Approved since", "Ready for review")
	d := placed("Delivered since")
	placed("Steady")
	w.quiet()
	mark := redis.Mark()

	maria.Type("/order approve " + a.ID)
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	maria.SeesInThread("Approved since", "Approved")
	maria.Type("/order message " + d.ID + " Said in the lost hour.")
	maria.SeesInThread("Delivered since", "Message sent")
	require.NoError(t, w.Photos.Deliver(d.ID))
	maria.SeesInThread("Delivered since", "Ready for review")
	lost := placed("Lost order")
	require.NoError(t, w.Photos.Deliver(lost.ID))
	maria.SeesInThread("Lost order", "Ready for review")
	w.quiet()
	before := len(w.Workspace.Messages("#shoots"))
	posts := len(w.Workspace.Requests())
	w.app.stop()
	redis.Forget(mark)
	w.startApp()
	w.quiet()
	w.quiet()
	w.quiet()
	maria.PressOn("Lost order", "Request changes")
	w.quiet()
	t.Log(maria.Screen())
	for _, r := range w.Workspace.Requests()[posts:] {
		if strings.HasPrefix(r.Method, "chat.") {
			t.Log(r.Method, r.Args["thread_ts"], r.Args["ts"], r.Args["text"], r.Args["metadata"])
		}
	}
	for _, p := range []string{"Approved since", "Delivered since", "Steady", "Lost order"} {
		for _, m := range w.thread(p) {
			t.Log(p, "|", m.TS, strings.Split(m.Text, "\n")[0])
		}
	}
	t.Log(before, len(w.Workspace.Messages("#shoots")))
}
