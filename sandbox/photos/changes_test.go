package photos_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestUnknownOrdersAreInvalidEverywhere(t *testing.T) {
	c := start(t, photos.Options{})
	for method, paths := range map[string][]string{
		http.MethodGet:    {"/orders/none"},
		http.MethodDelete: {"/orders/cancel"},
		http.MethodPost:   {"/orders/none/revise", "/orders/none/approve", "/orders/none/message", "/orders/none/refimages/create"},
	} {
		for _, path := range paths {
			f := fields{"order_id": "none", "content_text": "hello", "images": [][]string{{"http://a/b.jpg", ""}}}
			c.send(method, path, f).refused(t, "invalid order id")
		}
	}
}

func TestCancelGivesTheCreditsBackWithinTheWindow(t *testing.T) {
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now})
	id := c.named(gallery(t), "Harbor")
	now.Add(15 * time.Minute)
	r := c.delete("/orders/cancel", fields{"order_id": id, "cancel_reason": []string{"Wrong photos"}})
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"data":{"order_id":%q,"project_name":"Harbor","status":"canceled",
		"ordered_at":"2017-12-09T06:42:26+04:00","canceled_at":"2017-12-09T06:57:26+04:00"}}`, id), r.body)
	assert.Equal(t, "100", c.service.Credits().String())
	assert.Equal(t, []string{"Wrong photos"}, c.service.Orders()[0].CancelReason)
	c.delete("/orders/cancel", fields{"order_id": id}).refused(t, "invalid order status")
	assert.Equal(t, "100", c.service.Credits().String())
	require.Error(t, c.service.Deliver(id))
}

func TestCancelIsRefusedAfterTheWindowOrTheWork(t *testing.T) {
	now := &clock{now: time.Unix(signedAt, 0)}
	c := start(t, photos.Options{Now: now.Now})
	g := gallery(t)
	delivered := c.reviewed(g + "/beach.jpg")
	c.delete("/orders/cancel", fields{"order_id": delivered.ID}).refused(t, "invalid order status")
	late := c.named(g, "Late")
	waiting := c.named(g, "Waiting")
	c.delete("/orders/cancel", fields{"order_id": late, "cancel_reason": "text"}).refused(t, "cancel_reason must be an array of strings")
	require.NoError(t, c.service.Pause(waiting))
	c.delete("/orders/cancel", fields{"order_id": waiting}).order(t)
	now.Add(15*time.Minute + time.Second)
	c.delete("/orders/cancel", fields{"order_id": late}).refused(t, "15 min deadline passed")
	assert.Equal(t, "98", c.service.Credits().String())
}

func TestApproveClosesAReviewedOrderOnce(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	g := gallery(t)
	early := c.named(g, "Early")
	c.post("/orders/"+early+"/approve", nil).refused(t, "invalid order status")
	o := c.reviewed(g + "/beach.jpg")
	c.post("/orders/"+o.ID+"/approve", fields{"feedback": "text"}).refused(t, "feedback must be an array of strings")
	r := c.post("/orders/"+o.ID+"/approve", fields{"feedback": []string{"Lovely", "Thanks"}})
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"data":{"order_id":%q,"project_name":%q,"customer_id":null,"price":1,
		"status":"closed","revision":0,"ordered_at":"2017-12-09T06:42:26+04:00","closed_at":"2017-12-09T06:42:26+04:00"}}`, o.ID, o.ProjectName), r.body)
	c.post("/orders/"+o.ID+"/approve", nil).refused(t, "invalid order status")
	seen, _ := c.service.Order(o.ID)
	assert.Equal(t, 1, seen.Approvals)
	assert.Equal(t, []string{"Lovely", "Thanks"}, seen.Feedback)
}

func TestReviseBringsNewEditsOfTheNamedImagesOnly(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	g := gallery(t)
	o := c.reviewed(g+"/beach.jpg", g+"/album/beach.jpg", g+"/logo.png")
	require.Equal(t, []string{"beach.jpg", "beach-2.jpg", "logo.png"}, names(o.Images))
	ask := map[string][]string{o.Images[1].ID: {"Darker"}, o.Images[2].ID: {"No border", "Sharper"}}
	r := c.post("/orders/"+o.ID+"/revise", fields{"instructions": ask})
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"data":{"order_id":%q,"project_name":%q,"customer_id":null,"price":3,"status":"revising",
		"revision":1,"ordered_at":"2017-12-09T06:42:26+04:00","revision_requested_at":"2017-12-09T06:42:26+04:00",
		"estimated_delivery":"2017-12-10T06:42:26+04:00"}}`, o.ID, o.ProjectName), r.body)
	c.post("/orders/"+o.ID+"/revise", fields{"instructions": ask}).refused(t, "invalid order status")
	require.NoError(t, c.service.Deliver(o.ID))
	again := c.get("/orders/"+o.ID, nil).order(t)
	assert.Equal(t, "reviewing", again.Status)
	assert.Equal(t, 1, again.Revision)
	assert.Equal(t, o.Images, again.Images[:3])
	assert.Equal(t, []string{"beach-2.jpg", "logo.png"}, names(again.Images[3:]))
	assert.Equal(t, 1, again.Images[3].Revision)
	assert.NotEqual(t, c.download(again.Images[1].Origin), c.download(again.Images[3].Origin))
	seen, _ := c.service.Order(o.ID)
	assert.Equal(t, []map[string][]string{ask}, seen.Revisions)
	both := map[string][]string{o.Images[1].ID: {"a"}, again.Images[3].ID: {"b"}}
	c.post("/orders/"+o.ID+"/revise", fields{"instructions": both}).order(t)
	require.NoError(t, c.service.Deliver(o.ID))
	last := c.get("/orders/"+o.ID, nil).order(t)
	assert.Equal(t, []string{"beach-2.jpg"}, names(last.Images[5:]), "two edits of one picture are one picture")
	assert.Equal(t, 2, last.Images[5].Revision)
}

func names(images []wireImage) []string {
	all := []string{}
	for _, i := range images {
		all = append(all, i.Name)
	}
	return all
}

func TestReviseNamesEveryUnknownImageAndChangesNothing(t *testing.T) {
	c := start(t, photos.Options{})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	ask := map[string][]string{"zzz": {"a"}, o.Images[0].ID: {"b"}, "aaa": {"c"}}
	c.post("/orders/"+o.ID+"/revise", fields{"instructions": ask}).refused(t, "image ID not found: aaa", "image ID not found: zzz")
	assert.Equal(t, o, c.get("/orders/"+o.ID, nil).order(t))
}

func TestReviseRefusesWhatIsNotAMapOfSentences(t *testing.T) {
	c := start(t, photos.Options{})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	tests := map[string]struct {
		instructions any
		want         string
	}{
		"nothing":         {"", "instructions is required: a map from image id to an array of strings"},
		"an array":        {[]string{"a"}, "instructions is required: a map from image id to an array of strings"},
		"text in the map": {map[string]string{"a": "b"}, "instructions of a must be an array of strings"},
		"no sentences":    {map[string][]string{"a": {}}, "instructions of a is empty"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c.post("/orders/"+o.ID+"/revise", fields{"instructions": test.instructions}).refused(t, test.want)
		})
	}
}

func TestMessagesComeBackNewestFirstInAnArray(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	c.post("/orders/"+o.ID+"/message", fields{"content_text": "Hello"}).order(t)
	require.NoError(t, c.service.Say(o.ID, "Good morning"))
	c.post("/orders/"+o.ID+"/revise", fields{"instructions": map[string][]string{o.Images[0].ID: {"x"}}}).order(t)
	r := c.post("/orders/"+o.ID+"/message", fields{"content_text": `["Fiancée" <&> 📷 / done]`})
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"data":[{"order_id":%q,"project_name":%q,"customer_id":null,"price":1,"status":"revising",
		"revision":1,"ordered_at":"2017-12-09T06:42:26+04:00","conversations":[
		{"from":"client","content":"[\"Fiancée\" <&> 📷 / done]","revision":1,"created_at":"2017-12-09T06:42:26+04:00"},
		{"from":"service","content":"Good morning","revision":0,"created_at":"2017-12-09T06:42:26+04:00"},
		{"from":"client","content":"Hello","revision":0,"created_at":"2017-12-09T06:42:26+04:00"}]}]}`, o.ID, o.ProjectName), r.body)
	require.Error(t, c.service.Say("none", "x"))
}

func TestMessagesAreRefusedWhenEmptyLongOrRepeated(t *testing.T) {
	c := start(t, photos.Options{})
	c.in = photos.FormBody
	g := gallery(t)
	first, second := c.named(g, "One"), c.named(g, "Two")
	say := func(id, text string) reply { return c.post("/orders/"+id+"/message", fields{"content_text": text}) }
	say(first, " ").refused(t, "content_text is required")
	say(first, strings.Repeat("é", 5001)).refused(t, "content_text is too long (maximum is 5000 characters)")
	say(first, strings.Repeat("é", 5000)).order(t)
	say(first, "Hello").order(t)
	say(first, "Another").order(t)
	say(first, "Hello").refused(t, "Please do not post duplicated message")
	say(second, "Hello").order(t)
	require.NoError(t, c.service.Say(second, "Bye"))
	say(second, "Bye").order(t)
	seen, _ := c.service.Order(first)
	assert.Len(t, seen.Messages, 3)
}

func TestReferencesAreAddedOnce(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	id := c.post("/orders/create", fields{
		"instructions": []string{"x"},
		"images":       [][]string{{g + "/beach.jpg", "basic", ""}, {g + "/old.gif", "", ""}},
	}).order(t).ID
	add := func(images ...[]string) reply {
		return c.post("/orders/"+id+"/refimages/create", fields{"images": images})
	}
	assert.Equal(t, id, add([]string{g + "/logo.png", "This blue"}, []string{g + "/scan.tiff"}).order(t).ID)
	for _, known := range []string{"/logo.png", "/old.gif", "/beach.jpg"} {
		add([]string{g + known, ""}).refused(t, "Please do not post duplicated images")
	}
	add([]string{g + "/tiny.webp"}, []string{g + "/tiny.webp"}).refused(t, "Please do not post duplicated images")
	add([]string{g + "/tiny.webp"}, []string{g + "/missing"}).refused(t, "one file is not accessible from our server: "+g+"/missing")
	add([][]string{}...).refused(t, "images is required")
	add([]string{"a", "b", "c"}).refused(t, "each image must be [url, instruction]")
	seen, _ := c.service.Order(id)
	assert.Equal(t, []photos.Reference{{URL: g + "/old.gif"}, {URL: g + "/logo.png", Instruction: "This blue"}, {URL: g + "/scan.tiff"}}, seen.References)
}

func TestAnOrderAgesOnCommand(t *testing.T) {
	c := start(t, photos.Options{})
	id := c.named(gallery(t), "Harbor")
	require.NoError(t, c.service.Age(id, 14*time.Minute))
	require.Error(t, c.service.Age("none", time.Minute))
	other := c.named(gallery(t), "Late")
	require.NoError(t, c.service.Age(other, 16*time.Minute))
	c.delete("/orders/cancel", fields{"order_id": id}).order(t)
	c.delete("/orders/cancel", fields{"order_id": other}).refused(t, "15 min deadline passed")
}
