import { connect, createServer } from 'node:net';
import { listenLocally } from './local-server.ts';

/** `pass`: passes data. `refusing`: closes connections. `silent`: accepts connections and passes no data. */
type Mode = 'pass' | 'refusing' | 'silent';

/**
 * Starts a TCP proxy between a service and PostgreSQL that simulates network faults.
 *
 * @param target URL of a PostgreSQL that listens on TCP
 */
export async function startDatabaseProxy(target: URL) {
  /** Functions that close the open connections. */
  const open = new Set<() => void>();
  let mode: Mode = 'pass';
  let cut: { readonly when: 'before' | 'after'; readonly texts: readonly string[]; done(): void } | undefined;
  let blackholeText: string | undefined;

  const server = createServer((client) => {
    if (mode === 'refusing') {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port || 5432), target.hostname);
    const close = () => {
      open.delete(close);
      client.destroy();
      database.destroy();
    };
    open.add(close);
    for (const socket of [client, database]) socket.on('error', close).on('close', close);
    let matched = 0;
    let closesAtAnswer = false;
    let isBlackholed = false;
    client.on('data', (data) => {
      if (blackholeText !== undefined && data.includes(blackholeText)) {
        isBlackholed = true;
        blackholeText = undefined;
      }
      if (mode === 'silent' || isBlackholed) return;
      if (cut !== undefined && data.includes(cut.texts[matched] ?? '')) matched += 1;
      if (cut === undefined || matched < cut.texts.length) {
        database.write(data);
        return;
      }
      const { when, done } = cut;
      cut = undefined;
      client.once('close', done);
      if (when === 'before') return close();
      closesAtAnswer = true;
      database.write(data);
    });
    database.on('data', (data) => {
      if (closesAtAnswer) close();
      else if (mode === 'pass' && !isBlackholed) client.write(data);
    });
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(await listenLocally(server));

  const closeConnections = () => {
    for (const close of open) close();
  };

  return {
    /** URL of the database through the proxy. */
    url: url.href,
    setMode(next: Mode) {
      // Closes the connections, because data that was dropped must not resume mid-stream.
      if (mode === 'silent' || next === 'refusing') closeConnections();
      mode = next;
    },
    /**
     * Closes a connection on which a client sends these texts in order: `before` PostgreSQL receives the last one, or `after`
     * it has executed it, before the client gets the answer. The client cannot tell the cases apart. Resolves at the close.
     */
    cut: (when: 'before' | 'after', ...texts: readonly string[]) =>
      new Promise<void>((resolve) => (cut = { when, texts, done: resolve })),
    /** Stalls the connection on which a client sends this text. Other connections still work. */
    blackhole: (text: string) => void (blackholeText = text),
    async [Symbol.asyncDispose]() {
      closeConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
