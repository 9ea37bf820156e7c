import { partNames } from '@countersign/contracts/remotes';
import { violationsPath } from '@countersign/contracts/telemetry-path';
import type { Context } from 'koa';
import * as z from 'zod/mini';
import { foreignOrigin, malformedReport, tooManyReports } from '../http/errors.ts';
import { reportsBody } from '../http/request-body.ts';
import { defineRoute } from '../http/route.ts';
import { isOfSite } from '../http/same-origin.ts';
import type { PartVersion } from './live-page.ts';
import type { TelemetryServices } from './telemetry.ts';

/** A URL, or a word such as `inline`. Browsers leave out what they do not know. */
const address = z.optional(z.nullable(z.string()));

const violation = z.object({
  type: z.enum(['csp-violation', 'integrity-violation']),
  body: z.object({ documentURL: z.string(), sourceFile: address, blockedURL: address }),
});
type Violation = z.output<typeof violation>;

/** A report of the Reporting API. Other types than violations are dropped. */
const report = z.union([violation, z.object({ type: z.string() })]);

/** WebKit sends violations of the CSP alone. */
const reports = z.union([z.array(report), report]);

/** As many reports as Chromium keeps. The others of a batch are dropped. */
const maxReports = 100;

/** `chrome-extension`, `moz-extension`, `safari-web-extension` and others, as a URL or as its scheme alone. */
const ofExtension = /^(?:[a-z]+-)+extension\b/;

/** WebKit refuses and reports each preload of a script, because it ignores its `integrity`. It then loads the script all the same. */
const webKit = /AppleWebKit\/(?!.*Chrome\/)/;

/** Whether code of the page has caused a violation, and not another page, a browser extension or a defect of the browser. */
function isCausedByPage(ctx: Context, { type, body }: Violation): boolean {
  const { documentURL, sourceFile, blockedURL } = body;
  const isOwnCode = !sourceFile || isOfSite(ctx, sourceFile);
  const isPreload = type === 'integrity-violation' && webKit.test(ctx.get('User-Agent'));
  return isOfSite(ctx, documentURL) && isOwnCode && !ofExtension.test(blockedURL ?? '') && !isPreload;
}

/** Path of a file of a part. */
const partFile = new RegExp(`^/(${partNames.join('|')})/([^/]+)/`);

/**
 * The version whose code has caused a violation, or whose file was refused. The shell only if there is no remote, because it
 * loads the files of all remotes. `undefined` if the report names no file of a part.
 */
function versionIn(ctx: Context, { body }: Violation): PartVersion | undefined {
  const versions = [body.sourceFile, body.blockedURL].flatMap((file) => {
    const path = file && isOfSite(ctx, file) ? new URL(file).pathname : '';
    const [, part, version] = partFile.exec(path) ?? [];
    return part !== undefined && version !== undefined ? [{ part, version }] : [];
  });
  return versions.find(({ part }) => part !== 'shell') ?? versions[0];
}

/** `POST /api/violations`: what the policies of the page made a browser refuse. Nothing of a report is stored but a count. */
export const violationsRoute = defineRoute({
  method: 'post',
  path: violationsPath,
  operationId: 'report-violations',
  summary:
    'Accepts reports of a browser on violations of the policies of the page. Adds them to the metrics.',
  description:
    'Counts `csp-violation` and `integrity-violation` reports of pages of this site. Those that an extension of the browser has caused, and all others, are dropped.',
  scope: 'public',
  acceptsReports: true,
  body: reports,
  responses: { 204: { description: 'Counted or dropped.' } },
  invalid: malformedReport,
  errors: [foreignOrigin, tooManyReports],
  checks: ({ sameOrigin, limitViolations }: TelemetryServices) => [sameOrigin, limitViolations, reportsBody],
  async handler({ body, ctx }, { clientOf, metrics }: TelemetryServices) {
    const versions = [body]
      .flat()
      .slice(0, maxReports)
      .filter((each) => 'body' in each)
      .filter((each) => isCausedByPage(ctx, each))
      .map((each) => versionIn(ctx, each));
    await metrics.countViolations(versions, clientOf(ctx.req).network);
    return undefined;
  },
});
