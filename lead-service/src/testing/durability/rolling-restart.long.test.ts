import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { installProgram } from '../install-program.ts';
import { sendLead } from '../send-lead.ts';
import { startProgram, startService } from '../service-process.ts';
import { postgres } from '../test-databases.ts';
import { until } from '../until.ts';

const config = readFileSync(join(import.meta.dirname, '../../../../docs/operate/haproxy.cfg'), 'utf8');
/** As the configuration says. */
const stopDelaySeconds = Number(/STOP_DELAY_SECONDS=(\d+)/.exec(config)?.[1]);
const documentedPorts = [3001, 3011, 3021];
const senders = 8;

/** The Debian package has the program `haproxy`, which prints its version with `-v`. */
const options = {
  skip:
    postgres.options.skip ||
    (!installProgram('haproxy', '-v') && 'HAProxy is missing and cannot be installed'),
};

test(
  'rolling restart behind the documented HAProxy: every lead is accepted, and stored once',
  options,
  async () => {
    await using database = await postgres.create();
    const ports = await freePorts(documentedPorts.length + 1);
    const [publicPort = 0, ...servicePorts] = ports;
    const start = (port: number) =>
      startService({
        ...database.environment,
        DATA_DIR: join(database.dataDirectory, String(port)),
        LEADS_PORT: String(port),
        STOP_DELAY_SECONDS: String(stopDelaySeconds),
        LEADS_PER_ADDRESS: '0',
        TRUSTED_PROXY_HOPS: '1',
      });
    const services = new Map(servicePorts.map((port) => [port, start(port)]));
    await using stopping = new AsyncDisposableStack();
    stopping.defer(async () => {
      for (const service of services.values()) await service[Symbol.asyncDispose]();
    });
    for (const port of servicePorts) await until(() => isReady(port));
    const file = join(database.dataDirectory, 'haproxy.cfg');
    writeFileSync(
      file,
      documentedPorts.reduce(
        (text, port, index) => text.replace(`127.0.0.1:${port}`, `127.0.0.1:${servicePorts[index]}`),
        config.replace('127.0.0.1:8080', `127.0.0.1:${publicPort}`),
      ),
    );
    // In the foreground. It writes the state of the instances to stderr.
    await using proxy = startProgram('haproxy', ['-db', '-f', file]);
    await until(() => isReady(publicPort));

    const refused: string[] = [];
    const accepted: string[] = [];
    let isSending = true;
    const clients = Array.from({ length: senders }, async (_, client) => {
      for (let number = 0; isSending; number += 1) {
        const message = `Message ${number} of client ${client}.`;
        const answer = await sendLead({ url: `http://127.0.0.1:${publicPort}` }, { message });
        const text = await answer.text();
        if (answer.ok) accepted.push(message);
        else refused.push(`${answer.status} ${text}`);
      }
    });
    for (const [index, port] of servicePorts.entries()) {
      const service = services.get(port) ?? assert.fail();
      service.child.kill('SIGTERM');
      assert.equal((await service.exit).code, 0);
      services.set(port, start(port));
      await proxy.line(`lead-${index + 1} is UP`);
    }
    isSending = false;
    await Promise.all(clients);
    assert.deepEqual(refused, []);
    const stored = (await database.leads()).map(({ message }) => message);
    assert.ok(stored.length > senders);
    assert.deepEqual(stored.toSorted(), accepted.toSorted());
  },
);

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return answer?.status === 200;
}

/**
 * Free ports, because the instances need the same ones after their restart. No other program gets them by listening on port 0: Linux
 * hands out only those from 32768 on.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(20_000, 32_768);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree && !ports.includes(port)) ports.push(port);
    if (isFree) await once(probe.close(), 'close');
  }
  return ports;
}
