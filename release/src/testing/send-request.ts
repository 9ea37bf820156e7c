import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire: nothing decoded, nothing followed. */
export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with exactly this path; `fetch` would tidy it up. */
export async function exchange(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Question = {},
): Promise<Answer> {
  const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  asking.end(body);
  const [response] = await once(asking, 'response');
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
