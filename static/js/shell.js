/* The shell: narrow-screen rail, menus that close, notices, shortcuts. Everything works without it, less quickly. */

const rail = document.getElementById("rail");
const toggle = document.querySelector("[data-rail-toggle]");

function setRail(isOpen) {
  if (!rail || !toggle) return;
  rail.toggleAttribute("data-open", isOpen);
  toggle.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) rail.querySelector("a")?.focus();
  else toggle.focus();
}

toggle?.addEventListener("click", () => setRail(!rail.hasAttribute("data-open")));

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
  if (event.target.closest("[data-dismiss]")) event.target.closest("[data-notice]")?.remove();
  if (rail?.hasAttribute("data-open") && !rail.contains(event.target) && !toggle.contains(event.target)) setRail(false);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.querySelector("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (rail?.hasAttribute("data-open")) setRail(false);
  }
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    const search = document.querySelector("a[href$='/search/']");
    const field = document.querySelector("[data-search]");
    if (field) {
      event.preventDefault();
      field.focus();
    } else if (search) {
      event.preventDefault();
      search.click();
    }
  }
});

document.addEventListener("submit", (event) => {
  const text = event.target.dataset?.confirm;
  if (text && !window.confirm(text)) event.preventDefault();
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  // Error bodies are notices made by the server; they are shown, not dropped.
  if (event.detail.xhr.status >= 400 && event.detail.xhr.getResponseHeader("HX-Retarget")) event.detail.shouldSwap = true;
});
document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.xhr.status !== 401) return;
  const box = document.getElementById("signed-out");
  if (box) box.hidden = false;
  else location.assign(`/accounts/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
});
document.body.addEventListener("htmx:sendError", () => {
  const notices = document.getElementById("notices");
  const notice = document.createElement("div");
  notice.className = "notice notice--warning";
  notice.dataset.notice = "";
  notice.textContent = document.documentElement.lang === "tr"
    ? "Sunucuya ulaşılamıyor. Yazdıklarınız burada duruyor; birazdan yeniden deneyin."
    : "The server cannot be reached. What you typed is still here; try again in a moment.";
  notices.replaceChildren(notice);
});

for (const field of document.querySelectorAll("[data-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
