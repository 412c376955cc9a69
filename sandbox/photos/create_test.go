package photos_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestCreateAnswersTheFieldsOfTheInterface(t *testing.T) {
	c := start(t, photos.Options{Now: at(signedAt)})
	g := gallery(t)
	f := fields{
		"project_name": "Smith wedding [K7Q2XM]", "customer_id": "12345678901234567890", "instructions": []string{"Warm"},
		"images": [][]string{{g + "/beach.jpg", "basic", "sky"}, {g + "/logo.png", "extensive"}, {g + "/old.gif", "", "like this"}},
	}
	r := c.post("/orders/create", f)
	order := r.order(t)
	assert.JSONEq(t, fmt.Sprintf(`{"errors":[],"data":{"order_id":%q,"project_name":"Smith wedding [K7Q2XM]",
		"customer_id":12345678901234567890,"price":2,"status":"editing","ordered_at":"2017-12-09T06:42:26+04:00",
		"estimated_delivery":"2017-12-10T06:42:26+04:00"}}`, order.ID), r.body)
	assert.Contains(t, r.body, `"customer_id":12345678901234567890,"price":2`, "exact digits")
	assert.JSONEq(t, `{"errors":[],"data":{"credits":98}}`, c.get("/account/balance", nil).body)
	seen, ok := c.service.Order(order.ID)
	require.True(t, ok)
	assert.Equal(t, []photos.Picture{{URL: g + "/beach.jpg", Service: "basic", Instruction: "sky"}, {URL: g + "/logo.png", Service: "extensive"}}, seen.Images)
	assert.Equal(t, []photos.Reference{{URL: g + "/old.gif", Instruction: "like this"}}, seen.References)
	assert.Equal(t, []string{"Warm"}, seen.Instructions)
}

func TestCreateNamesABlankProject(t *testing.T) {
	g := gallery(t)
	first, again, other := start(t, photos.Options{Seed: 7}), start(t, photos.Options{Seed: 7}), start(t, photos.Options{Seed: 8})
	f := newOrder(g + "/beach.jpg")
	f["project_name"] = "  "
	name := first.post("/orders/create", f).order(t)
	assert.NotEmpty(t, strings.TrimSpace(name.ProjectName))
	assert.Equal(t, name, again.post("/orders/create", f).order(t))
	assert.NotEqual(t, name.ID, other.post("/orders/create", f).order(t).ID)
}

func TestCreateReportsEveryProblemAtOnce(t *testing.T) {
	c := start(t, photos.Options{Credits: decimal.RequireFromString("0.75")})
	g := gallery(t)
	images := [][]string{
		{g + "/missing.jpg", "basic", ""},
		{g + "/page.jpg", "basic", ""},
		{g + "/beach.jpg", "basic", ""},
		{"ftp://example.com/a.jpg", "", ""},
	}
	c.post("/orders/create", fields{"instructions": []string{"x"}, "images": images}).refused(
		t,
		"insufficient balance: 2.25 credits",
		"one file is not accessible from our server: "+g+"/missing.jpg",
		"one file is not accessible from our server: "+g+"/page.jpg",
		"one file is not accessible from our server: ftp://example.com/a.jpg",
	)
	assert.Empty(t, c.service.Orders())
	assert.Equal(t, "0.75", c.service.Credits().String())
}

func TestCreateRefusesWhatIsNotAForm(t *testing.T) {
	c := start(t, photos.Options{})
	good := [][]string{{"http://127.0.0.1:1/a.jpg", "basic", ""}}
	tests := map[string]struct {
		form fields
		want []string
	}{
		"nothing":             {nil, []string{"instructions is required", "images is required"}},
		"empty arrays":        {fields{"instructions": []string{}, "images": []string{}}, []string{"instructions is required", "images is required"}},
		"text for arrays":     {fields{"instructions": "do it", "images": "[oops"}, []string{"instructions must be an array of strings", "images is required"}},
		"a truth":             {fields{"instructions": []any{"a", true}, "images": good}, []string{"instructions must be an array of strings"}},
		"a bare address":      {fields{"instructions": []string{"a"}, "images": []string{"http://a/b.jpg"}}, []string{"each image must be an array of strings"}},
		"four elements":       {fields{"instructions": []string{"a"}, "images": [][]string{{"u", "basic", "i", "x"}}}, []string{"each image must be [url, service type, instruction]"}},
		"only references":     {fields{"instructions": []string{"a"}, "images": [][]string{{"u", "", ""}}}, []string{"images must hold at least one image to edit"}},
		"a long customer id":  {fields{"instructions": []string{"a"}, "images": good, "customer_id": strings.Repeat("1", 21)}, []string{"customer_id is too long (maximum is 20 characters)"}},
		"an unreachable host": {fields{"instructions": []string{"a"}, "images": good}, []string{"one file is not accessible from our server: http://127.0.0.1:1/a.jpg"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c.post("/orders/create", test.form).refused(t, test.want...)
		})
	}
}

func TestCreateTakesEveryKindOfPicture(t *testing.T) {
	g := gallery(t)
	c := start(t, photos.Options{})
	for _, name := range []string{"/beach.jpg", "/logo.png", "/old.gif", "/scan.tiff", "/tiny.webp", "/phone.heic", "/camera.raf"} {
		c.post("/orders/create", newOrder(g+name)).order(t)
	}
	for _, name := range []string{"/vector.svg", "/page.jpg"} {
		c.post("/orders/create", newOrder(g+name)).refused(t, "one file is not accessible from our server: "+g+name)
	}
}

func TestPrivateAddressesAreRefusedUnlessAllowed(t *testing.T) {
	c := start(t, photos.Options{})
	s := photos.New(photos.Options{Credits: decimal.NewFromInt(9)})
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	c.base = s.URL()
	address := gallery(t) + "/beach.jpg"
	c.post("/orders/create", newOrder(address)).refused(t, "one file is not accessible from our server: "+address)
}

func TestConcurrentCreatesSpendExactlyTheCredits(t *testing.T) {
	g := gallery(t)
	c := start(t, photos.Options{Credits: decimal.RequireFromString("10.05")})
	replies := make(chan reply, 30)
	var group sync.WaitGroup
	for range cap(replies) {
		group.Go(func() { replies <- c.post("/orders/create", newOrder(g+"/album/beach.jpg")) })
	}
	group.Wait()
	close(replies)
	placed := 0
	for r := range replies {
		if len(r.Errors) == 0 {
			placed++
			continue
		}
		r.refused(t, "insufficient balance: 0.95 credits")
	}
	assert.Equal(t, 10, placed)
	assert.Len(t, c.service.Orders(), 10)
	assert.Equal(t, "0.05", c.service.Credits().String())
	c.service.AddCredits(decimal.RequireFromString("0.95"))
	c.post("/orders/create", newOrder(g+"/album/beach.jpg")).order(t)
	assert.True(t, c.service.Credits().IsZero())
}

func TestCustomerIDsComeBackAsTheServiceWritesThem(t *testing.T) {
	tests := map[string]string{"": "null", "0042": "42", "000": "0", "99999999999999999999": "99999999999999999999", "VIP-7": `"VIP-7"`}
	c := start(t, photos.Options{})
	g := gallery(t)
	for sent, want := range tests {
		f := newOrder(g + "/album/beach.jpg")
		f["customer_id"] = sent
		assert.Contains(t, c.post("/orders/create", f).body, `"customer_id":`+want+`,`)
	}
}

// clock is a time the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
