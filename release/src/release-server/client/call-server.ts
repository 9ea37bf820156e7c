import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { errorMessage, hasErrorCode } from '../../platform/errors.ts';
import { HttpError, IncompleteChange, ReleaseError } from '../../platform/release-error.ts';
import {
  callHeader,
  callState,
  health,
  protocol,
  refusal,
  outdatedClient,
  type CallResult,
  type SentCall,
} from '../call-messages.ts';
import { readAccessToken, type RemoteServer } from './access-token.ts';

/** Milliseconds between two attempts. */
const retryInterval = 2_000;
/** Milliseconds without an accepted request after which the client gives up. Less than the server keeps results for. */
const giveUpAfter = 15 * 60_000;
/** Milliseconds in which an answer must come. The server answers within 20 s. */
const answerTimeout = 60_000;
/** Milliseconds in which the server takes a build. */
const uploadTimeout = 600_000;
/** Statuses of a call that the server has not started, for this request or an earlier one. */
const neverStarted: readonly number[] = [400, 403, 404, 408, 429];

/** An answer that ends the attempts. */
class Refusal extends HttpError {}

/**
 * Makes a call on a release server, and asks for its result until it ends. The server starts it only once. Throws
 * a {@link ReleaseError} if the server refuses the call, and an {@link IncompleteChange} if its result is lost.
 *
 * @param pack the tar of its build, from the start; `null` without one
 * @param mayChange whether it can publish a version, or change the page
 * @param progress gets pieces of what the call prints on stderr
 */
export async function callServer(
  server: RemoteServer,
  call: SentCall,
  pack: () => ReadableStream<Uint8Array> | null,
  progress: (text: string) => void,
  mayChange: boolean,
): Promise<CallResult> {
  const path = `/calls/${await readInstance(server)}/${randomUUID()}`;
  const headers = { [callHeader]: Buffer.from(JSON.stringify(call)).toString('base64') };
  /** Whether the call may run. */
  let isSent = false;
  /** Number of characters of progress that were received. */
  let received = 0;
  let acceptedAt = Date.now();
  for (;;) {
    try {
      if (!isSent) {
        const sending = { method: 'POST', headers, body: pack(), duplex: 'half' } as const;
        await request(server, path, z.object({}), uploadTimeout, sending);
        isSent = true;
      }
      const state = await request(server, `${path}/${received}`, callState, answerTimeout);
      acceptedAt = Date.now();
      received += state.progress.length;
      progress(state.progress);
      if (state.result) return state.result;
    } catch (error) {
      if (error instanceof HttpError)
        isSent = (isSent || error.status === 200) && !neverStarted.includes(error.status);
      else if (!(error instanceof ReleaseError) && !hasErrorCode(error, 'ECONNREFUSED')) isSent = true;
      // Without a token, nothing can be sent. Later, GitHub Actions may give another one.
      const isFinal = error instanceof HttpError ? error instanceof Refusal : !isSent;
      if (error instanceof ReleaseError && isFinal) throw errorOf(error, isSent, mayChange);
      if (Date.now() - acceptedAt > giveUpAfter) {
        const noAnswer = `${server.url} does not answer: ${errorMessage(error)}`;
        throw errorOf(error instanceof ReleaseError ? error : new ReleaseError(noAnswer), isSent, mayChange);
      }
      await delay(retryInterval);
    }
  }
}

/** The error of a call without a result. */
function errorOf(error: ReleaseError, isSent: boolean, mayChange: boolean): ReleaseError {
  const isRestarted = error instanceof HttpError && error.status === 410;
  if (!isSent || !mayChange)
    return isRestarted ? new ReleaseError(`${error.message} Repeat the command.`) : error;
  return new IncompleteChange(
    `${error.message} The result of the call is lost. A change may be committed: run "status" before you repeat the command.`,
    { cause: error },
  );
}

/** Names the process of the server, so that another one never starts a call a second time. */
async function readInstance(server: RemoteServer): Promise<string> {
  try {
    const found = await request(server, '/health', health, 10_000);
    if (found.protocol === protocol) return found.instance;
    const outdatedServer =
      'The release server is older than this release command. Ask its operator to update it.';
    throw new ReleaseError(found.protocol > protocol ? outdatedClient : outdatedServer);
  } catch (cause) {
    if (cause instanceof ReleaseError) throw cause;
    throw new ReleaseError(
      `The release server at ${server.url} does not answer: ${errorMessage(cause)} Nothing was changed. Check RELEASE_URL, or try again in a minute.`,
      { cause },
    );
  }
}

/**
 * Sends a request with a token. Throws a {@link Refusal} if it would be refused again, another {@link HttpError} if it may be
 * accepted later, and another error if there is no answer of the server.
 */
async function request<Answer>(
  server: RemoteServer,
  path: string,
  schema: z.ZodType<Answer>,
  timeout: number,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = { ...init.headers, Authorization: `Bearer ${await readAccessToken(server)}` };
  const signal = AbortSignal.timeout(timeout);
  let status = 0;
  let content: unknown;
  try {
    const response = await fetch(`${server.url}${path}`, { ...init, headers, signal, redirect: 'manual' });
    ({ status } = response);
    content = await response.json();
  } catch (error) {
    // `fetch` says why it failed only in the cause of its error.
    if (error instanceof TypeError && error.cause instanceof Error) throw error.cause;
    if (!(error instanceof SyntaxError)) throw error;
  }
  const answer = schema.safeParse(content);
  if (status === 200 && answer.success) return answer.data;
  const refused = refusal.safeParse(content).data;
  const message =
    status === 200
      ? `${server.url} sends an answer that this release command does not understand. Use the same version as the server.`
      : (refused?.message ??
        `${server.url} answers with the status ${status}, as no release server does. Check RELEASE_URL.`);
  // A proxy answers so for a server that may have the call.
  if (status >= 500 && !refused) throw new Error(message);
  // It has too many calls, may be back soon behind a proxy, or lost the connection before it had the call.
  if (status === 408 || status === 429 || status >= 500 || (status === 404 && refused))
    throw new HttpError(status, message);
  throw new Refusal(status, message, refused?.exitCode);
}
