// Small helps for pages that htmx changes in place. Every page works without this file.
(() => {
  "use strict";

  // Where the navigation is wider than the screen it begins at the section that the page is of.
  const sections = document.querySelector(".site-nav ul");
  const here = sections?.querySelector("[aria-current]");
  if (here) {
    const before = here.getBoundingClientRect().left - sections.getBoundingClientRect().left;
    sections.scrollLeft = before - (sections.clientWidth - here.clientWidth) / 2;
  }

  // What was just done is said once: it may not be so any more when somebody comes back to this page, or reloads it.
  const shown = new URL(location.href);
  const notices = ["did", "put", "redriven", "replaced"].filter((name) => shown.searchParams.has(name));
  if (notices.length > 0) {
    notices.forEach((name) => shown.searchParams.delete(name));
    history.replaceState(history.state, "", shown);
  }

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

  // A double click changes nothing twice. After some seconds, or once something was changed, the form can be sent again, as after
  // Stop, which no event tells of; so can a page that the browser kept, and shows again.
  const SENT_ONCE_MS = 5_000;
  document.addEventListener("submit", (event) => {
    if (event.target.method === "post") {
      if (Date.now() - Number(event.target.dataset.sent ?? 0) < SENT_ONCE_MS) {
        event.preventDefault();
      } else {
        event.target.dataset.sent = Date.now();
      }
    }
  });
  document.addEventListener("input", (event) => {
    delete event.target.form?.dataset.sent;
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
    }
  });

  // Choosing rows changes nothing in the list, nor does leaving a field that was searched for as one typed: neither must
  // load the list again.
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-selection], [data-as-typed]")) {
      event.stopPropagation();
    }
  }, true);

  // A page that asks again by itself keeps what it shows where it is not answered, says so, and goes on asking, less and less
  // often.
  const FIRST_WAIT_MS = 2_000;
  const LONGEST_WAIT_MS = 30_000;
  let wait = FIRST_WAIT_MS;
  let nextTry = 0;
  let stale = null;
  const asksByItself = (element) => element?.matches("[data-refresh], [sse-connect]");
  const keepAndAskAgain = () => {
    if (!stale) {
      stale = document.createElement("p");
      stale.className = "alert alert-warning";
      stale.textContent = "This page is not up to date: Menuboard does not answer. It is asked again until it does.";
      document.getElementById("live").before(stale);
      document.getElementById("announcer").textContent = stale.textContent;
    }
    clearTimeout(nextTry);
    nextTry = setTimeout(() => {
      const timer = document.querySelector("[data-refresh]");
      if (timer) {
        htmx.trigger(timer, "again");
      }
    }, wait);
    wait = Math.min(wait * 1.5, LONGEST_WAIT_MS);
  };
  const upToDate = () => {
    clearTimeout(nextTry);
    wait = FIRST_WAIT_MS;
    stale?.remove();
    stale = null;
  };
  for (const unanswered of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(unanswered, (event) => {
      if (asksByItself(event.target)) {
        keepAndAskAgain();
      }
    });
  }
  document.addEventListener("htmx:beforeSwap", (event) => {
    const status = event.detail.xhr.status;
    if (asksByItself(event.detail.requestConfig.elt) && (status === 429 || status >= 500)) {
      event.detail.shouldSwap = false;
      keepAndAskAgain();
    } else if (event.detail.target.id === "live") {
      upToDate();
    }
  });

  // Where htmx does not follow the form that the number of rows belongs to, the browser sends it: the button is hidden.
  document.addEventListener("change", (event) => {
    if (event.target.id === "size" && !event.target.form.hasAttribute("hx-get")) {
      event.target.form.requestSubmit();
    }
  });

  // Where the keyboard is in a part of the page that is exchanged. htmx finds it again where it has an id.
  let lost = null;
  const address = (control) => control.getAttribute("href") ?? `${control.name} ${control.value}`;
  const sameAs = (was) => (control) => address(control) === was.address;
  const saysAs = (was) => (control) => was.text !== "" && control.textContent === was.text;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const region = event.detail.target;
    const control = document.activeElement;
    const isIn = control !== region && region.contains(control) && !control.id;
    lost = isIn ? { address: address(control), text: control.textContent } : null;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const region = event.detail.target;
    if (lost && !region.contains(document.activeElement)) {
      const controls = [...region.querySelectorAll("a[href], button, input, select, summary")];
      region.tabIndex = -1;
      (controls.find(sameAs(lost)) ?? controls.find(saysAs(lost)) ?? region).focus({ preventScroll: true });
    }
    lost = null;
  });

  // Browsers open few connections to one site: a page that nobody sees keeps none, and looks again once it is seen.
  document.addEventListener("visibilitychange", () => {
    for (const listener of document.querySelectorAll("[sse-connect]")) {
      htmx.trigger(listener, "htmx:beforeCleanupElement");
      if (!document.hidden) {
        htmx.trigger(listener, "htmx:afterProcessNode");
      }
    }
  });

  // So that the server answers errors in HTML too. What listens stays while the list beside it is paged and filtered, and asks
  // for what is shown now, as its timer does.
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers.Accept = "text/html";
    if (event.target.matches("[sse-connect]")) {
      event.detail.path = document.querySelector("[data-refresh]")?.getAttribute("hx-get") ?? event.detail.path;
    }
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    announce(event.target);
    markInvalidFields();
  });
})();
