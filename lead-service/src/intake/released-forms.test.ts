import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { leadThanks } from '@countersign/contracts/lead';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sqlite } from '../testing/test-databases.ts';

/** Recorded requests of released forms, with script (`-json`) or without: release, request line and headers, an empty line, the body. */
const directory = join(import.meta.dirname, 'released-forms');

interface RecordedRequest {
  readonly release: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function readRequest(file: string): RecordedRequest {
  const [head = '', body = ''] = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n\n');
  const [comment = '', requestLine = '', ...headers] = head.split('\n');
  return {
    release: comment.replace('# ', ''),
    path: requestLine.replace('POST ', ''),
    headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/))),
    body,
  };
}

/** Sends a request with headers that `fetch` forbids, such as Host and Sec-Fetch-Site. */
async function send(
  { url }: HostedService,
  { path, headers, body }: RecordedRequest,
): Promise<{ answer: IncomingMessage; content: string }> {
  const sending = request(url + path, { method: 'POST', headers });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  return { answer, content: await text(answer) };
}

/** Whether a released form takes the answer for a success. */
function isThanks({ statusCode, headers }: IncomingMessage, content: string, isScript: boolean): boolean {
  if (!isScript) return statusCode === 303 && headers.location === '/api/trial/thanks';
  return (statusCode === 201 || statusCode === 202) && leadThanks.safeParse(JSON.parse(content)).success;
}

for (const file of readdirSync(directory)) {
  const recorded = readRequest(file);
  test(`a released form still sends its leads: ${recorded.release}`, async () => {
    await using app = await hostService(sqlite);
    const { answer, content } = await send(app, recorded);
    const isScript = file.endsWith('-json.http');
    const broken = `${recorded.release} sends ${file}. Its visitors have the page open, so the service must still`;
    assert.ok(isThanks(answer, content, isScript), `${broken} thank for it: ${answer.statusCode} ${content}`);
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
