/* A page that is still being drawn shows its outline and its words; the lit places come with the picture. */

export function settle(root) {
  for (const page of root.querySelectorAll(".page")) {
    const image = page.querySelector("img");
    if (!image || image.complete) continue;
    page.dataset.loading = "";
    const done = () => delete page.dataset.loading;
    image.addEventListener("load", done, { once: true });
    image.addEventListener("error", () => {
      page.dataset.failed = "";
      done();
    }, { once: true });
  }
}
