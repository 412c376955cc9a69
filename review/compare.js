"use strict";

// Without this script the page is a list of the photos, with links to each version and what was asked. The script shows
// one photo of the list at a time, with its versions one over the other.
(() => {
	const find = (id) => document.getElementById(id);
	const photos = [...document.querySelectorAll("#photos > li")];
	const stage = find("stage");
	const slider = find("slider");
	if (photos.length === 0) return;

	let at = 0; // the photo that is shown
	let layers = []; // its versions, the oldest at the bottom
	let view = { scale: 1, x: 0, y: 0 };

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
		document.title = (at + 1) + " of " + photos.length + " · Compare";
		history.replaceState(null, "", "#" + (at + 1)); // names no element: the page does not scroll
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
	const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;

	stage.addEventListener("pointerdown", (e) => {
		stage.setPointerCapture(e.pointerId);
		fingers.set(e.pointerId, fromMiddle(e));
		swipe = fingers.size === 1 && view.scale === 1 ? fromMiddle(e) : null;
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
	stage.addEventListener("dblclick", (e) => (view.scale > 1 ? whole() : zoom(3, ...fromMiddle(e))));

	const keys = {
		ArrowLeft: () => (view.scale > 1 ? pan(60, 0) : show(at - 1)),
		ArrowRight: () => (view.scale > 1 ? pan(-60, 0) : show(at + 1)),
		ArrowUp: () => view.scale > 1 && pan(0, 60),
		ArrowDown: () => view.scale > 1 && pan(0, -60),
		"+": zoomIn, "=": zoomIn, "-": zoomOut, 0: whole,
	};
	document.addEventListener("keydown", (e) => {
		const act = keys[e.key];
		if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
		const vertical = e.key === "ArrowUp" || e.key === "ArrowDown";
		if (e.target === slider && e.key.startsWith("Arrow")) {
			e.preventDefault();
			slideTo(Number(slider.value) + (e.key === "ArrowRight" || e.key === "ArrowUp" ? 25 : -25));
			return;
		}
		if (!vertical || view.scale > 1) e.preventDefault(); // the page scrolls by the others
		act();
	});

	slider.addEventListener("input", draw);
	find("previous").onclick = () => show(at - 1);
	find("next").onclick = () => show(at + 1);
	find("in").onclick = zoomIn;
	find("out").onclick = zoomOut;
	find("whole").onclick = whole;
	window.addEventListener("resize", () => pan(0, 0));
	find("viewer").hidden = false;
	show(Math.min(photos.length, Math.max(1, Math.trunc(Number(location.hash.slice(1))) || 1)) - 1);
})();
