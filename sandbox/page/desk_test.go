package page_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/samples"
)

// bench is a world with a photo service beside it.
type bench struct {
	*world
	photos  *photos.Service
	gallery string
}

func startBench(t *testing.T) *bench {
	t.Helper()
	s := photos.New(photos.Options{Manual: true, AllowPrivateURLs: true, Credits: decimal.NewFromInt(20)})
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	gallery := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, sample := range samples.All() {
			if strings.HasSuffix(r.URL.Path, sample.Name) {
				_, _ = w.Write(sample.Content)
			}
		}
	}))
	t.Cleanup(gallery.Close)
	return &bench{world: start(t, page.Options{Photos: s}), photos: s, gallery: gallery.URL + "/"}
}

// order places an order as the app would, signed; "" when no answer came.
func (b *bench) order(names ...string) string {
	b.t.Helper()
	images := [][]string{}
	for _, name := range names {
		images = append(images, []string{b.gallery + name, "basic", ""})
	}
	reply, err := b.call(http.MethodPost, "/orders/create", map[string]any{"images": images, "instructions": []string{"Brighten the sky."}})
	if err != nil {
		return ""
	}
	data, _ := reply["data"].(object)
	require.NotNil(b.t, data, "%v", reply)
	return data["order_id"].(string)
}

// call is a call of the service's interface.
func (b *bench) call(method, path string, own map[string]any) (object, error) {
	b.t.Helper()
	if own == nil {
		own = map[string]any{}
	}
	own["api_key"], own["timestamp"] = "sandbox-key", strconv.FormatInt(time.Now().Unix(), 10)
	signed, err := json.Marshal(own)
	require.NoError(b.t, err)
	mac := hmac.New(sha256.New, []byte("sandbox-secret"))
	mac.Write([]byte(strings.ReplaceAll(string(signed), "/", `\/`)))
	form := url.Values{"signature": {hex.EncodeToString(mac.Sum(nil))}}
	for name, value := range own {
		text, isText := value.(string)
		if !isText {
			encoded, err := json.Marshal(value)
			require.NoError(b.t, err)
			text = string(encoded)
		}
		form.Set(name, text)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.photos.URL()+path+"?"+form.Encode(), http.NoBody)
	require.NoError(b.t, err)
	request.Close = true // no connection of before an outage is tried again
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	var out object
	require.NoError(b.t, json.NewDecoder(answer.Body).Decode(&out))
	return out, nil
}

// push posts JSON to a path of the page.
func (b *bench) push(path string, body object) (int, object) {
	b.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(b.t, err)
	status, _, answer := b.send(http.MethodPost, path, "application/json", bytes.NewReader(encoded))
	var out object
	require.NoError(b.t, json.Unmarshal(answer, &out), "%s", answer)
	return status, out
}

// desk follows the desk.
func (b *bench) desk() *tab { return b.follow("/page/desk/stream") }

func (b *bench) deskOrder(id string) object {
	b.t.Helper()
	return find(b.desk().sees("the order", func(d object) bool { return find(d["orders"], "id", id) != nil })["orders"], "id", id)
}

func TestTheDeskOffersWhatIsPossibleAndDoesIt(t *testing.T) {
	b := startBench(t)
	desk := b.desk()
	first, second := b.order("beach.jpg", "house.jpg"), b.order("cake.jpg")
	seen := desk.sees("both orders", func(d object) bool { return len(list(d["orders"])) == 2 })
	assert.Equal(t, second, list(seen["orders"])[0]["id"], "newest first")
	assert.Equal(t, []any{"deliver", "pause", "say"}, b.deskOrder(first)["can"])

	can := func(id string, acts ...any) func(object) bool {
		return func(d object) bool { return assert.ObjectsAreEqual(acts, find(d["orders"], "id", id)["can"]) }
	}
	for _, step := range []struct {
		act string
		can []any
	}{{"pause", []any{"resume", "say"}}, {"resume", []any{"deliver", "pause", "say"}}, {"deliver", []any{"say"}}} {
		status, _ := b.push("/page/desk/"+step.act, object{"order": first})
		require.Equal(t, http.StatusOK, status, step.act)
		desk.sees(step.act, can(first, step.can...))
	}
	status, said := b.push("/page/desk/deliver", object{"order": first})
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Equal(t, "Order "+first+": no work to deliver while reviewing.", said["error"])
	status, _ = b.push("/page/desk/destroy", object{"order": first})
	assert.Equal(t, http.StatusNotFound, status)
}

func TestTheEditorWritesToTheClientWhileSomebodyReadsIt(t *testing.T) {
	b := startBench(t)
	id := b.order("beach.jpg")
	status, _ := b.push("/page/desk/say", object{"order": id, "text": " Which sky? "})
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "Which sky?", list(b.deskOrder(id)["messages"])[0]["content"])
	for what, body := range map[string]object{
		"nothing": {"order": id, "text": " "}, "too much": {"order": id, "text": strings.Repeat("x", 5001)}, "nowhere": {"order": "none", "text": "x"},
	} {
		status, _ = b.push("/page/desk/say", body)
		assert.Equal(t, http.StatusBadRequest, status, what)
	}
	require.NoError(t, b.photos.Deliver(id))
	_, err := b.call(http.MethodPost, "/orders/"+id+"/approve", nil)
	require.NoError(t, err)
	assert.Equal(t, []any{}, b.deskOrder(id)["can"])
	status, _ = b.push("/page/desk/say", object{"order": id, "text": "Too late"})
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Len(t, b.deskOrder(id)["messages"], 1)
}

func TestTheAutomaticEditorFromTheDesk(t *testing.T) {
	b := startBench(t)
	desk := b.desk()
	desk.sees("what is left", func(d object) bool { return d["credits"] == 20.0 && d["automatic"] == false })
	status, _ := b.push("/page/desk/automatic", object{"on": true})
	require.Equal(t, http.StatusOK, status)
	desk.sees("automatic", func(d object) bool { return d["automatic"] == true })
}

func TestThePicturesOnTheDeskAreThereWhileTheServiceIsDown(t *testing.T) {
	b := startBench(t)
	id := b.order("beach.jpg")
	require.NoError(t, b.photos.Deliver(id))
	o := b.deskOrder(id)
	b.photos.Down()
	before, after := list(o["images"])[0], list(o["edited"])[0]
	shown := map[string]string{}
	for _, address := range []any{before["picture"], after["thumb"], after["origin"]} {
		status, header, content := b.get(address.(string))
		require.Equal(t, http.StatusOK, status, address)
		assert.Equal(t, "image/jpeg", header.Get("Content-Type"))
		shown[string(content)] = address.(string)
	}
	assert.Len(t, shown, 3, "three different pictures")
	for _, address := range []string{"order=" + id + "&before=7", "order=" + id + "&after=none", "order=none&before=0", "order=" + id + "&aside=x"} {
		status, _, _ := b.get("/page/desk/picture?" + address)
		assert.Equal(t, http.StatusNotFound, status, address)
	}
}

func TestAPictureInAMessageIsThereWhileTheServiceIsDown(t *testing.T) {
	b := startBench(t)
	id := b.order("beach.jpg")
	require.NoError(t, b.photos.Deliver(id))
	o, _ := b.photos.Order(id)
	_, _, team := b.get("/page/team")
	at := b.photos.URL() + o.Edited[0].Thumb
	assert.Contains(t, string(team), `"pictures":"`+b.photos.URL()+`/"`)
	b.photos.Down()
	status, header, content := b.get("/page/picture?" + url.Values{"url": {at}}.Encode())
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "image/jpeg", header.Get("Content-Type"))
	assert.NotEmpty(t, content)
	for _, address := range []string{"", at + "x", "http://127.0.0.1:1/" + o.Edited[0].Thumb, o.Edited[0].Thumb} {
		status, _, _ := b.get("/page/picture?" + url.Values{"url": {address}}.Encode())
		assert.Equal(t, http.StatusNotFound, status, address)
	}
}

func TestARequestForChangesNamesItsImageOnTheDesk(t *testing.T) {
	b := startBench(t)
	id := b.order("beach.jpg", "house.jpg")
	require.NoError(t, b.photos.Deliver(id))
	o, _ := b.photos.Order(id)
	_, err := b.call(http.MethodPost, "/orders/"+id+"/revise", map[string]any{"instructions": map[string][]string{o.Edited[1].ID: {"Straighten it."}}})
	require.NoError(t, err)
	require.NoError(t, b.photos.Deliver(id))
	seen := b.deskOrder(id)
	assert.Equal(t, []any{[]any{object{"name": "house.jpg", "wants": []any{"Straighten it."}}}}, seen["revisions"])
	require.Len(t, seen["edited"], 2, "the latest of each image")
	assert.Equal(t, []any{0.0, 1.0}, []any{list(seen["edited"])[0]["revision"], list(seen["edited"])[1]["revision"]})
}

func TestFaultsFlipAndTheLostAnswerSwitchesItselfOff(t *testing.T) {
	b := startBench(t)
	desk := b.desk()
	flip := func(body object) object {
		t.Helper()
		status, out := b.push("/page/faults", body)
		require.Equal(t, http.StatusOK, status, "%v", out)
		return out
	}
	assert.Equal(t, object{"service_down": true, "lose_next": false}, flip(object{"service_down": true}))
	_, err := b.call(http.MethodGet, "/account/balance", nil)
	require.Error(t, err, "it is down")
	assert.Equal(t, object{"service_down": false, "lose_next": false}, flip(object{"service_down": false}))
	_, err = b.call(http.MethodGet, "/account/balance", nil)
	require.NoError(t, err)
	flip(object{"lose_next": true})
	_, _, kept := b.get("/page/faults")
	assert.JSONEq(t, `{"service_down":false,"lose_next":true}`, string(kept), "it survives a reload")
	assert.Empty(t, b.order("beach.jpg"), "no answer")
	require.Len(t, b.photos.Orders(), 1, "and yet an order")
	desk.sees("it switched itself off", func(d object) bool {
		return len(list(d["orders"])) == 1 && d["faults"].(object)["lose_next"] == false
	})
	assert.NotEmpty(t, b.order("beach.jpg"))
}

func TestAStepOfTheTourIsTickedOffWhenItWasReallyDone(t *testing.T) {
	b := startBench(t)
	maria := b.open("maria", "channel=C0SHOOTS")
	done := func(ids ...string) func(object) bool {
		return func(s object) bool {
			var ticked []string
			for _, step := range list(s["tour"].(object)["steps"]) {
				if step["done"] == true {
					ticked = append(ticked, step["id"].(string))
				}
			}
			return slices.Equal(ticked, ids)
		}
	}
	b.do("maria", "open_home", object{})
	b.open("ben", "channel=C0STUDIO")
	b.push("/page/faults", object{"service_down": true})
	b.push("/page/faults", object{"service_down": false})
	fresh := maria.sees("nothing, for nothing was done but looking", done())
	for _, step := range list(fresh["tour"].(object)["steps"]) {
		assert.NotEmpty(t, step["how"])
	}

	id := b.order("beach.jpg", "house.jpg")
	news := func(what string, ids ...string) {
		t.Helper()
		b.do("maria", "say", object{"channel": "C0SHOOTS", "text": what}) // as the app would, when it has heard
		maria.sees(what, done(ids...))
	}
	news("an order", "order")
	require.NoError(t, b.photos.Deliver(id))
	o, _ := b.photos.Order(id)
	revise := map[string]any{"instructions": map[string][]string{o.Edited[0].ID: {"Less yellow."}}}
	for _, call := range []struct {
		path string
		own  map[string]any
	}{{"/revise", revise}, {"/message", map[string]any{"content_text": "Hello"}}} {
		_, err := b.call(http.MethodPost, "/orders/"+id+call.path, call.own)
		require.NoError(t, err)
	}
	require.NoError(t, b.photos.Deliver(id))
	news("a change and a message", "order", "revise", "message")
	_, err := b.call(http.MethodPost, "/orders/"+id+"/approve", nil)
	require.NoError(t, err)
	_, err = b.call(http.MethodDelete, "/orders/cancel", map[string]any{"order_id": b.order("cake.jpg")})
	require.NoError(t, err)
	news("approved and canceled", "order", "revise", "approve", "message", "cancel")

	b.Invite("#studio", "darkroom")
	card := func(owner string) {
		b.post(object{"channel": "C0STUDIO", "text": "Being edited · for " + owner, "metadata": object{
			"event_type": "darkroom_order", "event_payload": object{"order_id": id, "event": "card"},
		}})
	}
	b.post(object{"channel": "C0STUDIO", "text": "Hello! /order new begins an order, for <@U0BEN> too."})
	card("<@U0MARIA>")
	card("Maria")
	news("a greeting, and a card of somebody else's", "order", "revise", "approve", "message", "cancel")
	card("Ben")
	news("an order of Ben's", "order", "revise", "approve", "message", "cancel", "studio")
}

func TestTheHomeIsTickedOffWhenItIsBeforeSomebody(t *testing.T) {
	b := startBench(t)
	home := func(s object) any { return find(s["tour"].(object)["steps"], "id", "home")["done"] }
	b.do("maria", "open_home", object{})
	require.Equal(t, false, home(b.now("maria", "home=1")), "there is none yet")
	out := b.api("views.publish", object{"user_id": "U0MARIA", "view": object{"type": "home", "blocks": []any{object{"type": "divider"}}}})
	require.Equal(t, true, out["ok"], "%v", out)
	require.Equal(t, false, home(b.now("maria", "channel=C0SHOOTS")), "it is not before her")
	require.Equal(t, true, home(b.now("maria", "home=1")))
}

// What was asked for during an outage is told from what was asked for after it.
func TestAnOutageIsTickedOffWhenWhatWasAskedForInItIsDone(t *testing.T) {
	b := startBench(t)
	ticked := func() any {
		return find(b.now("maria", "channel=C0SHOOTS")["tour"].(object)["steps"], "id", "outage")["done"]
	}
	away := func(submits bool) {
		b.push("/page/faults", object{"service_down": true})
		b.do("maria", "command", object{"channel": "C0SHOOTS", "line": "/order list"})
		if submits {
			b.try("maria", "submit", object{})
		}
		b.push("/page/faults", object{"service_down": false})
	}
	away(false)
	b.order("shoe.jpg")
	require.Equal(t, false, ticked(), "nothing but a look was asked for, and the order was placed later")
	away(true)
	require.Equal(t, false, ticked(), "it is not done yet")
	b.try("maria", "submit", object{})
	b.order("beach.jpg")
	require.Equal(t, false, ticked(), "one was asked for since, and one is done")
	away(true)
	id := b.order("cake.jpg")
	require.NoError(t, b.photos.Say(id, "Hello"))
	require.Equal(t, true, ticked())
	away(true)
	require.Equal(t, true, ticked(), "what was seen stays seen")
}

func TestSamplePhotosCanBeAttached(t *testing.T) {
	w := start(t, page.Options{})
	_, _, body := w.get("/page/samples")
	var offered object
	require.NoError(t, json.Unmarshal(body, &offered))
	require.GreaterOrEqual(t, len(list(offered["files"])), 4)
	first := list(offered["files"])[0]
	status, header, content := w.get(first["url"].(string))
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "image/jpeg", header.Get("Content-Type"))
	status, refs, _ := w.stage("maria", picked{first["name"].(string), content})
	require.Equal(t, http.StatusOK, status)
	w.do("maria", "say", object{"channel": "C0SHOOTS", "text": "Look", "files": refs})
	require.Len(t, w.Messages("C0SHOOTS")[0].Files, 1)
	status, _, _ = w.get("/page/samples/none.jpg")
	assert.Equal(t, http.StatusNotFound, status)
}
