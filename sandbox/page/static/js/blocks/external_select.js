import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { ask } from "./confirm.js";
import { useFloating } from "./floating.js";
import { stateOf, valueIn } from "./state.js";
import { plain } from "./text.js";
import { useField, useID, useSurface } from "./surface.js";

const slacksLeast = 3; // characters before the app is asked, when the element does not say
const pause = 200; // ms without a key before the app is asked

/** A select whose options the app offers while one types (the combobox pattern). */
export function ExternalSelect({ block, element, labelled }) {
  const surface = useSurface();
  const field = useField(block, element);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const offer = useOffer(surface, block, element, open, typed);
  const [at, setAt] = useMarked(offer.groups);
  const box = useRef(null);
  const list = useRef(null);
  const id = useID();
  const held = valueIn(field.state);
  const options = offer.groups.flatMap((group) => group.options);
  const shut = () => {
    setOpen(false);
    setTyped("");
  };
  useFloating(box, list, open, shut, true);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at]);
  const choose = async (option) => {
    shut();
    if (element.confirm && !(await ask(element.confirm, surface))) return;
    field.choose(stateOf(element.type, option));
  };
  const press = (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (!open) setOpen(true);
      else if (options.length > 0) setAt((at + step + options.length) % options.length);
    } else if (event.key === "Enter") {
      if (open && options[at]) choose(options[at]);
    } else if (event.key === "Escape" && open) {
      shut();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  let n = -1;
  const row = (option) => {
    n += 1;
    const here = n;
    return html`
      <div
        key=${option.value}
        id=${`${id}-${here}`}
        role="option"
        class="bk-option"
        aria-selected=${here === at}
        onMouseDown=${(event) => event.preventDefault()}
        onMouseMove=${() => here !== at && setAt(here)}
        onClick=${() => choose(option)}
      >
        ${plain(option.text)}${option.description && html`<small>${plain(option.description)}</small>`}
      </div>
    `;
  };
  return html`
    <span class="bk-select bk-select--external" aria-busy=${field.busy || offer.loading}>
      <input
        ...${labelled}
        ref=${box}
        class="bk-box"
        type="text"
        dir="auto"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded=${open}
        aria-controls=${`${id}-list`}
        aria-activedescendant=${open && options[at] ? `${id}-${at}` : undefined}
        placeholder=${held ? held.text.text : (element.placeholder?.text ?? "Choose an option")}
        value=${open ? typed : (held?.text.text ?? "")}
        onInput=${(event) => {
          setTyped(open ? event.target.value : (event.data ?? "")); // closed, the box shows what is chosen
          setOpen(true);
        }}
        onFocus=${field.focus}
        onClick=${() => setOpen(true)}
        onKeyDown=${press}
        onBlur=${() => {
          shut();
          field.blur();
        }}
      />
      ${open &&
      html`<div ref=${list} id=${`${id}-list`} class="bk-floating" role="listbox" aria-label=${labelled["aria-label"] ?? "Options"} popover="manual">
        ${offer.groups.map((group) =>
          group.label
            ? html`<div role="group" aria-label=${group.label.text} key=${group.label.text}>
                <div class="bk-grouplabel" aria-hidden="true">${plain(group.label)}</div>
                ${group.options.map(row)}
              </div>`
            : group.options.map(row),
        )}
        ${options.length === 0 && html`<p class="bk-nothing">${offer.says}</p>`}
      </div>`}
      <span class="bk-unseen" role="status">${open ? (options.length > 0 ? `${options.length} results` : offer.says) : ""}</span>
    </span>
  `;
}

/** The row that the keys are at; another offer begins at its first row, at once: a key pressed right after it counts. */
function useMarked(groups) {
  const [marked, setMarked] = useState({ groups, at: 0 });
  return [marked.groups === groups ? marked.at : 0, (at) => setMarked({ groups, at })];
}

const nothing = [];

/** What the app offers for the typed words: the newest answer only. */
function useOffer(surface, block, element, open, typed) {
  const least = element.min_query_length ?? slacksLeast;
  const short = [...typed].length < least;
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    setAnswer(null);
    if (!open || short) return undefined;
    let stale = false;
    const timer = setTimeout(async () => {
      try {
        const target = { ...surface.drafts.target, block: block.block_id, action: element.action_id };
        const got = await surface.api.act("suggest", { target, typed });
        if (!stale) setAnswer({ groups: grouped(got) });
      } catch (err) {
        if (!stale) setAnswer({ groups: nothing, says: err.message });
      }
    }, typed === "" ? 0 : pause);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [open, typed]);
  if (short) return { groups: nothing, loading: false, says: `Type at least ${least} ${least === 1 ? "character" : "characters"}` };
  if (!answer) return { groups: nothing, loading: open, says: "Loading…" };
  return { groups: answer.groups, loading: false, says: answer.says ?? "No results" };
}

const grouped = (got) => got?.groups ?? got?.option_groups ?? (got?.options?.length ? [{ options: got.options }] : nothing);
