import { startSite, type Site } from './start-site.ts';

/** Each test of the file gets a site that nobody has visited before. */
export function startSiteForEachTest(): Omit<Site, 'close'> {
  let site: Site;
  beforeEach(async () => void (site = await startSite()));
  afterEach(async () => {
    // The tests of the data layer run without a browser.
    if ('sessionStorage' in globalThis) sessionStorage.clear();
    await site.close();
  });
  return {
    get requests() {
      return site.requests;
    },
    get tokenRequests() {
      return site.tokenRequests;
    },
    answerTokensWith: (answer) => site.answerTokensWith(answer),
    answerWith: (answer) => site.answerWith(answer),
    hold: (what) => site.hold(what),
  };
}
