import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { leadFields } from '@countersign/contracts/lead';
import fc from 'fast-check';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sqlite } from '../testing/test-databases.ts';

/** Any text: all scripts, NUL, lone surrogates, blanks. */
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const blanks = fc.constantFrom(' ', '\t', '\n', '\r\n', 'a', '\0', '\ud800', '\udc00', '\u2028', '😀');
const nearlyText = fc.oneof(anyText, fc.string({ unit: blanks, maxLength: 14 }));
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Al', 'Ada Lovelace', 'Ö ß') },
  { weight: 1, arbitrary: nearlyText },
);
const nearlyEmail = fc.oneof(
  fc.emailAddress(),
  fc.tuple(fc.emailAddress(), fc.constantFrom('', ' ', '.', '\0', '@', 'ü')).map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom('a', '.', '@', '-', '+', ' ', 'ß'), maxLength: 12 }),
);
const email = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('ada@example.com', ' ADA@Example.com ', "o'hara+a@sub.example.com"),
  },
  { weight: 1, arbitrary: nearlyEmail },
);
const message = fc.oneof(
  fc.lorem({ mode: 'sentences', maxCount: 3 }),
  fc.string({ unit: 'binary', minLength: 9 }),
  nearlyText,
);

const typed = { name, email, company: nearlyText, message };
const anyValue = fc.jsonValue({ maxDepth: 1 });
const metadata = {
  attribution: fc.jsonValue({ maxDepth: 2 }),
  formToken: anyValue,
  proof: anyValue,
  reference_2: anyValue,
  id: anyValue,
  receivedAt: anyValue,
  unknown: anyValue,
  ['__proto__']: anyValue,
};
/** Mostly complete forms, some partial ones, and some with arbitrary values. */
const anyForm = fc.oneof(
  { weight: 6, arbitrary: fc.record(typed, { requiredKeys: ['name', 'email', 'message'] }) },
  { weight: 1, arbitrary: fc.record(typed, { requiredKeys: [] }) },
);
const anyBody = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ ...typed, ...metadata }, { requiredKeys: ['name', 'email', 'message'] }),
  },
  { weight: 1, arbitrary: fc.record({ ...typed, ...metadata }, { requiredKeys: [] }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('name', 'email', 'company', 'message'), anyValue),
  },
);

interface Problem {
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

describe('lead schema of form and service', () => {
  let app: HostedService;
  before(async () => {
    app = await hostService(sqlite, { LEADS_PER_ADDRESS: '0' });
  });
  after(() => app[Symbol.asyncDispose]());

  async function stored(id: string) {
    return app.database.db
      .selectFrom('leads')
      .select(['name', 'email', 'company', 'message'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }

  test('agrees on validity, messages and stored values for every input', async () => {
    const property = fc.asyncProperty(anyBody, async (body) => {
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const expected = leadFields.safeParse(sent);

      const answer = await app.post('/api/contact', sent, { accept: 'application/problem+json' });

      if (expected.success) {
        assert.equal(answer.status, 201);
        const { id } = (await answer.json()) as { id: string };
        const { company, ...others } = expected.data;
        assert.deepEqual(await stored(id), { ...others, company: company || null });
      } else {
        assert.equal(answer.status, 422);
        const fieldErrors = expected.error.issues.map(({ path, message }) => ({
          field: path.join('.'),
          message,
        }));
        assert.deepEqual(((await answer.json()) as Problem).errors, fieldErrors);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test('agrees for forms that are sent without scripts', async () => {
    const property = fc.asyncProperty(anyForm, async (form) => {
      const expected = leadFields.safeParse(asTyped(form));

      const answer = await fetch(`${app.url}/api/contact`, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams(form),
        redirect: 'manual',
      });

      assert.equal(answer.status, expected.success ? 303 : 422);
      const page = await answer.text();
      for (const { message } of expected.error?.issues ?? []) assert.ok(page.includes(`>${message}</span>`));
    });
    const shorterAsTyped = { name: 'Ada', email: 'ada@example.com', message: 'a     \r\n b' };
    const halvesOfPair = { name: '\ud800\0\udc00', email: 'ada@example.com', message: 'How does it work?' };
    await fc.assert(property, { numRuns: 150, examples: [[shorterAsTyped], [halvesOfPair]] });
  });
});

/** Undoes the CR LF that browsers write for each line break in a native form submission. */
function asTyped(form: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(form).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]),
  );
}
