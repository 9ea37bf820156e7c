// blind spot (roblem, Content-Type, undefined, fallback, Something): no answer of a step names fields or lacks a text, but tests do.
// blind spot ('ResponseError', signal, reach): the name is for people; no step lacks an answer, but tests do.
import { leadProblem, type LeadProblem } from '@countersign/contracts/lead';

export const fallbackMessage = 'Something went wrong. Please try again.';

/** A response that is not OK. The message is its status, then what the service says. Over HTTP/2, an empty body has no status text. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly fieldErrors: LeadProblem['errors'];

  constructor({ status, statusText }: Response, body: string, problem?: LeadProblem) {
    super(`${status}: ${problem?.detail ?? (body || statusText || fallbackMessage)}`);
    this.fieldErrors = problem?.errors ?? [];
  }
}

/** Throws a {@link ResponseError} for a failed response: with its body text, or with the content of its problem document. */
export async function throwIfNotOk(response: Response): Promise<void> {
  if (response.ok) return;
  // The connection can fail while the body arrives. The browser's message about that is not for visitors.
  const body = await response.text().catch(() => '');
  throw new ResponseError(response, body, problemIn(response, body));
}

/** The problem document in a body, if it is one. */
function problemIn({ headers }: Response, body: string) {
  if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return undefined;
  try {
    return leadProblem.parse(JSON.parse(body));
  } catch {
    // The body may be cut off, or come from a proxy. It is shown as text then.
    return undefined;
  }
}

const unreachable =
  'We could not reach our server. Check your internet connection, then try again: what you typed is still here.';

/** Sends a request with cookies and a JSON body. Resolves with a response that is OK; otherwise throws. */
export async function request(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  // Every browser has its own words for a failed connection.
  const response = await fetch(url, {
    method,
    credentials: 'include',
    ...(signal && { signal }),
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error(unreachable, { cause });
  });
  await throwIfNotOk(response);
  return response;
}
