import * as z from 'zod';
import { errorMessage } from '../../platform/errors.ts';
import { ReleaseError } from '../../platform/release-error.ts';

/** A release server that runs the commands of this machine. */
export interface RemoteServer {
  /** Origin of the server, which is the audience of tokens as well. */
  readonly url: string;
  readonly token: string | undefined;
  /** Where a job of GitHub Actions gets a token of its own. */
  readonly actions: { readonly url: string; readonly token: string } | undefined;
}

const issued = z.object({ value: z.string() });

/**
 * The token for a request. A token of GitHub Actions is valid for minutes, so each request gets a new one. Throws a
 * {@link ReleaseError} if there is none.
 */
export async function readAccessToken({ url, token, actions }: RemoteServer): Promise<string> {
  if (token !== undefined) return token;
  if (!actions) {
    throw new ReleaseError(
      'RELEASE_TOKEN is missing. Set it to your token of the release server; in GitHub Actions, give the job "permissions: id-token: write".',
    );
  }
  const address = new URL(actions.url);
  address.searchParams.set('audience', url);
  try {
    const response = await fetch(address, {
      headers: { Authorization: `Bearer ${actions.token}` },
      signal: AbortSignal.timeout(10_000),
    });
    return issued.parse(await response.json()).value;
  } catch (cause) {
    throw new ReleaseError(`GitHub Actions gave no token: ${errorMessage(cause)} Run the job again.`, {
      cause,
    });
  }
}
