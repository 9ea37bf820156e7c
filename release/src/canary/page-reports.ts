import { pageReports, pageReportsPath, type PageReportCounts } from '@countersign/contracts/page-reports';
import { ReleaseError } from '../platform/release-error.ts';

/** Where the lead service's counts of page reports are read. */
export interface ReportsSource {
  /** Origin of the admin API. */
  readonly url: string;
  /** Token with the scope `reports`. */
  readonly token: string;
}

/** Milliseconds that the service may take to respond. */
const timeout = 5_000;
/** Largest response, in bytes. A day of a busy site has some megabytes. */
const maxLength = 64 * 2 ** 20;

/**
 * Reads the counts of the periods that began at a time or later, the oldest first. Throws a {@link ReleaseError} that says
 * what to do if the service does not respond or refuses the token.
 *
 * @param since milliseconds since the epoch
 * @param period what a row covers. Days have far fewer rows
 */
export async function readPageReports(
  { url, token }: ReportsSource,
  since: number,
  period: 'ten-minutes' | 'day' = 'ten-minutes',
): Promise<readonly PageReportCounts[]> {
  const address = new URL(pageReportsPath, url);
  address.searchParams.set('since', new Date(since).toISOString());
  address.searchParams.set('period', period);
  try {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    if (answer.status === 401 || answer.status === 403) {
      throw new ReleaseError(
        'it refuses REPORTS_TOKEN. Create a token with "npm run leads -- token release --scope reports".',
      );
    }
    if (!answer.ok) throw new ReleaseError(`it answered ${answer.status}.`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > maxLength) throw new ReleaseError(`it answered more than ${maxLength} bytes.`);
      chunks.push(chunk);
    }
    return pageReports.parse(JSON.parse(Buffer.concat(chunks).toString())).reports;
  } catch (cause) {
    const why =
      cause instanceof ReleaseError
        ? cause.message
        : 'it does not answer as expected. Set REPORTS_URL to the origin of its admin API (ADMIN_PORT).';
    throw new ReleaseError(`The lead service at ${address.origin} cannot be read: ${why}`, { cause });
  }
}
