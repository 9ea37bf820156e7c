import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserLocation } from '@countersign/browser/find-browser';
import { brand } from '@countersign/contracts/brand';
import { host, mistakesIn, parsed, port, text } from '@countersign/contracts/settings';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod';
import type { ReportsSource } from './canary/read-page-reports.ts';
import type { RemoteServer } from './release-server/client/access-token.ts';
import { clientSettings, remoteServer } from './release-server/client/config.ts';
import { parseOrigin, parseSafeOrigin } from './release-server/client/parse-origin.ts';
import { printableLine } from './store/printable.ts';
import { ReleaseError } from './store/release-error.ts';
import { parseBucket, type StoreLocation } from './store/open-store.ts';

export interface ReleaseConfig {
  readonly port: number;
  /** Address on which `serve` listens. */
  readonly host: string;
  readonly leadsPort: number;
  readonly boardPort: number;
  /** Where the lead service's counts of page reports are read. */
  readonly reports: ReportsSource | undefined;
  /** Folder that holds the store of releases and, by default, the leads. */
  readonly dataDirectory: string;
  /** Whether the site sends deltas to browsers that have an earlier version of a file. */
  readonly sendsDeltas: boolean;
  /** The store of releases: a folder inside the data folder, or a bucket. */
  readonly store: StoreLocation;
  /** Origin of an object store that is not AWS. */
  readonly s3Endpoint: string | undefined;
  readonly site: SiteConfig;
  /** The settings of the site that the environment sets explicitly. */
  readonly explicitSite: Partial<SiteConfig>;
  /** Name of the releaser in the log and in the owners' file. */
  readonly releaser: string;
  readonly ownersFile: string;
  /** Where to look for the browser of the check. */
  readonly browser: BrowserLocation;
  /** The release server that runs the commands in place of this machine. */
  readonly remote: RemoteServer | undefined;
  /** Settings of the release server itself. */
  readonly releaseServer: {
    readonly port: number;
    readonly host: string;
    /** Where its clients reach it, and the audience of their tokens. By default, its port on this machine. */
    readonly origin: string | undefined;
    /** File with its releasers. */
    readonly identitiesFile: string | undefined;
  };
}

const defaultSite: SiteConfig = {
  siteOrigin: `https://www.${brand.toLowerCase()}.example`,
  appHost: `https://app.${brand.toLowerCase()}.example`,
  defaultTheme: 'system',
};

/** All settings, as docs/operate.md shows them. */
export const settings = z
  .object({
    PORT: port().default(3000).describe('Port of the site; `0` picks a free one'),
    SITE_HOST: host()
      .default('127.0.0.1')
      .describe(
        'Address or host name on which `serve` listens. If other machines reach it, the release board is not served',
      ),
    LEADS_PORT: port().default(3001).describe('Port of the lead service; `0` picks a free one'),
    BOARD_PORT: port()
      .default(3003)
      .describe(
        'Port of the [release board](#the-release-board), on the loopback interface; `0` picks a free one',
      ),
    REPORTS_URL: parsed(parseOrigin, 'must be the origin of the admin API, such as http://127.0.0.1:3002.')
      .optional()
      .describe(
        'Origin of the lead service’s [admin API](lead-service/api.md#the-inbox-and-the-admin-api), whose counts of page reports `watch` reads',
      ),
    REPORTS_TOKEN: text().optional().describe('Token of that API with the scope `reports`'),
    DATA_DIR: text()
      .default('.data')
      .describe('Folder for releases and, in `leads/`, for the lead service. Relative to the repository'),
    DELTAS: z
      .enum(['on', 'off'], 'must be on or off.')
      .default('on')
      .describe(
        '`on` or `off`: whether browsers get [only the difference](#deltas) to the version of a file that they have',
      ),
    SITE_ORIGIN: parsed(parseOrigin, 'must be the origin of the site, such as https://www.example.com.')
      .optional()
      .meta({
        description: 'Origin under which visitors reach the site: canonical and sharing links, sitemap',
        shown: `\`${defaultSite.siteOrigin}\``,
      }),
    APP_HOST: parsed(parseOrigin, 'must be the origin of the application, such as https://app.example.com.')
      .optional()
      .meta({
        description: 'Origin of the application behind the login',
        shown: `\`${defaultSite.appHost}\``,
      }),
    DEFAULT_THEME: parsed(
      (value) => siteConfig.shape.defaultTheme.safeParse(value).data,
      'must be "system" or "light".',
    )
      .optional()
      .meta({
        description: 'Theme of a visitor who has not chosen one: `system` or `light`',
        shown: `\`${defaultSite.defaultTheme}\``,
      }),
    STORE_URL: parsed(parseBucket, 'must name a bucket, such as s3://releases or s3://releases/site.')
      .optional()
      .describe('A bucket for the releases, `s3://bucket` or `s3://bucket/prefix`, in place of the folder'),
    S3_ENDPOINT: parsed(
      parseOrigin,
      'must be the origin of the object store, such as https://objects.example.com.',
    )
      .optional()
      .meta({ description: 'Origin of another object store', shown: 'none: AWS' }),
    RELEASER: parsed(
      (value) => (value.trim() !== '' && value === printableLine(value) ? value : undefined),
      'must be one line of text without control characters.',
    )
      .optional()
      .meta({
        description: 'Name of the releaser, for owners and log',
        shown: 'the user of the machine',
      }),
    BROWSER_PATH: text().optional().meta({
      description: 'Chromium or Chrome that opens the page for the [check](#the-check)',
      shown: 'Playwright’s, or one of the system',
    }),
    OWNERS_FILE: text().optional().meta({
      description: 'File with the owners of each part',
      shown: '`release/owners.json`',
    }),
    ...clientSettings.shape,
    RELEASE_PORT: port().default(3004).describe('Port of the release server itself; `0` picks a free one'),
    RELEASE_HOST: host()
      .default('127.0.0.1')
      .describe('Address or host name on which the release server listens'),
    RELEASE_ORIGIN: parsed(
      parseSafeOrigin,
      'must be the https:// origin of the release server. Only on this machine may it be http://.',
    )
      .optional()
      .meta({
        description: 'Origin under which clients reach the release server; the audience of their tokens',
        shown: '`http://127.0.0.1:<RELEASE_PORT>`',
      }),
    IDENTITIES_FILE: text()
      .optional()
      .describe('File with the releasers of the release server, see [there](#the-release-server)'),
  })
  .superRefine(({ REPORTS_URL, REPORTS_TOKEN, ...values }, context) => {
    const ports = ['PORT', 'LEADS_PORT', 'BOARD_PORT', 'RELEASE_PORT'] as const;
    for (const [index, name] of ports.entries()) {
      // Port 0 never collides, because it selects a free port.
      const same = ports
        .slice(index + 1)
        .filter((other) => values[other] === values[name] && values[name] !== 0);
      for (const other of same) context.addIssue(`${name} and ${other} must differ.`);
    }
    if ((REPORTS_URL === undefined) !== (REPORTS_TOKEN === undefined)) {
      context.addIssue('REPORTS_URL and REPORTS_TOKEN must be set together.');
    }
  });

/** Reads and validates the environment. Throws a {@link ReleaseError} that lists all errors. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ReleaseConfig {
  const { data: values, error } = settings.safeParse(environment);
  if (!values) throw new ReleaseError(mistakesIn(error));
  const { SITE_ORIGIN, APP_HOST, DEFAULT_THEME } = values;
  const { REPORTS_URL: reportsUrl, REPORTS_TOKEN: reportsToken } = values;

  // Relative to the repository, as in the lead service, because the working directory varies.
  const dataDirectory = resolve(import.meta.dirname, '..', '..', values.DATA_DIR);
  const explicitSite = {
    ...(APP_HOST && { appHost: APP_HOST }),
    ...(SITE_ORIGIN && { siteOrigin: SITE_ORIGIN }),
    ...(DEFAULT_THEME && { defaultTheme: DEFAULT_THEME }),
  };
  return {
    port: values.PORT,
    host: values.SITE_HOST,
    leadsPort: values.LEADS_PORT,
    boardPort: values.BOARD_PORT,
    reports: reportsUrl && reportsToken ? { url: reportsUrl, token: reportsToken } : undefined,
    dataDirectory,
    sendsDeltas: values.DELTAS === 'on',
    store: values.STORE_URL
      ? { kind: 's3', ...values.STORE_URL, endpoint: values.S3_ENDPOINT }
      : { kind: 'directory', directory: join(dataDirectory, 'site') },
    s3Endpoint: values.S3_ENDPOINT,
    site: { ...defaultSite, ...explicitSite },
    explicitSite,
    releaser: values.RELEASER ?? userName(),
    ownersFile: values.OWNERS_FILE ?? join(import.meta.dirname, '..', 'owners.json'),
    browser: { browserPath: values.BROWSER_PATH, path: environment['PATH'] ?? '' },
    remote: remoteServer(values, environment),
    releaseServer: {
      port: values.RELEASE_PORT,
      host: values.RELEASE_HOST,
      origin: values.RELEASE_ORIGIN,
      identitiesFile: values.IDENTITIES_FILE,
    },
  };
}

/** Name of the current user, or the user ID if the user has no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
