/* A field whose content is copied by a button; without JavaScript it is selected by hand. */

class AirisCopy extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input");
    const button = this.querySelector("[data-copy]");
    button.hidden = false;
    field.addEventListener("focus", () => field.select());
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        document.execCommand("copy");
      }
      button.querySelector("span").textContent = this.dataset.done;
      this.querySelector("[role=status]").textContent = this.dataset.done;
    });
  }
}

customElements.define("airis-copy", AirisCopy);
