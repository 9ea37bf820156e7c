import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import vm from 'node:vm';
import { JSDOM, ResourceLoader, VirtualConsole, type DOMWindow, type FetchOptions } from 'jsdom';
import type { RenderJob, RenderReport } from '../render-report.ts';
import { addBrowserStubs, type StubOptions } from './browser-stubs.ts';
import { createDomReader, type DomReader } from './dom-reader.ts';
import { readPagePolicy, type PagePolicy } from './page-policy.ts';

/** How long the page may take to hydrate the remote's slots, in milliseconds. */
const timeout = 15_000;
/** How long a slot may stay blank after the last file was loaded, in milliseconds. */
const blankTimeout = 1000;
/** In milliseconds. */
const pollInterval = 20;
/** A page that has logged an error counts as broken after this many polls without a request. */
const maxIdlePolls = 75;

/** A page whose scripts run, without a browser and without a network. */
export interface OpenPage {
  /**
   * Resolves once the page is idle, or after the timeout.
   *
   * @param idleTime how long the page must have made no request, in milliseconds, because lazy code may still break it
   */
  untilSettled(idleTime?: number): Promise<RenderReport>;
}

/** Renders a sample page, so that jsdom loads its lazy modules before `lockDown` blocks them. */
export async function warmUp(): Promise<void> {
  const script = 'document.body.firstChild.dataset.version = "1"';
  const integrity = `sha256-${createHash('sha256').update(script).digest('base64')}`;
  const policy = `<meta http-equiv="Content-Security-Policy" content="script-src '${integrity}'">`;
  const body = `<p data-remote="shell">Shown</p><script src="/warm-up.js" integrity="${integrity}"></script>`;
  const files = { '/warm-up.js': Buffer.from(script).toString('base64') };
  const page = openPage({
    html: `${policy}<style>p {}</style><body>${body}`,
    remote: 'shell',
    origin: 'https://warm-up.invalid',
    files,
  });
  await page.untilSettled(0);
}

/** Opens a composed page. It can load the files of the job that its Content Security Policy allows, and nothing else. */
export function openPage({ html, remote, origin, files, readsTexts = false }: RenderJob): OpenPage {
  const errors: string[] = [];
  const recordError = (error: unknown) => {
    if (errors.length < 20) errors.push(String(error).slice(0, 500));
  };
  // Uncaught errors of the page reach this process.
  process.on('unhandledRejection', recordError).on('uncaughtException', recordError);
  const inPage = restrictContext();
  const policy = readPagePolicy(html);
  const loader = new PolicyEnforcingLoader(files, origin, policy);
  let reader: DomReader | undefined;
  const dom = () => {
    if (!reader) throw new Error('The page is not open yet.');
    return reader;
  };
  new JSDOM(html, {
    url: `${origin}/`,
    runScripts: 'dangerously',
    pretendToBeVisual: true,
    resources: loader,
    virtualConsole: new VirtualConsole()
      .on('jsdomError', ({ message }) => recordError(message))
      .on('error', (...words: unknown[]) => recordError(words.map(String).join(' '))),
    beforeParse(opened) {
      const add = inPage(`(${String(addBrowserStubs)})`) as (window: DOMWindow, options: StubOptions) => void;
      add(opened, policy);
      reader = createDomReader(opened);
    },
  });
  const elements = () =>
    dom()
      .findAll('[data-remote]')
      .filter((slot) => dom().attributeOf(slot, 'data-remote') === remote);
  const slots = () =>
    elements().map((slot) => ({
      remote,
      version: dom().attributeOf(slot, 'data-version'),
      blank: dom().textOf(slot).trim() === '',
    }));
  const texts = () =>
    Object.fromEntries(
      elements().map((slot) => [dom().attributeOf(slot, 'data-exposed') ?? '', dom().textOf(slot)]),
    );
  /** Slots may defer their code until a visitor interacts with them. */
  const activateSlots = () => {
    for (const slot of elements()) {
      if (dom().attributeOf(slot, 'data-version') === null) dom().press(slot);
    }
  };
  return {
    async untilSettled(idleTime = 100) {
      const end = performance.now() + timeout;
      let shown: number | undefined;
      let lastRequest = loader.lastRequest;
      let idlePolls = 0;
      while (performance.now() < end) {
        activateSlots();
        const now = slots();
        const complete = now.length > 0 && now.every(({ version }) => version !== null);
        shown = complete ? (shown ?? performance.now()) : undefined;
        const idleFor = performance.now() - Math.max(shown ?? Infinity, loader.lastRequest);
        if (idleFor > (now.some(({ blank }) => blank) ? blankTimeout : idleTime)) break;
        // Counts polls instead of time, because a running script blocks them.
        idlePolls = lastRequest === loader.lastRequest ? idlePolls + 1 : 0;
        lastRequest = loader.lastRequest;
        if (!complete && errors.length > 0 && idlePolls > maxIdlePolls) break;
        await delay(pollInterval);
      }
      refuseInline(dom(), policy);
      return {
        slots: slots(),
        ...(readsTexts && { texts: texts() }),
        errors,
        refused: [...policy.refused],
      };
    },
  };
}

/**
 * Disables `eval` in the context that jsdom creates for the page, as the page's policy does in browsers. Returns a function
 * that runs code in that context.
 */
function restrictContext(): (code: string) => unknown {
  const { createContext } = vm;
  let context: vm.Context | undefined;
  vm.createContext = (object, options) => {
    context = createContext(object, { ...options, codeGeneration: { strings: false, wasm: false } });
    return context;
  };
  return (code) => {
    if (!context) throw new Error('jsdom has made no context for the page.');
    return vm.runInContext(code, context) as unknown;
  };
}

/** Serves the files of the job, and enforces the page's Content Security Policy. */
class PolicyEnforcingLoader extends ResourceLoader {
  lastRequest = 0;
  readonly #files: RenderJob['files'];
  readonly #origin: string;
  readonly #policy: PagePolicy;

  constructor(files: RenderJob['files'], origin: string, policy: PagePolicy) {
    super();
    this.#files = files;
    this.#origin = origin;
    this.#policy = policy;
  }

  override fetch(address: string, { element }: FetchOptions): ReturnType<ResourceLoader['fetch']> {
    this.lastRequest = performance.now();
    const found = this.#read(address, element);
    // jsdom expects an `abort` method. These requests complete before it could be used.
    return Object.assign(found, { abort: () => undefined });
  }

  async #read(address: string, element: FetchOptions['element']): Promise<Buffer> {
    const { origin, pathname } = new URL(address);
    const content = origin === this.#origin ? this.#files[pathname] : undefined;
    const name = origin === this.#origin ? pathname : address;
    const bytes = content === undefined ? undefined : Buffer.from(content, 'base64');
    const reason = bytes
      ? this.#policy.reasonAgainst(
          element?.localName === 'script' ? 'script' : 'style',
          integrityOf(element),
          bytes,
        )
      : 'not-stored';
    if (bytes && !reason) return bytes;
    this.#policy.refuse(reason ?? 'not-stored', name);
    throw new Error(`A browser refuses ${name}.`);
  }
}

/** jsdom lacks the property `integrity`, so a script that assigns it sets a plain property of the element. */
function integrityOf(element: FetchOptions['element']): string {
  if (!element) return '';
  return element.getAttribute('integrity') ?? String(Reflect.get(element, 'integrity') ?? '');
}

/** Reports inline scripts and styles whose hash is not in the policy. */
function refuseInline({ findAll, textOf }: DomReader, policy: PagePolicy): void {
  for (const kind of ['script', 'style'] as const) {
    const data = kind === 'script' ? ':not([src]):not([type^="application/"])' : '';
    for (const text of findAll(`${kind}${data}`).map(textOf)) {
      if (text === '' || policy.allowsInline(kind, text)) continue;
      policy.refuse('inline', `<${kind}> ${text.trim().slice(0, 60)}`);
    }
  }
}
