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

/** The lead service of a page that is checked: it keeps what is sent, and answers as a journey says. */
export class Leads {
  readonly sent: SentLead[] = [];
  /** Path → its answer, in place of success. */
  readonly answers = new Map<string, LeadAnswer>();
  /** Lets a held answer go. */
  release = (): void => undefined;

  async answer(route: Route, request: Request): Promise<void> {
    const path = new URL(request.url()).pathname;
    const { status = 201, message = 'Thank you.', held = false } = this.answers.get(path) ?? {};
    const isLead = request.method() === 'POST' && leadPaths.includes(path);
    // Playwright reads JSON and, from the browser's own forms, fields.
    if (isLead) this.sent.push({ path, fields: (request.postDataJSON() ?? {}) as SentLead['fields'] });
    // A form that the browser sends would leave the page.
    if (!isLead || request.isNavigationRequest()) return route.fulfill({ status: 204 });
    if (held) await new Promise<void>((done) => (this.release = done));
    if (status >= 400) return route.fulfill({ status, contentType: 'text/plain', body: message });
    return route.fulfill({ status, json: { id: 'journey', message } });
  }

  /** Forgets what was sent, and how to answer. */
  forget(): void {
    this.sent.length = 0;
    this.answers.clear();
    this.release();
  }
}
