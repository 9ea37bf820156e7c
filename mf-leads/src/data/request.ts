/** Throws an error for a failed response: status, then body text. */
export async function throwIfNotOk(response: Response): Promise<void> {
  if (response.ok) return;
  // The connection can fail while the body arrives. The browser's message about that is not for visitors.
  const text = (await response.text().catch(() => '')) || response.statusText;
  throw new Error(`${response.status}: ${text}`);
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
  const sending = fetch(url, {
    method,
    credentials: 'include',
    ...(signal && { signal }),
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  // Every browser has its own words for a failed connection.
  const response = await sending.catch((cause: unknown) => {
    throw new Error(unreachable, { cause });
  });
  await throwIfNotOk(response);
  return response;
}
