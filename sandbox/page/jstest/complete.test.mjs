import test from "node:test";
import assert from "node:assert/strict";
import { candidates } from "/static/js/complete.js";

const world = {
  team: {
    app: { user: "U0", name: "Darkroom" },
    commands: [
      { command: "/order", description: "Order photos", usage_hint: "new | list" },
      { command: "/invite", description: "Invite someone", usage_hint: "@someone" },
    ],
  },
  users: [{ id: "U0", name: "darkroom", bot: true }, { id: "U1", name: "maria", real_name: "Maria" }],
  channels: [{ id: "C1", name: "shoots" }, { id: "D1", name: "Darkroom", im: true }],
};
const at = (text, thread = "") => candidates(text, text.length, world, thread);
const labels = (text, thread) => at(text, thread).items.map((item) => item.label);

test("a slash offers commands with their usage, and none of the words that may follow", () => {
  assert.deepEqual(labels("/"), ["/order", "/invite"]);
  assert.deepEqual(labels("/or"), ["/order"]);
  assert.deepEqual(at("/or").items[0], { label: "/order", usage: "new | list", says: "Order photos", insert: "/order " });
  assert.deepEqual(labels("/order m"), []);
});

test("blanks before a command are none of it", () => {
  assert.deepEqual(labels("\n  /ord"), ["/order"]);
  assert.deepEqual(at("  /or").span, [2, 5]);
});

test("after a command its usage is shown", () => {
  assert.equal(at("/order ").hint.usage, "new | list");
  assert.equal(at("/order message 1042 hello").hint.says, "Order photos");
  assert.equal(at("/orders ").hint, null);
});

test("a thread has no commands", () => assert.deepEqual(labels("/or", "1.2"), []));

test("a slash within a text is none", () => assert.deepEqual(labels("and/or"), []));

test("people by user name and by name", () => {
  assert.deepEqual(labels("hello @Mar"), ["Maria"]);
  assert.equal(at("/invite @dark").items[0].insert, "@darkroom ");
  assert.deepEqual(labels("mail me@mar"), []);
});

test("channels, and no direct messages", () => assert.deepEqual(labels("in #"), ["#shoots"]));
