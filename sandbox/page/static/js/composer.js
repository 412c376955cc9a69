// Where one writes: text, files, commands, names.
import { html, useState, useEffect, useLayoutEffect, useRef } from "/static/vendor/htm-preact.js";
import { Completion, useCompletion } from "./complete.js";
import { kind } from "./files.js";
import { Icon } from "./icons.js";
import { Menu } from "./menu.js";
import { sampleFile, useSamples } from "./samples.js";
import { tell, useStore } from "./store.js";
import { useWorld } from "./world.js";

/** Composer writes to a channel or, with thread, to a thread in it. attach.current takes files. */
export function Composer({ channel, thread = "", label, attach }) {
  const { me, api } = useWorld();
  const [text, setText] = useDraft(`${me.id} ${channel.id} ${thread}`);
  const files = useFiles(`${me.id} ${channel.id} ${thread}`, api);
  const field = useRef();
  const taken = useRef(null);               // what was sent last, until it is drawn as gone
  const last = useRef(Promise.resolve());   // one after the other, in the order they were sent
  const completion = useCompletion(field, setText, thread);
  attach.current = files.add;
  useGrowth(field, text);
  const ready = (text.trim() !== "" || files.list.length > 0) && !files.busy;
  const send = () => {
    const said = { text: field.current.value, files: files.list }; // what is there now: fingers are ahead of what was drawn
    if ((said.text.trim() === "" && said.files.length === 0) || files.busy || taken.current) return;
    taken.current = said;
    completion.close();
    tell("");
    setText("");
    files.set([]);
    last.current = last.current.then(() => deliver(api, channel, thread, said)).catch((error) => {
      setText((now) => now || said.text); // nothing a person typed is lost
      files.set((now) => [...said.files, ...now]);
      tell(error);
    });
  };
  useLayoutEffect(() => { taken.current = null; });
  const keys = (e) => {
    if (completion.key(e)) return;
    if (e.key !== "Enter" || e.shiftKey || e.altKey || e.isComposing) return;
    e.preventDefault();
    send();
  };
  const paste = (e) => {
    if (e.clipboardData.files.length === 0) return;
    e.preventDefault();
    files.add([...e.clipboardData.files]);
  };
  return html`<form class="composer" onSubmit=${(e) => { e.preventDefault(); send(); field.current.focus(); }}>
    <${Completion} of=${completion} />
    <div class="composer-box" onClick=${(e) => e.target === e.currentTarget && field.current.focus()}>
      <${Chips} files=${files} />
      <textarea ref=${field} rows="1" value=${text} placeholder=${label} aria-label=${label} dir="auto" enterkeyhint="send" ...${completion.aria}
        onInput=${(e) => { setText(e.target.value); completion.look(); }} onKeyDown=${keys} onKeyUp=${completion.look} onClick=${completion.look}
        onBlur=${completion.close} onPaste=${paste}></textarea>
      <${Tools} files=${files} ready=${ready} main=${!thread} />
    </div>
  </form>`;
}

// deliver says it, or runs it when it is a command.
async function deliver(api, channel, thread, { text, files }) {
  const command = /^\s*(\/[\w-]+)/.exec(text)?.[1];
  if (command && thread) throw new Error(`${command} is not supported in threads. Sorry!`);
  if (!command) return api.act("say", { channel: channel.id, thread, text, files: files.map((f) => f.ref) });
  if (files.length > 0) throw new Error("A command takes no files: send them as a message first, or add them in the form.");
  return api.act("command", { channel: channel.id, line: text.trim() });
}

function Tools({ files, ready, main }) {
  const { team, api } = useWorld();
  const asked = useStore((state) => state.shortcuts);
  const open = useRef(() => {});
  const before = useRef(asked);
  const picker = useRef();
  useEffect(() => {
    if (main && asked !== before.current) open.current();
    before.current = asked;
  }, [asked]);
  const shortcuts = () => [{ heading: team.app.name }, ...team.shortcuts.filter((s) => !s.message).map((s) => ({
    label: s.name,
    icon: html`<span class="avatar avatar-app small" aria-hidden="true"></span>`,
    act: () => api.act("shortcut", { callback: s.callback }).catch(tell),
  }))];
  const samples = useSamples();
  const attachments = () => [
    { label: "Upload from your computer", icon: html`<${Icon} name="file" />`, act: () => picker.current.click() },
    samples.length > 0 && { heading: "Sample photos" },
    ...samples.map((s) => ({
      label: s.name,
      note: s.says,
      icon: html`<img class="menu-picture" src=${s.url} alt="" />`,
      act: () => sampleFile(s).then((file) => files.add([file])).catch(tell),
    })),
  ];
  const picked = (e) => {
    files.add([...e.target.files]);
    e.target.value = "";
  };
  return html`<div class="composer-tools">
    <input type="file" multiple hidden ref=${picker} onChange=${picked} />
    <${Menu} label="Attach files" class="icon-button" items=${attachments}><${Icon} name="attach" /><//>
    <${Menu} label="Shortcuts" class="icon-button" items=${shortcuts} opener=${(fn) => { open.current = fn; }}><${Icon} name="bolt" /><//>
    <span class="composer-hint" aria-hidden="true"><span><b>Enter</b> sends · <b>Shift + Enter</b> new line · <b>F6</b> next part</span></span>
    <button type="submit" class="send" aria-label="Send now" title="Send now" aria-disabled=${String(!ready)}><${Icon} name="send" /></button>
  </div>`;
}

function Chips({ files }) {
  if (files.list.length + files.coming.length === 0) return null;
  return html`<ul class="staged" aria-label="Files to send">
    ${files.list.map((f) => html`<li key=${f.ref} class="staged-file">
      ${f.type?.startsWith("image/") ? html`<img src=${f.url} alt="" />` : html`<span class="chip-mark"><${Icon} name="file" /></span>`}
      <span class="chip-words"><b>${f.name}</b><span>${kind(f)}</span></span>
      <button type="button" class="icon-button" aria-label=${`Remove ${f.name}`} title="Remove" onClick=${() => files.remove(f)}><${Icon} name="close" /></button>
    </li>`)}
    ${files.coming.map((f) => html`<li key=${f.key} class="staged-file coming"><span class="chip-mark"><${Icon} name="file" /></span>
      <span class="chip-words"><b>${f.name}</b><span role="status">Uploading…</span></span></li>`)}
  </ul>`;
}

// Drafts outlive a visit elsewhere.
const drafts = new Map();

function useDraft(key) {
  const [text, setText] = useState(() => drafts.get(key) ?? "");
  const keep = (next) => setText((now) => {
    const value = typeof next === "function" ? next(now) : next;
    drafts.set(key, value);
    return value;
  });
  return [text, keep];
}

const kept = new Map(); // staged files by draft
let uploads = 0;

function useFiles(key, api) {
  const [list, setList] = useState(() => kept.get(key) || []);
  const [coming, setComing] = useState([]);
  const set = (next) => setList((now) => {
    const value = typeof next === "function" ? next(now) : next;
    kept.set(key, value);
    return value;
  });
  const add = async (picked) => {
    if (picked.length === 0) return;
    const mine = picked.map((f) => ({ key: `up${++uploads}`, name: f.name }));
    setComing((now) => [...now, ...mine]);
    try {
      const staged = await api.upload(picked);
      set((now) => [...now, ...staged]);
    } catch (error) {
      tell(error);
    }
    setComing((now) => now.filter((f) => !mine.includes(f)));
  };
  const remove = (file) => set((now) => now.filter((f) => f !== file));
  return { list, coming, busy: coming.length > 0, add, remove, set };
}

// useGrowth lets the field be as tall as its text, up to a third of the window.
function useGrowth(field, text) {
  useLayoutEffect(() => {
    const { style } = field.current;
    style.height = "auto";
    style.height = `${Math.min(field.current.scrollHeight, innerHeight / 3)}px`;
  }, [text]);
}
