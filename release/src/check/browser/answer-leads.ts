import { leadPath, leadTypes } from '@countersign/contracts/lead-form';
import type { Request, Route } from 'playwright-core';

interface LeadAnswer {
  readonly status: number;
  readonly message?: string | undefined;
  /** Whether it waits for {@link Leads.release}. */
  readonly held?: boolean | undefined;
}

interface SentLead {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const leadPaths: readonly string[] = leadTypes.map(leadPath);

/** Limit of a held answer, in milliseconds. */
const holdLimit = 15_000;

/** The lead service of a page that is checked: it keeps what is sent, and answers as a journey says. */
export class Leads {
  readonly sent: SentLead[] = [];
  /** Path → its answer, in place of success. */
  readonly answers = new Map<string, LeadAnswer>();
  readonly #held = new Map<string, () => void>();

  async answer(route: Route, request: Request): Promise<void> {
    const path = new URL(request.url()).pathname;
    const { status = 201, message = 'Thank you.', held = false } = this.answers.get(path) ?? {};
    const isLead = request.method() === 'POST' && leadPaths.includes(path);
    if (isLead) this.sent.push({ path, fields: fieldsOf(request.postData() ?? '') });
    // A form that the browser sends would leave the page.
    if (!isLead || request.isNavigationRequest()) return route.fulfill({ status: 204 });
    if (held) {
      await new Promise<void>((done) => {
        this.#held.set(path, done);
        setTimeout(done, holdLimit).unref();
      });
    }
    if (status >= 400) return route.fulfill({ status, contentType: 'text/plain', body: message });
    return route.fulfill({ status, json: { id: 'journey', message } });
  }

  /** Lets a held answer go. */
  release(path: string): void {
    this.#held.get(path)?.();
  }

  /** Forgets what was sent, and how to answer. */
  forget(): void {
    this.sent.length = 0;
    this.answers.clear();
    for (const release of this.#held.values()) release();
    this.#held.clear();
  }
}

/** The fields of a request, which the page's code or the browser itself has sent. */
function fieldsOf(body: string): SentLead['fields'] {
  try {
    return JSON.parse(body) as SentLead['fields'];
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
