"use strict";

// Without this script the page is a list of the photos, with links to each version and what was asked. The script shows
// one photo of the list at a time, with its versions one over the other. On a page for pins it also sets pins, and saves
// each at once.
(() => {
	const find = (id) => document.getElementById(id);
	const photos = [...document.querySelectorAll("#photos > li")];
	const stage = find("stage");
	const slider = find("slider");
	if (photos.length === 0) return;

	let at = 0; // the photo that is shown
	let layers = []; // its versions, the oldest at the bottom
	let view = { scale: 1, x: 0, y: 0 };
	let marks = null; // what sets pins; null: the page only compares

	const versionsOf = (photo) => [...photo.querySelectorAll("a[data-version]")];
	const nameOf = (photo) => photo.querySelector("h2").textContent;

	// load fetches a picture, or a smaller one in its place, and calls then when it is there or cannot be had.
	function load(img, link, then) {
		const sources = [link.href, link.dataset.instead].filter(Boolean);
		img.onload = () => then(true);
		img.onerror = () => (sources.length > 0 ? (img.src = sources.shift()) : then(false));
		img.src = sources.shift();
	}

	function layerOf(link, photo) {
		const layer = document.createElement("div");
		const img = document.createElement("img");
		layer.className = "layer";
		img.alt = nameOf(photo) + ", " + link.dataset.version.toLowerCase();
		img.draggable = false;
		layer.append(img);
		stage.append(layer);
		return { layer, img, link, label: link.dataset.version, failed: false };
	}

	// fetchAll gets the newest version first, then the others, then the newest of the next photo, and nothing more.
	function fetchAll() {
		const mine = layers;
		const get = (one, then) => load(one.img, one.link, (there) => {
			one.failed = !there;
			if (mine === layers) draw();
			then();
		});
		const next = photos[at + 1] && versionsOf(photos[at + 1]).at(-1);
		let left = mine.length - 1;
		const done = () => --left < 0 && mine === layers && next && load(new Image(), next, () => {});
		if (mine.length === 0) return;
		get(mine.at(-1), () => {
			if (mine !== layers) return;
			done();
			mine.slice(0, -1).forEach((one) => get(one, done));
		});
	}

	function show(index) {
		if (index < 0 || index >= photos.length) return;
		marks?.leave();
		at = index;
		photos.forEach((photo, i) => { photo.hidden = i !== at; });
		const photo = photos[at];
		const links = versionsOf(photo);
		stage.replaceChildren();
		layers = links.map((link) => layerOf(link, photo));
		view = { scale: 1, x: 0, y: 0 };
		slider.max = Math.max(0, links.length - 1) * 100;
		slider.value = slider.max;
		slider.hidden = links.length < 2;
		find("versions").replaceChildren(...layers.map(versionButton));
		find("position").textContent = "Photo " + (at + 1) + " of " + photos.length;
		find("position").setAttribute("aria-label", "Photo " + (at + 1) + " of " + photos.length + ": " + nameOf(photo));
		find("previous").setAttribute("aria-disabled", String(at === 0));
		find("next").setAttribute("aria-disabled", String(at === photos.length - 1));
		document.title = (at + 1) + " of " + photos.length + " · " + document.querySelector("h1").textContent;
		history.replaceState(null, "", "#" + (at + 1)); // names no element: the page does not scroll
		marks?.list();
		draw();
		fetchAll();
	}

	function versionButton({ label }, i) {
		const button = document.createElement("button");
		button.type = "button";
		button.textContent = label;
		button.onclick = () => slideTo(i * 100);
		return button;
	}

	function slideTo(value) {
		slider.value = value;
		draw();
	}

	// draw shows what the slider and the zoom say: each layer covers the one below it from the left.
	function draw() {
		const value = Number(slider.value) / 100;
		const nearest = Math.round(value);
		const share = (i) => (i === 0 ? 1 : Math.min(1, Math.max(0, value - (i - 1))));
		layers.forEach(({ layer, img }, i) => {
			layer.style.clipPath = "inset(0 " + (1 - share(i)) * 100 + "% 0 0)";
			layer.style.visibility = share(i) === 0 || (i + 1 < layers.length && share(i + 1) === 1) ? "hidden" : "visible";
			img.style.transform = "translate(" + view.x + "px, " + view.y + "px) scale(" + view.scale + ")";
		});
		[...find("versions").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === value)));
		const below = Math.floor(value);
		slider.setAttribute("aria-valuetext", layers.length === 0 ? "" : below === value ? layers[below].label
			: Math.round((value - below) * 100) + "% of the way from " + layers[below].label + " to " + layers[below + 1].label);
		note(layers[nearest]);
		marks?.draw();
	}

	// note says when a version cannot be shown, and where it is.
	function note(one) {
		const p = find("note");
		const says = !one ? "No picture of this photo can be shown here. Look at it in Slack." : one.failed ? one.label + " cannot be shown here. " : "";
		if (p.dataset.says === says + at) return;
		p.dataset.says = says + at;
		p.replaceChildren(says);
		if (one && one.failed) {
			const link = document.createElement("a");
			link.href = one.link.href;
			link.textContent = "Open it by itself";
			p.append(link);
		}
	}

	// zoom enlarges the picture around a point of the stage, counted from its middle.
	function zoom(by, x = 0, y = 0) {
		const scale = Math.min(8, Math.max(1, view.scale * by));
		const k = scale / view.scale;
		view = { scale, x: x - (x - view.x) * k, y: y - (y - view.y) * k };
		pan(0, 0);
	}

	function pan(dx, dy) {
		const room = (size) => ((view.scale - 1) * size) / 2;
		const keep = (v, most) => Math.min(most, Math.max(-most, v));
		view.x = keep(view.x + dx, room(stage.clientWidth));
		view.y = keep(view.y + dy, room(stage.clientHeight));
		draw();
	}

	const eased = (then) => () => {
		layers.forEach(({ img }) => img.classList.add("eased"));
		then();
		setTimeout(() => layers.forEach(({ img }) => img.classList.remove("eased")), 200);
	};
	const zoomIn = eased(() => zoom(1.5));
	const zoomOut = eased(() => zoom(1 / 1.5));
	const whole = eased(() => zoom(0));

	const fromMiddle = ({ clientX, clientY }) => {
		const box = stage.getBoundingClientRect();
		return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
	};
	const fingers = new Map(); // by pointer, where it is
	let swipe = null; // where a single finger began
	let tap = null; // the same, also in a picture that is zoomed into
	const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;

	stage.addEventListener("pointerdown", (e) => {
		stage.setPointerCapture(e.pointerId);
		fingers.set(e.pointerId, fromMiddle(e));
		swipe = fingers.size === 1 && view.scale === 1 ? fromMiddle(e) : null;
		tap = fingers.size === 1 ? fromMiddle(e) : null;
	});
	stage.addEventListener("pointermove", (e) => {
		const was = fingers.get(e.pointerId);
		if (!was) return;
		const is = fromMiddle(e);
		const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
		fingers.set(e.pointerId, is);
		if (other) zoom(apart(is, other) / apart(was, other), (is[0] + other[0]) / 2, (is[1] + other[1]) / 2);
		if (view.scale > 1) pan((is[0] - was[0]) / fingers.size, (is[1] - was[1]) / fingers.size);
	});
	stage.addEventListener("pointerup", (e) => {
		const end = fromMiddle(e);
		if (fingers.size === 1 && e.button === 0 && tap && apart(end, tap) < 8) marks?.tap(end);
		if (swipe && fingers.size === 1) {
			const dx = end[0] - swipe[0];
			if (Math.abs(dx) > 50 && Math.abs(dx) > 2 * Math.abs(end[1] - swipe[1])) show(at - Math.sign(dx));
		}
		fingers.delete(e.pointerId);
		swipe = null;
	});
	stage.addEventListener("pointercancel", (e) => { fingers.delete(e.pointerId); swipe = null; });
	stage.addEventListener("wheel", (e) => {
		e.preventDefault();
		zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 0.03 : 0.002)), ...fromMiddle(e));
	}, { passive: false });
	stage.addEventListener("dblclick", (e) => !marks && (view.scale > 1 ? whole() : zoom(3, ...fromMiddle(e))));

	const keys = {
		ArrowLeft: () => (view.scale > 1 ? pan(60, 0) : show(at - 1)),
		ArrowRight: () => (view.scale > 1 ? pan(-60, 0) : show(at + 1)),
		ArrowUp: () => view.scale > 1 && pan(0, 60),
		ArrowDown: () => view.scale > 1 && pan(0, -60),
		"+": zoomIn, "=": zoomIn, "-": zoomOut, 0: whole,
	};
	document.addEventListener("keydown", (e) => {
		const act = keys[e.key];
		if (!act || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("#pin, .pin")) return;
		const vertical = e.key === "ArrowUp" || e.key === "ArrowDown";
		if (e.target === slider && e.key.startsWith("Arrow")) {
			e.preventDefault();
			slideTo(Number(slider.value) + (e.key === "ArrowRight" || e.key === "ArrowUp" ? 25 : -25));
			return;
		}
		if (!vertical || view.scale > 1) e.preventDefault(); // the page scrolls by the others
		act();
	});

	// pinning sets the pins of the draft. All of them are in the page; those of the photo that is shown stand on it.
	function pinning(section) {
		let pins = JSON.parse(section.dataset.pins);
		let open = null; // the pin whose words are being written: a copy
		let saving = Promise.resolve();
		const unsaved = new Map(); // by id: pins that were sent and are not confirmed
		const form = find("pin");
		const words = find("words");
		const dots = document.createElement("div");
		dots.className = "pins";
		const photo = () => photos[at].dataset.photo;
		const here = () => [...new Map([...pins, ...unsaved.values()].map((pin) => [pin.id, pin])).values()].filter((pin) => pin.photo === photo());
		const clamp = (v) => Math.min(1000, Math.max(0, Math.round(v)));
		const say = (sentence) => { find("saved").textContent = sentence; };
		const known = (id) => pins.find((pin) => pin.id === id);
		const changed = () => open && words.value.trim() !== "" && (words.value.trim() !== known(open.id)?.words || open.moved);

		// frame is the size of the newest version on the stage before it is zoomed, or null without a picture.
		function frame() {
			const img = layers.at(-1)?.img;
			if (!img?.naturalWidth) return null;
			const k = Math.min(stage.clientWidth / img.naturalWidth, stage.clientHeight / img.naturalHeight);
			return { w: img.naturalWidth * k, h: img.naturalHeight * k };
		}

		// place puts the dot of a pin on the picture.
		function place(dot, pin, size) {
			dot.style.left = stage.clientWidth / 2 + view.x + (pin.x / 1000 - 0.5) * size.w * view.scale + "px";
			dot.style.top = stage.clientHeight / 2 + view.y + (pin.y / 1000 - 0.5) * size.h * view.scale + "px";
		}

		function draw() {
			const size = frame();
			dots.hidden = !size;
			if (size) [...dots.children].forEach((dot) => place(dot, dot.pin, size));
		}

		function dotOf(pin, number) {
			const dot = document.createElement("button");
			dot.type = "button";
			dot.className = "pin";
			dot.pin = pin;
			dot.textContent = number;
			dot.setAttribute("aria-label", "Pin " + number + ": " + (pin.words || "no text yet"));
			dot.setAttribute("aria-pressed", String(pin === open));
			dot.addEventListener("pointerdown", (e) => e.stopPropagation());
			dot.onclick = () => edit(pin);
			dot.onkeydown = (e) => {
				const by = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[e.key];
				if (!by) return;
				e.preventDefault();
				if (open?.id !== pin.id) edit(pin, false);
				Object.assign(open, { x: clamp(open.x + by[0]), y: clamp(open.y + by[1]), moved: true });
				list();
				dots.querySelector("[aria-pressed=true]").focus();
			};
			return dot;
		}

		// list shows the pins of the photo that is shown: on it, and as a list.
		function list() {
			const shown = here().map((pin) => (pin.id === open?.id ? open : pin));
			if (open && open.photo === photo() && !shown.includes(open)) shown.push(open);
			stage.append(dots);
			dots.replaceChildren(...shown.map((pin, i) => dotOf(pin, i + 1)));
			find("pins").replaceChildren(...here().map((pin) => {
				const item = document.createElement("li");
				const button = document.createElement("button");
				button.type = "button";
				button.textContent = pin.words + (unsaved.has(pin.id) ? " — not saved yet" : "");
				button.onclick = () => edit(pin);
				item.append(button);
				return item;
			}));
			draw();
		}

		function edit(pin, write = true) {
			if (open?.id === pin.id) return write && words.focus();
			leave();
			open = { ...pin };
			const number = here().findIndex((one) => one.id === pin.id) + 1 || here().length + 1;
			find("which").textContent = "pin " + number + " on " + nameOf(photos[at]);
			words.value = pin.words;
			find("remove").textContent = known(pin.id) ? "Remove" : "Discard";
			form.hidden = false;
			list();
			if (write) words.focus();
		}

		function close() {
			open = null;
			form.hidden = true;
			list();
		}

		// leave saves what was written before something else is shown.
		function leave() {
			if (changed()) save();
			if (open) close();
		}

		function tap([x, y]) {
			const size = frame();
			if (!size) return say("This picture cannot be shown here, so it takes no pin.");
			const to = { x: clamp(((x - view.x) / view.scale / size.w + 0.5) * 1000), y: clamp(((y - view.y) / view.scale / size.h + 0.5) * 1000) };
			const id = [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
			edit({ id, photo: photo(), words: "", ...to });
		}

		// send saves one pin after the other. What could not be saved stays in the form, or in the list of its photo.
		function send(pin) {
			if (pin.words) unsaved.set(pin.id, pin);
			saving = saving.then(async () => {
				say("Saving …");
				let answer;
				try {
					const response = await fetch(location.pathname, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(pin) });
					answer = await response.json();
				} catch {
					answer = { error: "Your text is still here. Try again in a minute." };
				}
				if (answer.error) {
					list();
					return say("This pin is not " + (pin.words ? "saved. " : "removed. ") + answer.error);
				}
				pins = answer.pins;
				unsaved.delete(pin.id);
				if (open?.id === pin.id && words.value.trim() === pin.words) {
					close();
					[...dots.children].find((dot) => dot.pin.id === pin.id)?.focus();
				}
				list();
				say((pin.words ? "Saved. " : "Removed. ") + "The form in Slack shows it. This photo has " + count(here().length) + ", all photos have " + count(pins.length) + ".");
			});
		}

		const count = (n) => n + (n === 1 ? " pin" : " pins");

		function save() {
			const { id, x, y } = open;
			send({ id, photo: open.photo, x, y, words: words.value.trim() });
		}

		form.onsubmit = (e) => {
			e.preventDefault();
			if (words.value.trim() === "") return;
			save();
		};
		words.onkeydown = (e) => {
			if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) form.requestSubmit();
			if (e.key === "Escape") leave();
		};
		find("remove").onclick = () => {
			const pin = open;
			const sent = known(pin.id) || unsaved.has(pin.id); // or on its way
			close();
			unsaved.delete(pin.id);
			list();
			if (sent) send({ ...pin, words: "" });
		};
		find("middle").onclick = () => tap([0, 0]);
		addEventListener("beforeunload", (e) => (changed() || unsaved.size > 0) && e.preventDefault());
		section.hidden = false;
		return { draw, leave, list, tap };
	}

	slider.addEventListener("input", draw);
	find("previous").onclick = () => show(at - 1);
	find("next").onclick = () => show(at + 1);
	find("in").onclick = zoomIn;
	find("out").onclick = zoomOut;
	find("whole").onclick = whole;
	window.addEventListener("resize", () => pan(0, 0));
	find("viewer").hidden = false;
	if (find("marks")) marks = pinning(find("marks"));
	show(Math.min(photos.length, Math.max(1, Math.trunc(Number(location.hash.slice(1))) || 1)) - 1);
})();
