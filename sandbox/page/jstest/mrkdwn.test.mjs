import test from "node:test";
import assert from "node:assert/strict";
import { mrkdwn, plainText, words } from "/static/js/mrkdwn.js";

const look = {
  me: { id: "U1" },
  users: [{ id: "U1", name: "maria", real_name: "Maria" }, { id: "U2", name: "ben", real_name: "Ben" }],
  channels: [{ id: "C1", name: "shoots" }],
};

// drawn is a tree as markup, to be read in a test.
function drawn(node) {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(drawn).join("");
  if (typeof node !== "object") return String(node).replace(/</g, "‹");
  const { children, href } = node.props;
  const mark = node.type === "a" ? `a ${href}` : node.props.class?.endsWith(" me") ? `${node.type} me` : node.type;
  return node.type === "br" ? "<br>" : `<${mark}>${drawn(children)}</${node.type}>`;
}

const cases = {
  "marks at the edges of words": ["*bold* _it_ ~no~", "<b>bold</b> <i>it</i> <s>no</s>"],
  "marks within marks": ["*_both_*", "<b><i>both</i></b>"],
  "no marks within words": ["snake_case_name 2*3*4", "snake_case_name 2*3*4"],
  "no marks around blanks": ["a * b * c", "a * b * c"],
  "two marks in a line": ["*a* and *b*, *c*", "<b>a</b> and <b>b</b>, <b>c</b>"],
  "entities once": ["&lt;b&gt; &amp;amp;", "‹b> &amp;"],
  "no HTML": ["<b>x</b>", "bx/b"],
  "code holds no markup": ["`*a* &lt;b&gt;`", "<code>*a* ‹b></code>"],
  "a block of code": ["see\n```a\n*b*```\nend", "see<pre>a\n*b*</pre>end"],
  "quotes": ["&gt; one\n&gt; two\nthree", "<blockquote>one<br>two</blockquote>three"],
  "lists": ["• one\n• *two*", "<ul><li>one</li><li><b>two</b></li></ul>"],
  "a person": ["<@U2>", "<span>@Ben</span>"],
  "me": ["<@U1>", "<span me>@Maria</span>"],
  "a person nobody knows": ["<@U9>", "<span>@U9</span>"],
  "a channel": ["<#C1|>", "<a #channel=C1>#shoots</a>"],
  "a private channel of others": ["<#C9|>", "<span>#private</span>"],
  "everybody": ["<!channel>", "<span me>@channel</span>"],
  "a link and its words": ["<https://a.example/x_y_z?a=1&amp;b=2|Full *size*>", "<a https://a.example/x_y_z?a=1&b=2>Full *size*</a>"],
  "a link alone": ["<https://a.example/>", "<a https://a.example/>https://a.example/</a>"],
  "a link to a message": ["<https://acme.slack.com/archives/C1/p1763812345000100|its card>", "<a #channel=C1&thread=1763812345.000100>its card</a>"],
  "a link to a reply": ["<https://acme.slack.com/archives/C1/p1763812399000200?thread_ts=1763812345.000100&amp;cid=C1|here>", "<a #channel=C1&thread=1763812345.000100>here</a>"],
  "a bold link": ["*<https://a.example/a*b|here>*", "<b><a https://a.example/a*b>here</a></b>"],
  "an address as typed": ["see https://a.example/x.", "see <a https://a.example/x>https://a.example/x</a>."],
  "no address that runs": ["<javascript:alert(1)|x>", "x"],
  "emoji": [":tada: :nobody-knows: 10:30:45", "<span>🎉</span> :nobody-knows: 10:30:45"],
  "a zero-width space is the edge of a word": ["a\u200b*b*\u200bc", "a\u200b<b>b</b>\u200bc"],
  "emoji and quotations parted by one": ["\u200b&gt; a :\u200btada:", "\u200b> a :\u200btada:"],
  "marks in what a date says that cannot be read": ["<!date^00000000^{_}|*>a<!date^00000000^{_}|*> <!date^00000000^{_}|`>b<!date^00000000^{_}|`>", "*a* `b`"],
  "text from right to left": ["*שלום* עולם", "<b>שלום</b> עולם"],
};

for (const [name, [text, wanted]] of Object.entries(cases)) {
  test(`mrkdwn: ${name}`, () => assert.equal(drawn(mrkdwn(text, look)), wanted));
}

test("mrkdwn: an address in verbatim text is text, unless it is in brackets", () => {
  const wanted = "see https://a.example/x, <a https://b.example/>https://b.example/</a>";
  assert.equal(drawn(mrkdwn("see https://a.example/x, <https://b.example/>", { ...look, verbatim: true })), wanted);
});

test("mrkdwn: a date is said in the reader's own time", () => {
  const at = Date.UTC(2025, 10, 20, 14, 30) / 1000; // 9:30 in New York
  assert.equal(words(`<!date^${at}^{date_short_pretty} at {time}|20 Nov 2025 14:30 UTC>`), "Nov 20, 2025 at 9:30 AM");
});

test("mrkdwn: a broken date says its fallback", () => {
  assert.equal(words("<!date^soon^{date}|20 Nov>"), "20 Nov");
});

test("mrkdwn: a nasty line takes no time", () => {
  const began = performance.now();
  for (const text of ["*".repeat(3000), "_a ".repeat(1000), "<".repeat(3000), "*a".repeat(1500), "`".repeat(3000)]) mrkdwn(text, look);
  assert.ok(performance.now() - began < 2000);
});

test("plain text draws emoji and lines, and no markup", () => {
  assert.equal(drawn(plainText("*a*\n:tada: <@U1>")), "*a*<br><span>🎉</span> ‹@U1>");
});
