import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import vm from 'node:vm';
import { JSDOM, ResourceLoader, VirtualConsole, type DOMWindow, type FetchOptions } from 'jsdom';
import type { RenderJob, RenderReport } from '../render-report.ts';
import { addBrowserStubs, type StubOptions } from './browser-stubs.ts';
import { createDomReader, type DomReader } from './dom-reader.ts';
import { readPagePolicy, type PagePolicy } from './page-policy.ts';

/** How long the page may take to bring the slots of the remote to life, in milliseconds. */
const timeLimit = 15_000;
/** How long a slot may show nothing after the last file has come, in milliseconds. */
const blankTime = 1000;
/** How often the page is looked at, in milliseconds. */
const interval = 20;
/** For how many looks a page that has logged an error may ask for nothing, before it is taken for broken. */
const mostIdleLooks = 75;

/** A page whose scripts run, without a browser and without a network. */
export interface OpenPage {
  /**
   * What it shows once it has come to rest, or when its time is up.
   *
   * @param quietTime how long it must have asked for nothing more, in milliseconds: what is loaded late may still break it
   */
  untilSettled(quietTime?: number): Promise<RenderReport>;
}

/** Makes jsdom load all that it loads when it is first used, while it still can. */
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

/** Opens a composed page. It gets the files of the job as its own policy allows; everything else is not there. */
export function openPage({ html, remote, origin, files }: RenderJob): OpenPage {
  const errors: string[] = [];
  const note = (error: unknown) => {
    if (errors.length < 20) errors.push(String(error).slice(0, 500));
  };
  // What the page does not catch is thrown in this process.
  process.on('unhandledRejection', note).on('uncaughtException', note);
  const inPage = watchContext();
  const policy = readPagePolicy(html);
  const loader = new PolicedLoader(files, origin, policy);
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
      .on('jsdomError', ({ message }) => note(message))
      .on('error', (...words: unknown[]) => note(words.map(String).join(' '))),
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
  /** Slots may wait for a visitor before they load their code. */
  const useWaitingSlots = () => {
    for (const slot of elements()) {
      if (dom().attributeOf(slot, 'data-version') === null) dom().press(slot);
    }
  };
  return {
    async untilSettled(quietTime = 100) {
      const end = performance.now() + timeLimit;
      let shown: number | undefined;
      let lastRequest = loader.lastRequest;
      let idleLooks = 0;
      while (performance.now() < end) {
        useWaitingSlots();
        const now = slots();
        const complete = now.length > 0 && now.every(({ version }) => version !== null);
        shown = complete ? (shown ?? performance.now()) : undefined;
        const quietFor = performance.now() - Math.max(shown ?? Infinity, loader.lastRequest);
        if (quietFor > (now.some(({ blank }) => blank) ? blankTime : quietTime)) break;
        // Looks, not time: while a script runs, there are none.
        idleLooks = lastRequest === loader.lastRequest ? idleLooks + 1 : 0;
        lastRequest = loader.lastRequest;
        if (!complete && errors.length > 0 && idleLooks > mostIdleLooks) break;
        await delay(interval);
      }
      refuseInline(dom(), policy);
      return { slots: slots(), errors, refused: [...policy.refused] };
    },
  };
}

/**
 * The page's policy allows no code that is made from strings; the context that jsdom makes for a page would. Returns what
 * runs a script in that context.
 */
function watchContext(): (code: string) => unknown {
  const { createContext } = vm;
  let context: vm.Context | undefined;
  vm.createContext = (object, options) => {
    context = createContext(object, { ...options, codeGeneration: { strings: false, wasm: false } });
    return context;
  };
  return (code) => {
    if (!context) throw new Error('jsdom has made no context for the page.');
    return vm.runInContext(code, context);
  };
}

/** Hands out the files of the job if the page's policy lets a browser use them. */
class PolicedLoader extends ResourceLoader {
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
    // The page may end a request. This one is over sooner than that.
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

/** This DOM does not know the property `integrity`: a script that sets it leaves it on the element as it is. */
function integrityOf(element: FetchOptions['element']): string {
  if (!element) return '';
  return element.getAttribute('integrity') ?? String(Reflect.get(element, 'integrity') ?? '');
}

/** Refuses scripts and styles that stand in the page as text, unless the policy names what they hash to. */
function refuseInline({ findAll, textOf }: DomReader, policy: PagePolicy): void {
  for (const kind of ['script', 'style'] as const) {
    const data = kind === 'script' ? ':not([src]):not([type^="application/"])' : '';
    for (const text of findAll(`${kind}${data}`).map(textOf)) {
      if (text === '' || policy.allowsInline(kind, text)) continue;
      policy.refuse('inline', `<${kind}> ${text.trim().slice(0, 60)}`);
    }
  }
}
