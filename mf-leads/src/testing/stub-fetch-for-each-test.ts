interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly credentials: RequestCredentials | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface StubResponse {
  readonly status: number;
  readonly statusText?: string;
  readonly contentType?: string;
  readonly body?: string;
}

export const accepted: StubResponse = {
  status: 201,
  body: JSON.stringify({ message: 'Thank you, we have your message.' }),
};

/** Replaces `fetch`, which jsdom lacks, for each test of a file. Real requests are those of the end-to-end tests. */
export function stubFetchForEachTest() {
  let requests: SentRequest[];
  let answer: StubResponse;
  let held: Promise<unknown>;

  async function stubbedFetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', credentials, signal, body } = init;
    const headers = init.headers as Readonly<Record<string, string>>;
    requests.push({ method, path, credentials, headers, body: body as string | undefined });
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
    await Promise.race([held, aborted]);
    const { status, statusText = '', contentType = 'text/plain', body: text = '' } = answer;
    const content = { text: async () => text, json: async () => JSON.parse(text) as unknown };
    return {
      ...content,
      ok: status < 300,
      status,
      statusText,
      headers: { get: () => contentType },
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
    get requests(): readonly SentRequest[] {
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
