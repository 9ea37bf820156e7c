/** State of the page, recorded by a script in it. */
export interface RecordedPage {
  /** Errors and warnings on the console, errors that no code has caught, files that did not load, breaches of the policy. */
  readonly errors: readonly string[];
  /** Text of each slot as it stood in the HTML, from top to bottom, before any code of the page ran. */
  readonly slotTexts: readonly string[];
}

/** Global variable with the {@link RecordedPage}. */
export const recordedPageGlobal = 'recordedPage';

/** Runs as the first script of the page. It may use nothing from outside its own body. */
export function recordPage(): void {
  const recorded = { errors: [] as string[], slotTexts: [] as string[] };
  Object.assign(globalThis, { recordedPage: recorded });
  for (const kind of ['error', 'warn'] as const) {
    const write = console[kind].bind(console);
    console[kind] = (...values: readonly unknown[]) => {
      recorded.errors.push(values.map(String).join(' '));
      write(...values);
    };
  }
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      const isFile = target instanceof Element;
      recorded.errors.push(isFile ? `did not load: ${target.outerHTML.slice(0, 200)}` : String(event.error));
    },
    { capture: true },
  );
  addEventListener('unhandledrejection', ({ reason }) => void recorded.errors.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    recorded.errors.push(`${violatedDirective} refuses ${blockedURI}`);
  });
  document.addEventListener(
    'readystatechange',
    () => {
      for (const slot of document.querySelectorAll('[data-remote]'))
        recorded.slotTexts.push(slot.textContent);
    },
    { once: true },
  );
}
