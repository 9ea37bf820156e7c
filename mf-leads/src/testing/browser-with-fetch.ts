import JsdomEnvironment from 'jest-environment-jsdom';

/**
 * jsdom has no `fetch`, and only a part of the Web Cryptography API and of what it takes. Those of Node go over the real network and do the
 * real work, which is what the tests want to see. Node's `fetch` takes no signal of jsdom's.
 */
export default class BrowserWithFetch extends JsdomEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { fetch, AbortController, AbortSignal, TextEncoder });
    Object.defineProperty(this.global, 'crypto', { value: crypto });
  }
}
