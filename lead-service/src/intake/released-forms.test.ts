import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leadThanks } from '@countersign/contracts/lead';
import { hostService } from '../testing/hosted-service.ts';
import { sendRaw } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

/** Recorded requests of released forms, with script (`-json`) or without: release, request line and headers, an empty line, the body. */
const directory = join(import.meta.dirname, 'released-forms');

function readRequest(file: string) {
  const [head = '', body = ''] = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n\n');
  const [comment = '', requestLine = '', ...headers] = head.split('\n');
  return {
    release: comment.replace('# ', ''),
    path: requestLine.replace('POST ', ''),
    headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/))) as Record<string, string>,
    body,
  };
}

type Answer = Awaited<ReturnType<typeof sendRaw>>;

/** Whether a released form takes the answer for a success. */
function isThanks({ status, headers, body }: Answer, isScript: boolean): boolean {
  if (!isScript) return status === 303 && headers.location === '/api/trial/thanks';
  return (status === 201 || status === 202) && leadThanks.safeParse(JSON.parse(body)).success;
}

for (const file of readdirSync(directory)) {
  const recorded = readRequest(file);
  test(`a released form still sends its leads: ${recorded.release}`, async () => {
    await using app = await hostService(sqlite);
    const answer = await sendRaw(app.url + recorded.path, recorded.headers, recorded.body);
    const isScript = file.endsWith('-json.http');
    const broken = `${recorded.release} sends ${file}. Its visitors have the page open, so the service must still`;
    assert.ok(isThanks(answer, isScript), `${broken} thank for it: ${answer.status} ${answer.body}`);
    const [lead] = await app.database.leads();
    assert.ok(lead !== undefined && lead.quarantinedAt === null, `${broken} store it outside of quarantine.`);
    const { type, name, email, company, message } = lead;
    const { page, utmSource, releaseId } = JSON.parse(lead.attribution) as Record<string, string>;
    assert.deepEqual(
      { type, name, email, company, message, page, utmSource, releaseId },
      {
        type: 'trial',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        company: 'Analytical Engines',
        message: 'Please show me how templates work.\nThank you!',
        page: '/?utm_source=letter',
        utmSource: 'letter',
        releaseId: isScript ? '0193f0c2' : undefined,
      },
      `${broken} store all that it sends.`,
    );
  });
}
