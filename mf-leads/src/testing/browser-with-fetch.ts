import JsdomEnvironment from 'jest-environment-jsdom';

/**
 * jsdom with Node's `fetch`, Web Crypto API and encoder, because jsdom lacks them. Tests use the real network
 * and real cryptography. Node's `fetch` does not accept jsdom's abort signals.
 */
export default class BrowserWithFetch extends JsdomEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { fetch, AbortController, AbortSignal, TextEncoder });
    Object.defineProperty(this.global, 'crypto', { value: crypto });
  }
}
