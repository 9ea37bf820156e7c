import { leadPath, leadTypes } from '@countersign/contracts/lead-form';
import type { Request, Route } from 'playwright-core';

/** The lead service of a page that is checked: it keeps what is sent, and answers as a journey says. */
export interface Leads {
  readonly sent: readonly SentLead[];
  /** Path → its answer, in place of success. */
  readonly answers: Map<string, LeadAnswer>;
  answer(route: Route, request: Request): Promise<void>;
  /** Lets a held answer go. */
  release(path: string): void;
  /** Forgets what was sent, and how to answer. */
  forget(): void;
}

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

export function createLeads(): Leads {
  const sent: SentLead[] = [];
  const answers = new Map<string, LeadAnswer>();
  const held = new Map<string, () => void>();
  return {
    sent,
    answers,
    async answer(route, request) {
      const path = new URL(request.url()).pathname;
      const { status = 201, message = 'Thank you.', held: isHeld = false } = answers.get(path) ?? {};
      const isLead = request.method() === 'POST' && leadPaths.includes(path);
      if (isLead) sent.push({ path, fields: fieldsOf(request.postData() ?? '') });
      // A form that the browser sends would leave the page.
      if (!isLead || request.isNavigationRequest()) return route.fulfill({ status: 204 });
      if (isHeld) {
        await new Promise<void>((done) => {
          held.set(path, done);
          setTimeout(done, holdLimit).unref();
        });
      }
      if (status >= 400) return route.fulfill({ status, contentType: 'text/plain', body: message });
      return route.fulfill({ status, json: { id: 'journey', message } });
    },
    release: (path) => held.get(path)?.(),
    forget() {
      sent.length = 0;
      answers.clear();
      for (const release of held.values()) release();
      held.clear();
    },
  };
}

/** The fields of a request, which the page's code or the browser itself has sent. */
function fieldsOf(body: string): SentLead['fields'] {
  try {
    return JSON.parse(body) as SentLead['fields'];
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}
