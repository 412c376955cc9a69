package main

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachFormIsAnotherDraftOfAnotherPerson(t *testing.T) {
	const draft = "0123456789abcdef"
	payload := `{"type":"view_submission","user":{"id":"U0MARIA"},"trigger_id":"x","view":{"id":"V1","hash":"h","private_metadata":"{\"draft\":\"` + draft + `\"}","external_id":"new:` + draft + `:1"}}`
	form, err := formTemplate([]byte(payload), draft)
	require.NoError(t, err)
	body := []byte(string(form.body))
	form.write(body, 1042)
	assert.Len(t, body, len(form.body), "its length is announced once")

	sent, err := url.ParseQuery(string(body))
	require.NoError(t, err)
	var said struct {
		User    struct{ ID string }
		Trigger string `json:"trigger_id"`
		View    struct {
			ID, Hash string
			Metadata string `json:"private_metadata"`
			External string `json:"external_id"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(sent.Get("payload")), &said))
	assert.Equal(t, personID(1042), said.User.ID)
	assert.Contains(t, said.Trigger, "000000001042")
	assert.Equal(t, "V000000001042", said.View.ID)
	assert.Contains(t, said.View.Hash, "000000001042")
	assert.Equal(t, `{"draft":"`+draftID(1042)+`"}`, said.View.Metadata)
	assert.Equal(t, "new:"+draftID(1042)+":1", said.View.External)
	assert.Len(t, draftID(1042), draftSize)
	assert.NotContains(t, string(body), draft)
}

func TestAFormThatNamesNoDraftIsNoSample(t *testing.T) {
	_, err := formTemplate([]byte(`{"view":{}}`), "0123456789abcdef")
	require.Error(t, err)
	_, err = formTemplate([]byte(`{"view":{"private_metadata":"short"}}`), "short")
	require.Error(t, err)
	_, err = formTemplate([]byte(strings.Repeat("[", 3)), "")
	require.Error(t, err)
}

func TestAFormSaysInWhichRunItWasOpened(t *testing.T) {
	form := template{body: []byte("payload=run%22abc%401%22")}
	again, err := form.inRun("abc@1", "def@2")
	require.NoError(t, err)
	assert.Equal(t, "payload=run%22def%402%22", string(again.body))
	assert.Equal(t, "payload=run%22abc%401%22", string(form.body))
	_, err = form.inRun("abc@1", "longer@2")
	require.Error(t, err, "its length is announced once")
	_, err = form.inRun("xyz@1", "def@2")
	require.Error(t, err)
}
