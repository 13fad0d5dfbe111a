/* Parts of a page that the server rendered anew are put in the place of the old ones. What a person is typing in
   stays; an element with data-parts keeps those of its children that look as before (their streams go on). */

export function swapParts(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const fresh of [...holder.content.children]) {
    const old = fresh.id && document.getElementById(fresh.id);
    if (!old) continue;
    if ("parts" in fresh.dataset) reconcile(old, fresh);
    else if (!isTypedIn(old)) replace(old, fresh);
    if (fresh.dataset.title) document.title = `${fresh.dataset.title} · AIris`;
  }
}

export function replace(old, fresh) {
  const opened = [...old.querySelectorAll("details[open][id]")].map((details) => details.id);
  const link = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
  old.replaceWith(fresh);
  prepare(fresh);
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  if (link) [...fresh.querySelectorAll("a[href]"), fresh].find((a) => a.getAttribute("href") === link)?.focus();
}

function reconcile(old, fresh) {
  const kept = new Map([...old.children].map((child) => [child.id, child]));
  const wanted = [...fresh.children].map((child) => {
    const have = kept.get(child.id);
    if (!have) return child;
    if (have.dataset.look === child.dataset.look || isTypedIn(have)) return have;
    replace(have, child);
    return child;
  });
  let place = old.firstElementChild;
  for (const child of wanted) {
    if (child === place) {
      place = place.nextElementSibling;
      continue;
    }
    old.insertBefore(child, place);
    prepare(child);
  }
  while (place) {
    const gone = place;
    place = place.nextElementSibling;
    gone.remove();
  }
}

function prepare(element) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  for (const form of element.querySelectorAll("form[method=post]")) {
    if (!token || form.elements.csrfmiddlewaretoken) continue; // drawn for the socket, which knows no request
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "csrfmiddlewaretoken", value: token });
    form.append(field);
  }
  window.htmx?.process(element);
}

function isTypedIn(element) {
  const active = document.activeElement;
  return element.contains(active) && active.matches("input:not([type=hidden]), textarea");
}
