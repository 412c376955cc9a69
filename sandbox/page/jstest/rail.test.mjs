import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, pressed, shownIn, toggled } from "../static/js/rail.js";

const names = ["Studio", "Agency", "Branch"];

test("an address names what is shown, and who sits there", () => {
  assert.deepEqual(shownIn("", names), [["Studio", ""]]);
  assert.deepEqual(shownIn("#Agency=as%3Dolga%26channel%3DC1", names), [["Agency", "as=olga&channel=C1"]]);
  assert.deepEqual(shownIn("#Agency=&Studio=&Branch=", names).map(([n]) => n), ["Agency", "Studio"]);
  assert.deepEqual(shownIn("#Elsewhere=&Agency=&Agency=", names), [["Agency", ""]]);
});

test("a press shows one alone, or beside the first", () => {
  assert.deepEqual(pressed(["Studio"], "Agency", false), ["Agency"]);
  assert.deepEqual(pressed(["Studio", "Agency"], "Branch", true), ["Studio", "Branch"]);
  assert.deepEqual(pressed(["Studio", "Agency"], "Studio", true), ["Studio", "Agency"]);
});

test("side by side finds another, and goes back to the first", () => {
  assert.deepEqual(toggled(["Agency"], names, true), ["Agency", "Studio"]);
  assert.deepEqual(toggled(["Agency", "Studio"], names, false), ["Agency"]);
  assert.deepEqual(toggled(["Studio"], ["Studio"], true), ["Studio"]);
});

test("what is shown can be put into an address", () => {
  assert.equal(addressOf(["Studio", "Agency"]), "#Studio=&Agency=");
  assert.deepEqual(shownIn(addressOf(["Big Corp"]), ["Big Corp"]), [["Big Corp", ""]]);
});
