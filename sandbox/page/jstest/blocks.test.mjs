import test from "node:test";
import assert from "node:assert/strict";
import { without } from "/static/js/ephemeral.js";
import { every } from "/static/js/blocks/nested.js";

const section = (id) => ({ type: "section", block_id: id });
const layout = (...blocks) => ({ type: "layout", block_id: "l", rows: [{ items: blocks.map((block) => ({ block })) }], fallback: [] });

test("nested blocks are read after the one they are in", () => {
  const blocks = [section("s"), layout(section("a"), section("b")), { type: "card", block_id: "d" }];
  assert.deepEqual(every(blocks).map((block) => block.block_id), ["s", "l", "a", "b", "d"]);
});

test("what only one person saw is gone when the page is loaded anew", () => {
  const messages = [{ ts: "9.000001", ephemeral: true }, { ts: "9.000002" }, { ts: "10.000001", ephemeral: true }];
  const shown = without({ channel: "C1", messages, replies: messages }, "10.000000");
  assert.deepEqual(shown.messages.map((m) => m.ts), ["9.000002", "10.000001"]);
  assert.deepEqual(shown.replies.map((m) => m.ts), ["9.000002", "10.000001"]);
  assert.equal(without({ messages }, "").messages.length, 3);
});
