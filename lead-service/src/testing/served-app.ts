import { createApp } from '../app.ts';
import type { Log } from '../log.ts';
import { startServer } from '../server.ts';
import { openLeadStore, type LeadStore } from '../store/lead-store.ts';
import type { TestDatabase } from './test-databases.ts';

/** The service inside the test's own process, on a free port. Disposing of it stops it. */
export interface ServedApp extends AsyncDisposable {
  readonly url: string;
  /** Every line logged so far. */
  readonly lines: readonly string[];
  /** Sends a POST with a JSON body. A string is sent as it is. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Serves with a store of the database. */
export async function serveDatabase(database: TestDatabase): Promise<ServedApp> {
  const { log, lines } = createMemoryLog();
  return serve(await openLeadStore(database.location, log), log, lines);
}

/** Serves with a store that stands in for a real one, for failures that a real one cannot be made to have. */
export async function serveStore(store: LeadStore): Promise<ServedApp> {
  const { log, lines } = createMemoryLog();
  return serve(store, log, lines);
}

async function serve(store: LeadStore, log: Log, lines: readonly string[]): Promise<ServedApp> {
  const server = await startServer(createApp({ store, log }), { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    lines,
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await store.close();
    },
  };
}

function createMemoryLog(): { log: Log; lines: readonly string[] } {
  const lines: string[] = [];
  return { log: { info: (line) => lines.push(line), error: (line) => lines.push(line) }, lines };
}
