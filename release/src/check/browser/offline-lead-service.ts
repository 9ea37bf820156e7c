import { honeypotField, leadPath, leadTypes } from '@countersign/contracts/lead-form';
import type { Request, Route } from 'playwright-core';

interface LeadAnswer {
  readonly status: number;
  readonly message?: string | undefined;
  /** Whether it waits for {@link OfflineLeadService.answerHeld}. */
  readonly held?: boolean | undefined;
}

interface SentLead {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const leadPaths: readonly string[] = leadTypes.map(leadPath);

/** The lead service of a page that is checked: it keeps what it accepts, and answers as a journey says. */
export class OfflineLeadService {
  readonly sent: SentLead[] = [];
  /** Path → its answer, in place of success. */
  readonly answers = new Map<string, LeadAnswer>();
  #answerHeld = (): void => undefined;

  async answer(route: Route, request: Request): Promise<void> {
    const path = new URL(request.url()).pathname;
    if (request.method() !== 'POST' || !leadPaths.includes(path)) return route.fulfill({ status: 204 });
    const isForm = request.isNavigationRequest();
    const { 'content-type': type, 'idempotency-key': key = '' } = request.headers();
    if (!isForm && (type !== 'application/json' || !/^".+"$/.test(key)))
      return route.fulfill({ status: 400 });
    const { status = 201, message = 'Thank you.', held = false } = this.answers.get(path) ?? {};
    if (status >= 400) return route.fulfill({ status, contentType: 'text/plain', body: message });
    // Playwright reads JSON and, from the browser's own forms, fields.
    const fields = (request.postDataJSON() ?? {}) as SentLead['fields'];
    // The service quarantines a lead whose honeypot is filled in.
    if (!fields[honeypotField]) this.sent.push({ path, fields });
    // A form that the browser sends would leave the page.
    if (isForm) return route.fulfill({ status: 204 });
    if (held) await new Promise<void>((done) => (this.#answerHeld = done));
    return route.fulfill({ status, json: { id: 'journey', message } });
  }

  /** Lets a held answer go. */
  answerHeld(): void {
    this.#answerHeld();
  }

  /** Forgets what was sent, and how to answer. */
  forget(): void {
    this.sent.length = 0;
    this.answers.clear();
    this.answerHeld();
  }
}
