import type { Page } from '@playwright/test';

const leads = '**/api/{contact,demo,trial}';

interface Answer {
  readonly status: number;
  readonly body?: string;
}

/** Responds to every lead instead of the service. The body of a failure is plain text, like the service's. */
export async function answerLeads(page: Page, { status, body = '' }: Answer): Promise<void> {
  await page.unroute(leads);
  await page.route(leads, (route) => route.fulfill({ status, contentType: 'text/plain', body }));
}

/** Accepts every lead instead of the service. */
export async function acceptLeads(page: Page, message: string): Promise<void> {
  await page.unroute(leads);
  await page.route(leads, (route) => route.fulfill({ status: 201, json: { message } }));
}

/** Passes a lead to the service, which stores it, and drops the response. Later leads are not affected. */
export async function loseNextAnswer(page: Page): Promise<void> {
  await page.route(
    leads,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
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
  await page.route(leads, async (route) => {
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
