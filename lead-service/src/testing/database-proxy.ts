import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Stands between a service and PostgreSQL, and can be what lies between them: `through`: a good line. `refusing`: nobody
 * there. `silent`: connections are taken, and nothing comes back.
 */
export interface DatabaseProxy extends AsyncDisposable {
  /** The database's address, through the proxy. */
  readonly url: string;
  become(mode: 'through' | 'refusing' | 'silent'): void;
  /**
   * Breaks a line on which a client sends these texts, one after the other: `before` the last arrives, or `after`, when
   * PostgreSQL has done it and its answer is on the way. The client sees the same. Resolves then.
   */
  cut(when: 'before' | 'after', ...texts: readonly string[]): Promise<void>;
  /** From the moment a client sends this text, nothing gets through on its line any more. Others stay as they are. */
  hush(text: string): Promise<void>;
}

/** @param databaseUrl address of a PostgreSQL that is reached by TCP */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<readonly [Socket, Socket]>();
  let mode: 'through' | 'refusing' | 'silent' = 'through';
  let cut: { readonly when: 'before' | 'after'; readonly texts: readonly string[]; done(): void } | undefined;

  let hush: { readonly text: string; done(): void } | undefined;

  const server = createServer((client) => {
    if (mode === 'refusing') {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port || 5432), target.hostname);
    const line = [client, database] as const;
    lines.add(line);
    const hangUp = () => {
      lines.delete(line);
      client.destroy();
      database.destroy();
    };
    for (const socket of line) socket.on('error', hangUp).on('close', hangUp);
    let heard = 0;
    let breaksAtAnswer = false;
    let isHushed = false;
    client.on('data', (data) => {
      if (hush !== undefined && data.includes(hush.text)) {
        isHushed = true;
        hush.done();
        hush = undefined;
      }
      if (mode === 'silent' || isHushed) return;
      if (cut !== undefined && data.includes(cut.texts[heard] ?? '')) heard += 1;
      if (cut === undefined || heard < cut.texts.length) {
        database.write(data);
        return;
      }
      const { when, done } = cut;
      cut = undefined;
      line.forEach((socket) => socket.once('close', done));
      if (when === 'before') return hangUp();
      breaksAtAnswer = true;
      database.write(data);
    });
    database.on('data', (data) => {
      if (breaksAtAnswer) hangUp();
      else if (mode === 'through' && !isHushed) client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  function breakLines(): void {
    for (const [client, database] of lines) {
      client.destroy();
      database.destroy();
    }
  }

  return {
    url: url.href,
    become(next) {
      // Nothing that was held back comes out later.
      if (mode === 'silent' || next === 'refusing') breakLines();
      mode = next;
    },
    cut: (when, ...texts) => new Promise((resolve) => (cut = { when, texts, done: resolve })),
    hush: (text) => new Promise((resolve) => (hush = { text, done: resolve })),
    async [Symbol.asyncDispose]() {
      breakLines();
      server.close();
      await once(server, 'close');
    },
  };
}
