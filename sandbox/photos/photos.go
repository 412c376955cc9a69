// Package photos is the photo service of the sandbox: an order service for
// human photo editing that runs on a laptop and speaks real HTTP.
//
// A [Service] keeps every rule of the order service's interface: it verifies
// signatures, fetches the pictures it is given, deducts credits exactly, moves
// orders through their states and answers in the service's own words. Its
// editor really changes the pictures. What it has committed stays committed
// whatever happens to the answer, so a [Fault] shows a client exactly the
// trouble that a real network would: the order exists, the answer is lost.
//
// It shares no type with the application and knows nothing of Slack. Its wire
// format and its signatures are written from the interface alone: sharing the
// application's would hide the application's mistakes.
package photos

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/shopspring/decimal"
)

// Options says what kind of service this is. The zero value is a service with
// an automatic editor, PHP signatures and an empty account.
type Options struct {
	Key    string // API key; "" = "sandbox-key"
	Secret string // API secret; "" = "sandbox-secret"

	Signature        Dialect       // how the signed JSON is written; "" = PHP
	NumbersAsNumbers bool          // numbers are signed as numbers, not as strings
	NumbersAsSent    bool          // numbers are signed as they came: as strings from a query or a form, as numbers from JSON
	ArraysAsSent     bool          // arrays and maps are signed as they came: as the text of a query or a form, nested from JSON
	ClockSkew        time.Duration // how far a timestamp may be from Now; 0 = 5 min
	BasicAuth        bool          // the pair is also demanded as HTTP Basic
	Params           Placement     // where POST and DELETE parameters are read; "" = anywhere

	Credits decimal.Decimal // on the account at the start

	Now        func() time.Time // nil = time.Now
	Seed       uint64           // of ids and project names
	Turnaround time.Duration    // from order to estimated delivery; 0 = 24 h
	PerPage    int              // 0 = 20
	Habits     Habits
	NoKeywords bool // a list that is asked for keywords is refused
	Names      Names
	Crowd      Crowd // orders of other clients of the account; the zero value: none

	Manual    bool          // the editor works only on command
	EditAfter time.Duration // the automatic editor's delay; 0 = 2 s

	AllowPrivateURLs bool // images may be fetched from private and loopback addresses
}

// The service at a client's: where it is, and by what rules.
const (
	prefix       = "/v2" // path of the base URL
	price        = 1     // credits for an image
	cancelWindow = 15 * time.Minute
	fetchTimeout = 20 * time.Second // for one image
	maxImage     = 64 << 20         // bytes of one
	editor       = "service"        // "from" of the editor's messages
)

// Service is one order service with one account. It is an [http.Handler] for
// the paths below its prefix; [Service.Start] serves it on a port of its own.
// All methods are safe for concurrent use.
type Service struct {
	opts   Options
	signer signer
	client *http.Client
	slots  chan struct{} // one for each image being fetched
	desks  chan struct{} // one for each picture being edited
	ctx    context.Context
	stop   context.CancelFunc
	faults faults
	log    requestLog
	server server

	mu        sync.Mutex    // guards everything below
	watch     chan struct{} // closed at every change
	rand      *rand.Rand
	credits   decimal.Decimal
	orders    []*order          // in order of creation
	byID      map[string]*order // those of the crowd as well
	crowd     crowd
	files     map[string]file // by path below the prefix
	automatic bool
	closed    bool

	previewless map[string]bool     // names of edits whose previews are not to be found
	botches     map[string]Botch    // what the editor gets wrong, by the name of a picture
	late        map[string]lateness // by the name of edits: their previews
	busy        sync.WaitGroup      // requests and deliveries; added to under mu
}

// New returns a service that is not listening yet. It panics when the options
// name a dialect or a placement that does not exist.
func New(o Options) *Service {
	o = withDefaults(o)
	ctx, stop := context.WithCancel(context.Background())
	s := &Service{
		opts:    o,
		signer:  newSigner(o),
		client:  newFetcher(o),
		slots:   make(chan struct{}, maxFetches),
		desks:   make(chan struct{}, maxEdits),
		ctx:     ctx,
		stop:    stop,
		rand:    rand.New(rand.NewPCG(o.Seed, 0x6461726b726f6f6d)),
		credits: o.Credits,
		byID:    map[string]*order{},
		files:   map[string]file{},

		previewless: map[string]bool{},
		botches:     map[string]Botch{},
		late:        map[string]lateness{},
		watch:       make(chan struct{}),
		automatic:   !o.Manual,
	}
	s.gather()
	return s
}

// or returns value, or the fallback when value is the zero value.
func or[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

func withDefaults(o Options) Options {
	o.Key = or(o.Key, "sandbox-key")
	o.Secret = or(o.Secret, "sandbox-secret")
	o.Signature = or(o.Signature, PHP)
	o.Params = or(o.Params, Anywhere)
	o.ClockSkew = or(o.ClockSkew, 5*time.Minute)
	o.Turnaround = or(o.Turnaround, 24*time.Hour)
	o.PerPage = or(o.PerPage, 20)
	o.EditAfter = or(o.EditAfter, 2*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
