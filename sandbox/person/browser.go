package person

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

const (
	browserPatience = 20 * time.Second
	largestPage     = 1 << 20
	mostRedirects   = 20
)

// Browser is a plain browser before a person: they see the text of a page, follow its links,
// choose in its forms by their labels and press its buttons. It keeps cookies and runs no script.
// It is one tab: its methods are not for concurrent use.
type Browser struct {
	client *http.Client
	at     *url.URL
	status int
	kind   string
	doc    document
}

// NewBrowser is a browser with no page before it and nobody signed in anywhere.
func NewBrowser() *Browser {
	jar, _ := cookiejar.New(nil) // it never fails without options
	b := &Browser{}
	b.client = &http.Client{Jar: jar, Timeout: browserPatience, CheckRedirect: redirected}
	return b
}

func redirected(_ *http.Request, via []*http.Request) error {
	if len(via) >= mostRedirects {
		return errors.New("the page redirects without end")
	}
	return nil
}

// Open goes to an address, or to one of the page's own server when it begins with a slash.
func (b *Browser) Open(address string) error {
	request, err := http.NewRequest(http.MethodGet, b.resolve(address), http.NoBody) //nolint:noctx // the client has a limit
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	return b.load(request)
}

func (b *Browser) resolve(address string) string {
	if b.at == nil {
		return address
	}
	to, err := b.at.Parse(address)
	if err != nil {
		return address
	}
	return to.String()
}

func (b *Browser) load(request *http.Request) error {
	answer, err := b.client.Do(request)
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, largestPage))
	if err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	b.at, b.status = answer.Request.URL, answer.StatusCode
	b.kind, _, _ = mime.ParseMediaType(answer.Header.Get("Content-Type"))
	b.doc = document{text: string(body)}
	if b.kind == "text/html" {
		b.doc = readPage(body)
	}
	return nil
}

// URL is where the browser is.
func (b *Browser) URL() string {
	if b.at == nil {
		return ""
	}
	return b.at.String()
}

// Status is that of the page's answer.
func (b *Browser) Status() int { return b.status }

// Text is what the person reads, without markup.
func (b *Browser) Text() string { return b.doc.text }

// Sees tells, as an error, that the page does not hold the text.
func (b *Browser) Sees(text string) error {
	if strings.Contains(b.doc.text, text) {
		return nil
	}
	return b.lost("text", text)
}

// Follow goes where a link leads.
func (b *Browser) Follow(label string) error {
	for _, l := range b.doc.links {
		if l.text == label {
			return b.Open(l.href)
		}
	}
	return b.lost("link", label)
}

// Press presses a button, which sends its form. A link that looks like a button will do too.
func (b *Browser) Press(label string) error {
	for _, f := range b.doc.forms {
		for _, button := range f.buttons {
			if button.label == label {
				return b.send(f, button)
			}
		}
	}
	return b.Follow(label)
}

func (b *Browser) send(f *form, pressed field) error {
	values := url.Values{}
	for _, one := range f.fields {
		if one.name != "" {
			values.Add(one.name, one.value)
		}
	}
	if pressed.name != "" {
		values.Set(pressed.name, pressed.value)
	}
	if strings.EqualFold(f.method, http.MethodPost) {
		request, err := http.NewRequest(http.MethodPost, b.resolve(f.action), strings.NewReader(values.Encode())) //nolint:noctx // the client has a limit
		if err != nil {
			return fmt.Errorf("browser: %w", err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", b.at.Scheme+"://"+b.at.Host)
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		return b.load(request)
	}
	to, _, _ := strings.Cut(b.resolve(f.action), "?")
	return b.Open(to + "?" + values.Encode())
}

// Choose chooses what is written in a list with the label.
func (b *Browser) Choose(label, option string) error {
	f := b.field(label)
	if f == nil {
		return b.lost("list", label)
	}
	for _, o := range f.options {
		if o.label == option {
			f.value = o.value
			return nil
		}
	}
	return b.lost("choice in "+label, option)
}

func (b *Browser) field(label string) *field {
	for _, f := range b.doc.forms {
		for i := range f.fields {
			if f.fields[i].label == label {
				return &f.fields[i]
			}
		}
	}
	return nil
}

func (b *Browser) lost(what, label string) error {
	return fmt.Errorf("no %s %q on the page %s (%d):\n%s", what, label, b.URL(), b.status, b.doc.text)
}
