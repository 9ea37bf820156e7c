import {
  otherVersion,
  pageReportCounts,
  pageReportCountsPath,
  type VersionCounts,
} from '@countersign/contracts/page-report';
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

/**
 * Reads the counts of page reports on a part. Throws a {@link ReleaseError} that says what to do if the service does not
 * respond, refuses the token, or knows no versions.
 *
 * @param since milliseconds since the epoch
 */
export async function readPageReports(
  { url, token }: ReportsSource,
  part: string,
  since: number,
): Promise<readonly VersionCounts[]> {
  const address = new URL(pageReportCountsPath, url);
  address.searchParams.set('since', new Date(since).toISOString());
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
    // The start of a canary has the time of the machine that released it.
    if (since > Date.parse(answer.headers.get('date') ?? '')) {
      throw new ReleaseError(
        'its clock is behind the start of the canary. Correct the clock of the service, or of the machine that released the canary; then set another percentage, which starts the count again.',
      );
    }
    const { versions } = pageReportCounts.parse(await answer.json());
    const own = versions.filter((counts) => counts.part === part);
    // The name for all versions that the service has not found in the live page.
    if (own.length > 0 && own.every(({ version }) => version === otherVersion)) {
      throw new ReleaseError(
        'it does not know the live versions. Set its LIVE_PAGE. If it is set, its log says why that page cannot be read.',
      );
    }
    return own;
  } catch (cause) {
    const why =
      cause instanceof ReleaseError
        ? cause.message
        : 'it does not answer as expected. Set REPORTS_URL to the origin of its admin API (ADMIN_PORT).';
    throw new ReleaseError(`The lead service at ${address.origin} cannot be read: ${why}`, { cause });
  }
}
