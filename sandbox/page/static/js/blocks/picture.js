import { html, useState } from "/static/vendor/htm-preact.js";
import { useSurface } from "./surface.js";
import { Text } from "./text.js";
import { useWorld } from "../world.js";

// What the photo service shows comes by way of the page: Slack, too, keeps what it has
// shown, and the service may be away.
function source(of, me, service) {
  if (service && of.image_url?.startsWith(service)) return `/page/picture?${new URLSearchParams({ url: of.image_url })}`;
  if (of.image_url) return of.image_url;
  const file = of.slack_file ?? {};
  return file.id ? `/page/file/${file.id}?as=${me?.id ?? ""}` : (file.url ?? "");
}

/** A picture in a box of fixed size, or of its own shape; when it does not load, its alt text stands there. */
export function Picture({ of, look }) {
  const { me } = useSurface();
  const { team } = useWorld();
  const [broken, setBroken] = useState("");
  const src = source(of, me, team.pictures);
  if (broken === src) {
    return html`<span class=${`bk-picture bk-picture--${look} bk-picture--broken`} role="img" aria-label=${of.alt_text} title=${of.alt_text}>
      <span class="bk-text" dir="auto">${of.alt_text}</span>
    </span>`;
  }
  const image = html`<img src=${src} alt=${of.alt_text} title=${look === "block" ? undefined : of.alt_text} loading="lazy" decoding="async" onError=${() => setBroken(src)} />`;
  const own = look === "block" ? html`<a href=${src} target="_blank" rel="noopener noreferrer" aria-label=${`Open: ${of.alt_text}`}>${image}</a>` : image; // Slack, too, shows it alone
  return html`<span class=${`bk-picture bk-picture--${look}`}>${own}</span>`;
}

/** The image block: its title above the picture. */
export function ImageBlock({ block }) {
  return html`
    <figure class="bk-image">
      ${block.title && html`<figcaption dir="auto"><${Text} of=${block.title} /></figcaption>`}
      <${Picture} of=${block} look="block" />
    </figure>
  `;
}
