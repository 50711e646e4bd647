// @ts-check
// Forms of accounts: show what was typed as a password, and lead to the list of errors.

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-show-password]");
  if (!(button instanceof HTMLElement)) return;
  const input = document.getElementById(button.dataset.showPassword ?? "");
  if (!(input instanceof HTMLInputElement)) return;
  const isShown = input.type === "password";
  input.type = isShown ? "text" : "password";
  button.setAttribute("aria-pressed", String(isShown));
  input.focus();
});

// Hidden again before it goes: browsers offer to save only what was a password field.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  for (const button of form.querySelectorAll('[data-show-password][aria-pressed="true"]')) {
    const input = document.getElementById(/** @type {HTMLElement} */ (button).dataset.showPassword ?? "");
    if (input instanceof HTMLInputElement) input.type = "password";
    button.setAttribute("aria-pressed", "false");
  }
});

const errors = document.querySelector("[data-form-errors]");
if (errors instanceof HTMLElement) errors.focus();
