import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that loses connections. Disposing of it closes all. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of connections that were cut. */
  cuts(): number;
}

/** What has gone through a proxy when the server sends a piece of an answer. */
interface Passed {
  /** The last that the client has sent on this connection. */
  readonly request: string;
  /** Pieces of the answer to it that the client has. */
  readonly pieces: number;
  /** Number of earlier cuts. */
  readonly cuts: number;
}

/** Starts a proxy. @param isCut whether the connection is lost now, and with it this piece of the answer */
export async function startCuttingProxy(
  target: string,
  isCut: (passed: Passed) => boolean,
): Promise<CuttingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    let request = '';
    let pieces = 0;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (piece) => {
      request = piece.toString('latin1');
      pieces = 0;
      upstream.write(piece);
    });
    upstream.on('data', (piece) => {
      if (!isCut({ request, pieces, cuts })) {
        pieces += 1;
        return void client.write(piece);
      }
      cuts += 1;
      client.resetAndDestroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
