import { startTestServer, type TestServer } from './start-test-server.ts';

/** Starts a new test server for each test of a file. */
export function startTestServerForEachTest(): Omit<TestServer, 'close'> & {
  /** A received lead. */
  lead(index?: number): unknown;
} {
  let site: TestServer;
  beforeEach(async () => void (site = await startTestServer()));
  afterEach(async () => {
    // Tests of the data layer run without jsdom.
    if ('sessionStorage' in globalThis) sessionStorage.clear();
    await site.close();
  });
  return {
    get requests() {
      return site.requests;
    },
    lead: (index = 0) => JSON.parse(site.requests[index]?.body ?? ''),
    get tokenRequests() {
      return site.tokenRequests;
    },
    respondToTokensWith: (answer) => site.respondToTokensWith(answer),
    respondWith: (answer) => site.respondWith(answer),
    holdResponses: (what) => site.holdResponses(what),
  };
}
