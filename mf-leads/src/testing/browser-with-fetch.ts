import JsdomEnvironment from 'jest-environment-jsdom';

/** jsdom has no `fetch`. The one of Node goes over the real network, which is what the tests want to see. */
export default class BrowserWithFetch extends JsdomEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global.fetch = fetch;
  }
}
