/* A table beside its page: a cell lights its place and the place its cell; arrow keys walk; Copy takes words and cells. */

const LIT = "is-near";

class AirisTable extends HTMLElement {
  connectedCallback() {
    this.cells = [...this.querySelectorAll(".cells [data-place]")];
    this.cells[0]?.setAttribute("tabindex", "0");
    this.addEventListener("mouseover", (event) => this.light(event.target.closest(".cells [data-place]")));
    this.addEventListener("focusin", (event) => this.light(event.target.closest(".cells [data-place]"), true));
    this.addEventListener("click", (event) => this.open(event.target.closest(".cells [data-place]")));
    this.addEventListener("keydown", (event) => this.walk(event));
    this.onSheet = (event) => this.fromPage(event);
    for (const kind of ["mouseover", "click"]) document.addEventListener(kind, this.onSheet);
    const button = this.querySelector("[data-copy]");
    button.hidden = false;
    button.addEventListener("click", () => this.copy());
  }

  disconnectedCallback() {
    for (const kind of ["mouseover", "click"]) document.removeEventListener(kind, this.onSheet);
  }

  light(cell, scrolls = false) {
    for (const lit of document.querySelectorAll(`.${LIT}`)) lit.classList.remove(LIT);
    cell ??= document.activeElement?.closest(".cells [data-place]"); // where the keyboard stands
    if (!cell) return;
    cell.classList.add(LIT);
    const sheet = document.getElementById("sheet");
    if (sheet?.dataset.page !== cell.dataset.page) return;
    const places = sheet.querySelectorAll(`[data-place="${cell.dataset.place}"]`);
    for (const place of places) place.classList.add(LIT);
    if (scrolls) places[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /* The page of the cell comes when another one is shown. */
  open(cell) {
    if (!cell) return;
    this.focusOn(cell);
    if (document.getElementById("sheet")?.dataset.page === cell.dataset.page) return;
    const [start, end] = cell.dataset.place.split("-");
    const address = `${this.dataset.address}&page=${cell.dataset.page}&start=${start}&end=${end}`;
    window.htmx?.ajax("GET", address, { target: "#sheet", swap: "outerHTML" }).then(() => this.light(cell, true));
  }

  focusOn(cell) {
    this.querySelector(".cells [tabindex]")?.removeAttribute("tabindex");
    cell.setAttribute("tabindex", "0");
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  walk(event) {
    const cell = event.target.closest(".cells [data-place]");
    if (!cell) return;
    if (event.key === "Enter") return this.open(cell);
    const row = cell.parentElement;
    const next = {
      ArrowRight: () => nextOf(cell, "nextElementSibling"),
      ArrowLeft: () => nextOf(cell, "previousElementSibling"),
      ArrowDown: () => over(row, "nextElementSibling", cell),
      ArrowUp: () => over(row, "previousElementSibling", cell),
    }[event.key]?.();
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.focusOn(next);
  }

  fromPage(event) {
    const place = event.target.closest?.("#sheet [data-place]");
    if (!place) return;
    const page = document.getElementById("sheet").dataset.page;
    const cell = this.cells.find((own) => own.dataset.page === page && own.dataset.place === place.dataset.place);
    if (!cell) return;
    this.light(cell);
    if (event.type === "click") this.focusOn(cell);
  }

  async copy() {
    const table = this.querySelector("template[data-clipboard]").content.firstElementChild;
    const html = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>${table.outerHTML}</body></html>`;
    const text = [...table.rows].map((row) => [...row.cells].map(asColumns).join("\t")).join("\n");
    const said = this.querySelector("[data-said]");
    said.textContent = (await write(text, html)) ? said.dataset.done : said.dataset.failed;
  }
}

function asColumns(cell) {
  return cell.textContent.replace(/[\t\n]/g, " ") + "\t".repeat(cell.colSpan - 1);
}

async function write(text, html) {
  const types = { "text/plain": text, "text/html": html };
  try {
    const parts = Object.entries(types).map(([type, said]) => [type, new Blob([said], { type })]);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts))]);
    return true;
  } catch {
    const fill = (event) => { // without a secure address there is no clipboard of its own
      for (const [type, said] of Object.entries(types)) event.clipboardData.setData(type, said);
      event.preventDefault();
    };
    document.addEventListener("copy", fill, { once: true });
    const done = document.execCommand("copy");
    document.removeEventListener("copy", fill);
    return done;
  }
}

function nextOf(cell, way) {
  let other = cell[way];
  while (other && !other.dataset.place) other = other[way];
  return other;
}

function over(row, way, cell) {
  const column = columnOf(cell);
  for (let other = row[way]; other; other = other[way]) {
    const found = [...other.cells].find((own) => own.dataset.place && columnOf(own) <= column && column < columnOf(own) + own.colSpan);
    if (found) return found;
  }
  return null;
}

function columnOf(cell) {
  let column = 0;
  for (let before = cell.previousElementSibling; before; before = before.previousElementSibling) column += before.colSpan;
  return column;
}

customElements.define("airis-table", AirisTable);
