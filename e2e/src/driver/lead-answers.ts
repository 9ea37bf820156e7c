import type { Page, Route } from '@playwright/test';

const leads = '**/api/{contact,demo,trial}';

interface Answer {
  readonly status: number;
  readonly body?: string;
}

type Handler = (route: Route) => Promise<void>;

const handlers = new WeakMap<Page, Handler>();

/**
 * Replaces what happens to the page's leads. One route per page, which stays: Playwright reports a route's end
 * (`unroute`, `times`) without waiting, and that may arrive after the next route and switch it off.
 */
async function handleLeads(page: Page, handler: Handler): Promise<void> {
  const isFirst = !handlers.has(page);
  handlers.set(page, handler);
  if (isFirst) await page.route(leads, (route) => handlers.get(page)?.(route));
}

/** Responds to every lead instead of the service. The body of a failure is plain text, like the service's. */
export async function answerLeads(page: Page, { status, body = '' }: Answer): Promise<void> {
  await handleLeads(page, (route) => route.fulfill({ status, contentType: 'text/plain', body }));
}

/** Accepts every lead instead of the service. */
export async function acceptLeads(page: Page, message: string): Promise<void> {
  await handleLeads(page, (route) => route.fulfill({ status: 201, json: { message } }));
}

/** Fails every lead like a missing network. */
export async function disconnectLeads(page: Page): Promise<void> {
  await handleLeads(page, (route) => route.abort());
}

/** Passes a lead to the service, which stores it, and drops the response. Later leads are not affected. */
export async function loseNextAnswer(page: Page): Promise<void> {
  await handleLeads(page, async (route) => {
    handlers.set(page, (later) => later.continue());
    await route.fetch();
    await route.abort();
  });
}

interface SentLead {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly payload: unknown;
}

interface HeldLeads {
  /** Requests so far. */
  readonly sent: readonly SentLead[];
  /** Passes all delayed leads on to the service. */
  release(): void;
}

/** Delays leads, so that a form waits for its response. */
export async function holdLeads(page: Page): Promise<HeldLeads> {
  const sent: SentLead[] = [];
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await handleLeads(page, async (route) => {
    const request = route.request();
    sent.push({
      method: request.method(),
      path: new URL(request.url()).pathname,
      contentType: request.headers()['content-type'],
      idempotencyKey: request.headers()['idempotency-key'],
      payload: request.postDataJSON() as unknown,
    });
    await released;
    await route.continue();
  });
  return { sent, release: () => release?.() };
}
