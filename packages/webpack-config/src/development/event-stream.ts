import type { IncomingMessage, ServerResponse } from 'node:http';

type Listener = (client: ServerResponse, request: IncomingMessage) => void;

/** The part of an event stream that belongs to one build. `webpack-dev-middleware` publishes its updates here. */
interface BuildStream {
  onConnect(listener: Listener): void;
  publish(payload: unknown): void;
  publishTo(client: ServerResponse, payload: unknown): void;
  close(): void;
}

/** Updates of builds as server-sent events. */
export interface EventStream {
  /** Creates the stream of one build. */
  forBuild(heartbeat: number): BuildStream;
  /** Answers a request with the events from now on. */
  connect(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * One stream for several builds, because a browser opens at most six HTTP/1.1 connections to a server. With one stream per
 * build, a second page would never load.
 */
export function createEventStream(): EventStream {
  const clients = new Set<ServerResponse>();
  const listeners = new Set<Listener>();
  const send = (client: ServerResponse, data: string) => client.write(`data: ${data}\n\n`);
  const sendAll = (data: string) => clients.forEach((client) => send(client, data));
  return {
    forBuild(heartbeat) {
      // The client reconnects if it receives nothing for some time.
      const timer = setInterval(() => sendAll('💓'), heartbeat);
      return {
        onConnect: (listener) => void listeners.add(listener),
        publish: (payload) => sendAll(JSON.stringify(payload)),
        publishTo: (client, payload) => send(client, JSON.stringify(payload)),
        close() {
          clearInterval(timer);
          clients.forEach((client) => client.end());
        },
      };
    },
    connect(request, response) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write('\n');
      clients.add(response);
      response.on('close', () => clients.delete(response));
      listeners.forEach((listener) => listener(response, request));
    },
  };
}
