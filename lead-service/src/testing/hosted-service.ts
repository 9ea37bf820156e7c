import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createToken, hashToken, tokenSetting, type AdminScope } from '../admin/admin-token.ts';
import { readConfig } from '../config.ts';
import { startService } from '../service.ts';
import { livePageNaming } from './live-page-naming.ts';
import { createMemoryLog } from './memory-log.ts';
import { postJson } from './send-lead.ts';
import { sqlite, type DatabaseKind, type TestDatabase } from './test-databases.ts';

type Settings = Readonly<Record<string, string>>;

export type HostedService = Awaited<ReturnType<typeof hostService>>;

/**
 * Starts the whole service inside the process of the test, which saves the start of another: on free ports, and without deliveries unless
 * the settings have them. Disposal stops it.
 *
 * @param on a database, or the kind of a new one that the disposal drops
 */
export async function hostService(on: DatabaseKind | TestDatabase, settings: Settings = {}) {
  await using opening = new AsyncDisposableStack();
  const database = 'create' in on ? opening.use(await on.open()) : on;
  const config = readConfig({
    ...{ LEADS_PORT: '0', METRICS_PORT: '0', DELIVERY: 'off' },
    ...database.environment,
    ...settings,
  });
  const log = createMemoryLog();
  const { url, ...service } = await startService(config, log);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  opening.defer(stop);
  const opened = opening.move();
  const addressIn = (pattern: RegExp) => pattern.exec(log.lines.join('\n'))?.[0] ?? '';
  /** Empty without {@link withTokens}. */
  const adminUrl = addressIn(/(?<=inbox on )http:.+(?=\/admin\/inbox)/);
  return {
    ...{ url, adminUrl, database, stop },
    lines: log.lines,
    line: (text: string) => log.line(text),
    /** Sends a POST with a JSON body. Sends a string unchanged. */
    post: (path: string, body: unknown, headers?: Record<string, string>) =>
      postJson(url + path, body, headers),
    /** All metrics in the text format of Prometheus. */
    metrics: async () => (await fetch(addressIn(/(?<=metrics on )http:\S+/))).text(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Starts the service beside a live page in which 3.0.0 of mf-pricing is live, 2.0.0 was live before, and 1.1.0 is the canary. */
export async function hostServiceOfSite(settings: Settings = {}, on?: TestDatabase) {
  await using opening = new AsyncDisposableStack();
  const database = on ?? opening.use(await sqlite.open());
  const page = join(database.dataDirectory, 'live-page.html');
  const versions = { live: '3.0.0', previous: '2.0.0', canary: '1.1.0' };
  await writeFile(page, livePageNaming({ 'mf-pricing': versions }));
  const service = opening.use(await hostService(database, { LIVE_PAGE: page, ...settings }));
  const opened = opening.move();
  return { ...service, page, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** A token and its entry in `ADMIN_TOKENS`. */
export function makeToken(name: string, scopes: readonly AdminScope[]) {
  const token = createToken();
  return { token, setting: tokenSetting({ name, scopes, hash: hashToken(token) }) };
}

/** Logs in to the inbox with a token, and returns the cookies of the session. */
export async function logIn(adminUrl: string, token: string, origin = adminUrl): Promise<string> {
  const answer = await fetch(`${adminUrl}/admin/login`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  assert.equal(answer.status, 303);
  const cookies = answer.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Settings of a service with an admin server. */
export function withTokens(...tokens: readonly { readonly setting: string }[]): Settings {
  return { ADMIN_PORT: '0', ADMIN_TOKENS: tokens.map(({ setting }) => setting).join(',') };
}
