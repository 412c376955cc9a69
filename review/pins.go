package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"mime"
	"net/http"
	"strings"

	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
)

// A link to set pins shows the page *Compare* to one person, with the pins of their draft. Each pin is saved when it is
// set: the page sends it to its own address.

// Pins keeps the pins of people's drafts. The errors are [store.ErrMayNotPin], [store.ErrPinsSent], and those of
// [order.Pins.With].
type Pins interface {
	// Draft returns the pins of a link.
	Draft(ctx context.Context, t store.Tracked, m store.Marking) (order.Pins, error)
	// Set sets a pin, or removes the one with its ID if it has no words. It returns all pins of the draft.
	Set(ctx context.Context, t store.Tracked, m store.Marking, pin order.Pin) (order.Pins, error)
}

// maxPinBody bounds the body of a pin, in bytes: its words, each character escaped.
const maxPinBody = 8 << 10

// shownPin is a pin as the page has it. The page sends the same, with the edit of its photo.
type shownPin struct {
	ID    string `json:"id"`
	Photo string `json:"photo"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	Words string `json:"words"`
}

// savePin answers a pin that the page sends, with all pins or a sentence.
func (h *Handler) savePin(w http.ResponseWriter, r *http.Request, token string) {
	at, err := verify(h.Signer, token, h.Now())
	var pins order.Pins
	if err == nil {
		pins, err = h.setPin(r, at)
	}
	if err != nil {
		h.refusePin(w, at, err)
		return
	}
	answerPins(w, http.StatusOK, map[string]any{"pins": shownPins(pins)})
}

func (h *Handler) setPin(r *http.Request, at link) (order.Pins, error) {
	if at.marking == nil {
		return nil, files.ErrForged
	}
	pin, err := decodePin(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTime)
	defer cancel()
	leave, err := h.saves.enter(ctx, at)
	if err != nil {
		return nil, err
	}
	defer leave()
	its, t, _, err := h.orderOf(ctx, at)
	if err != nil {
		return nil, err
	}
	return its.Pins.Set(ctx, t, *at.marking, pin)
}

// decodePin reads a pin. Another site's page cannot send this type of content. The error of a request that the page's
// script does not send is [order.ErrPinPlace].
func decodePin(r *http.Request) (order.Pin, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if site := r.Header.Get("Sec-Fetch-Site"); err != nil || kind != "application/json" || site != "" && site != "same-origin" {
		return order.Pin{}, order.ErrPinPlace
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxPinBody+1))
	var sent shownPin
	if err != nil || len(body) > maxPinBody || json.Unmarshal(body, &sent) != nil || sent.ID == "" {
		return order.Pin{}, order.ErrPinPlace
	}
	return order.Pin{ID: sent.ID, Edit: sent.Photo, X: sent.X, Y: sent.Y, Words: strings.TrimSpace(sent.Words)}, nil
}

func shownPins(pins order.Pins) []shownPin {
	shown := make([]shownPin, len(pins))
	for i, pin := range pins {
		shown[i] = shownPin{pin.ID, pin.Edit, pin.X, pin.Y, pin.Words}
	}
	return shown
}

func answerPins(w http.ResponseWriter, status int, content map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(content) // an error: the browser has gone
}

const anew = " Copy your text. In Slack, press Request Changes, then Mark on the Pictures."

// pinRefusal returns the status and the reason that a pin is not saved, or not removed. The page keeps its text.
func pinRefusal(err error) (status int, sentence string) {
	switch {
	case errors.Is(err, store.ErrPinsSent):
		return http.StatusConflict, "These changes were sent." + anew
	case errors.Is(err, files.ErrForged), errors.Is(err, files.ErrExpired), errors.Is(err, errOver), errors.Is(err, store.ErrMayNotPin):
		return http.StatusNotFound, "This link no longer works. It lasts two hours, and one round." + anew
	case errors.Is(err, order.ErrManyPins):
		return http.StatusUnprocessableEntity, fmt.Sprintf("A photo takes %d pins, a request %d. Remove one first.", order.MaxPinsOfImage, order.MaxPins)
	case errors.Is(err, order.ErrPinWords):
		return http.StatusUnprocessableEntity, fmt.Sprintf("Write what to change, in %d characters at most.", order.MaxPinWords)
	case errors.Is(err, order.ErrPinPlace):
		return http.StatusUnprocessableEntity, "Its photo has a newer edit." + anew
	case errors.Is(err, errOften):
		return http.StatusTooManyRequests, "Too many were set at once. Wait a moment, then try again."
	}
	return http.StatusServiceUnavailable, "Your text is still here. Try again in a minute."
}

func (h *Handler) refusePin(w http.ResponseWriter, at link, err error) {
	status, sentence := pinRefusal(err)
	if status == http.StatusServiceUnavailable && !errors.Is(err, errBusy) {
		h.Log.Warn("pin not saved", "order", at.Order, "err", err)
	}
	answerPins(w, status, map[string]any{"error": sentence})
}

// marksOf writes what the script needs to set pins: a form, and the pins as data.
func marksOf(pins order.Pins) string {
	data, _ := json.Marshal(shownPins(pins)) // texts and numbers alone
	return strings.NewReplacer("{pins}", html.EscapeString(string(data)), "{longest}", fmt.Sprint(order.MaxPinWords)).Replace(parts[2])
}
