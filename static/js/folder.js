/* <airis-folder>: announces a chosen folder as a load, then sends its files one by one with their paths. */

class AirisFolder extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input[type=file]");
    this.say = this.querySelector("[role=status]");
    this.hidden = !("webkitdirectory" in this.input);
    this.input.addEventListener("change", () => this.send([...this.input.files]));
  }

  async send(files) {
    this.input.value = "";
    if (!files.length) return;
    const paths = files.map((file) => file.webkitRelativePath || file.name);
    const body = this.body();
    body.set("name", paths[0].split("/")[0]);
    body.set("files", JSON.stringify(files.map((file, place) => [paths[place], file.size])));
    const reply = await this.post(this.dataset.begin, body);
    if (!reply) return;
    const batch = await reply.json();
    const link = document.createElement("a");
    link.href = batch.url;
    link.textContent = this.dataset.progress;
    let failed = 0;
    for (const [place, file] of files.entries()) {
      this.say.replaceChildren(`${place + 1} / ${files.length} `, link);
      const one = this.body();
      one.set("path", paths[place]);
      one.set("file", file, file.name);
      if (!(await this.post(batch.send, one))) failed += 1;
    }
    this.say.replaceChildren(`${files.length - failed} / ${files.length} `, link);
    document.body.dispatchEvent(new CustomEvent("airis:uploaded"));
  }

  body() {
    const body = new FormData();
    body.set("csrfmiddlewaretoken", this.querySelector("[name=csrfmiddlewaretoken]").value);
    const choice = document.getElementById("same_name");
    if (choice) body.set("same_name", choice.value);
    return body;
  }

  async post(address, body) {
    try {
      const reply = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
      if (reply.ok) return reply;
    } catch {
      /* the line was cut: said below */
    }
    this.say.textContent = this.dataset.failed;
    return null;
  }
}

customElements.define("airis-folder", AirisFolder);
