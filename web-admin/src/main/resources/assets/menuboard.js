// Small helps for pages that htmx changes in place. Every page works without this file.
(() => {
  "use strict";

  // Says the new summary to screen readers, which do not notice that a part of the page was exchanged.
  const announce = (region) => {
    const summary = region.querySelector("[data-summary]");
    const announcer = document.getElementById("announcer");
    if (summary && announcer) {
      announcer.textContent = summary.textContent;
    }
  };

  // A field is invalid while the message that belongs to it has text.
  const markInvalidFields = () => {
    for (const message of document.querySelectorAll(".field-error[id]")) {
      const field = document.querySelector(`[aria-describedby~="${message.id}"]`);
      if (field) {
        field.toggleAttribute("aria-invalid", false);
        if (message.textContent.trim() !== "") {
          field.setAttribute("aria-invalid", "true");
        }
      }
    }
  };

  // A double click changes nothing twice. A page that the browser kept, and shows again, can be sent again.
  document.addEventListener("submit", (event) => {
    if (event.target.method === "post") {
      if (event.target.dataset.sent) {
        event.preventDefault();
      }
      event.target.dataset.sent = "true";
    }
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
    }
  });

  // Choosing rows changes nothing in the list, and must not load it again.
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-selection]")) {
      event.stopPropagation();
    }
  }, true);

  // So that the server answers errors in HTML too.
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers.Accept = "text/html";
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    announce(event.target);
    markInvalidFields();
  });
})();
