/** What the form sends: headers by name, and a text. */
function requestOf(path: string, { method = 'GET', credentials, ...init }: RequestInit) {
  const { headers, body } = init as { headers: Readonly<Record<string, string>>; body?: string };
  return { method, path, credentials, headers, body };
}

interface StubResponse {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: string;
}

export const accepted: StubResponse = {
  status: 201,
  body: JSON.stringify({ message: 'Thank you, we have your message.' }),
};

/** Replaces `fetch`, which jsdom lacks, for each test of a file. Real requests are those of the end-to-end tests. */
export function stubFetchForEachTest() {
  let requests: ReturnType<typeof requestOf>[];
  let answer: StubResponse;
  let held: Promise<unknown>;

  async function stubbedFetch(path: string, init: RequestInit = {}): Promise<Response> {
    requests.push(requestOf(path, init));
    const aborted = new Promise<never>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
    await Promise.race([held, aborted]);
    const { status, contentType = 'text/plain', body: text = '' } = answer;
    return {
      ok: status < 300,
      status,
      headers: { get: () => contentType },
      text: async () => text,
      json: async () => JSON.parse(text) as unknown,
    } as unknown as Response;
  }

  beforeEach(() => {
    requests = [];
    answer = accepted;
    held = Promise.resolve();
    Object.assign(globalThis, { fetch: stubbedFetch });
  });
  afterEach(() => sessionStorage.clear());
  return {
    get requests(): readonly ReturnType<typeof requestOf>[] {
      return requests;
    },
    /** A received lead. */
    lead: (index = 0): unknown => JSON.parse(requests[index]?.body ?? ''),
    /** Sets the response of further requests. Initially every lead is accepted. */
    respondWith: (next: StubResponse) => void (answer = next),
    /** Holds responses until the returned function is called. */
    holdResponses() {
      const responses = new EventTarget();
      held = new Promise((resolve) => responses.addEventListener('release', resolve));
      return () => void responses.dispatchEvent(new Event('release'));
    },
  };
}
