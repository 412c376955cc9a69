import { html, useRef, useState } from "/static/vendor/htm-preact.js";
import { stateOf, valueIn } from "./state.js";
import { useField, useSurface } from "./surface.js";
import { SamplePhotos } from "../samples.js";

const slacksMost = 10; // files, when the element does not say
const largest = 10 * 1024 * 1024; // bytes of one file
const drawn = /^image\/(png|jpe?g|gif|webp)$/;

/** Files to choose or to drop; they are listed and can be taken out again. */
export function FileInput({ block, element, labelled }) {
  const surface = useSurface();
  const field = useField(block, element);
  const [coming, setComing] = useState([]);
  const [refused, setRefused] = useState([]);
  const [over, setOver] = useState(false);
  const picker = useRef(null);
  const held = valueIn(field.state) ?? [];
  const most = element.max_files ?? slacksMost;
  const add = async (list) => {
    const { taken, said } = sift([...list], most - held.length - coming.length, most);
    setRefused(said);
    if (taken.length === 0) return;
    setComing((now) => [...now, ...taken]);
    const give = async () => {
      const files = await surface.api.upload(taken);
      const target = { ...surface.drafts.target, block: block.block_id, action: element.action_id };
      await surface.api.act("give", { target, files: files.map((file) => file.ref) });
    };
    try {
      await surface.drafts.expect(give());
    } catch (err) {
      setRefused([...said, `${names(taken)} could not be uploaded: ${err.message}`]);
    } finally {
      setComing((now) => now.filter((file) => !taken.includes(file)));
    }
  };
  const remove = (file) => {
    setRefused([]);
    field.choose(stateOf("file_input", held.filter((other) => other.id !== file.id)));
    picker.current.focus();
  };
  return html`
    <div
      class=${`bk-files${over ? " bk-files--over" : ""}`}
      onDragOver=${(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave=${() => setOver(false)}
      onDrop=${(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        add(event.dataTransfer.files);
      }}
    >
      ${(held.length > 0 || coming.length > 0) &&
      html`<ul class="bk-files__list" aria-label="Files">
        ${held.map((file) => html`<${File} key=${file.id} file=${file} me=${surface.me} remove=${() => remove(file)} />`)}
        ${coming.map(
          (file) => html`<li key=${`${file.name} ${file.lastModified}`} class="bk-file bk-file--coming" aria-busy="true">
            <span class="bk-file__thumb" aria-hidden="true"></span><span class="bk-file__name bk-text" dir="auto">${file.name}</span
            ><span class="bk-file__size">Uploading…</span>
          </li>`,
        )}
      </ul>`}
      <div class="bk-files__add">
        <input
          ...${labelled}
          ref=${picker}
          class="bk-files__picker"
          type="file"
          multiple=${most > 1}
          accept=${element.filetypes?.map((type) => `.${type}`).join(",")}
          disabled=${held.length >= most}
          onChange=${(event) => {
            const chosen = [...event.target.files];
            event.target.value = "";
            add(chosen);
          }}
        />
        <span class="bk-button bk-files__button" aria-hidden="true" onClick=${() => picker.current.click()}>${most > 1 ? "Add files" : "Add file"}</span>
        <span class=${held.length >= most ? "bk-files__say" : "bk-files__say bk-files__drop"} aria-hidden="true">${held.length >= most ? `That is all: ${most} at most` : "or drop them here"}</span>
      </div>
      <${SamplePhotos} onFiles=${add} onTrouble=${(err) => setRefused([err.message])} disabled=${held.length >= most} />
      <span class="bk-unseen" role="status">${coming.length > 0 ? `Uploading ${names(coming)}` : held.length > 0 ? `${held.length} added` : ""}</span>
      ${refused.length > 0 && html`<div class="bk-error" role="alert">${refused.map((words) => html`<p dir="auto">${words}</p>`)}</div>`}
    </div>
  `;
}

function File({ file, me, remove }) {
  const [broken, setBroken] = useState(false);
  const picture = drawn.test(file.mimetype ?? "") && file.id && !broken;
  return html`
    <li class="bk-file">
      <span class="bk-file__thumb" aria-hidden="true">
        ${picture ? html`<img src=${`/page/file/${file.id}?as=${me?.id ?? ""}`} alt="" loading="lazy" onError=${() => setBroken(true)} />` : kindOf(file.name)}
      </span>
      <span class="bk-file__name bk-text" dir="auto">${file.name ?? file.title ?? file.id}</span>
      <span class="bk-file__size">${size(file.size)}</span>
      <button type="button" class="bk-icon" aria-label=${`Remove ${file.name ?? "file"}`} onClick=${remove}><span aria-hidden="true">✕</span></button>
    </li>
  `;
}

/** Splits chosen files into those to take and what to say about the others. */
function sift(chosen, room, most) {
  const large = chosen.filter((file) => file.size > largest);
  const fitting = chosen.filter((file) => file.size <= largest);
  const said = large.map((file) => `${file.name} is larger than 10 MB.`);
  const extra = fitting.slice(Math.max(0, room));
  if (extra.length > 0) said.push(`At most ${most} ${most === 1 ? "file" : "files"}: ${names(extra)} ${extra.length === 1 ? "was" : "were"} not added.`);
  return { taken: fitting.slice(0, Math.max(0, room)), said };
}

const kindOf = (name) => (/\.(\w{1,4})$/.exec(name ?? "")?.[1] ?? "").toUpperCase();

const names = (files) => files.map((file) => file.name).join(", ");

function size(bytes) {
  if (!bytes) return "";
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
