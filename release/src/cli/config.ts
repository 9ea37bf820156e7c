import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { host, describeIssues, parsed, port, text, wholeNumber } from '@countersign/contracts/settings';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod';
import {
  clientSettings,
  parseOrigin,
  parseSafeOrigin,
  remoteServer,
  serverOrigin,
} from '../release-server/client/config.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { parseBucket, type StoreLocation } from '../store/open-store.ts';

const defaultSiteConfig: SiteConfig = {
  siteOrigin: `https://www.${brand.toLowerCase()}.example`,
  appHost: `https://app.${brand.toLowerCase()}.example`,
  defaultTheme: 'system',
};

/** Value that removes a setting from the site. The page keeps a setting that has no value. */
const none = 'none';

const pageAddress = (label: string) =>
  parsed(
    (value) => (value === none ? value : siteConfig.shape.privacyUrl.safeParse(value).data),
    'must be the address of a page, such as https://www.example.com/privacy, or "none".',
  )
    .optional()
    .describe(`Page of “${label}” in the footer; \`none\` removes it`);

/** All settings, as docs/operate.md shows them. `shown` describes a default that is set below. */
export const settings = z
  .object({
    PORT: port().default(3000).describe('Port of the site; `0` picks a free one'),
    SITE_HOST: host()
      .default('127.0.0.1')
      .describe(
        'Address or host name on which `serve` listens. If other machines reach it, the release board is not served',
      ),
    // Only the site's proxy opens it, so that it may be one that browsers refuse.
    LEADS_PORT: wholeNumber(0, 65_535)
      .default(3001)
      .describe('Port of the lead service; with `npm start`, `0` picks a free one'),
    BOARD_PORT: port()
      .default(3003)
      .describe(
        'Port of the [release board](#the-release-board), on the loopback interface; `0` picks a free one',
      ),
    REPORTS_URL: parsed(parseOrigin, 'must be the origin of the admin API, such as http://127.0.0.1:3002.')
      .optional()
      .describe(
        'Origin of the lead service’s [admin API](lead-service/api.md#the-inbox), whose counts of page reports `watch` reads',
      ),
    REPORTS_TOKEN: text().optional().describe('Token of that API with the scope `reports`'),
    DATA_DIR: text()
      .default('.data')
      .describe('Folder for releases and, in `leads/`, for the lead service. Relative to the repository'),
    SITE_ORIGIN: parsed(parseOrigin, 'must be the origin of the site, such as https://www.example.com.')
      .optional()
      .meta({
        description: 'Origin under which visitors reach the site: canonical and sharing links, sitemap',
        shown: `\`${defaultSiteConfig.siteOrigin}\``,
      }),
    APP_HOST: parsed(parseOrigin, 'must be the origin of the application, such as https://app.example.com.')
      .optional()
      .meta({
        description: 'Origin of the application behind the login',
        shown: `\`${defaultSiteConfig.appHost}\``,
      }),
    DEFAULT_THEME: parsed(
      (value) => siteConfig.shape.defaultTheme.safeParse(value).data,
      'must be "system" or "light".',
    )
      .optional()
      .meta({
        description: 'Theme of a visitor who has not chosen one: `system` or `light`',
        shown: `\`${defaultSiteConfig.defaultTheme}\``,
      }),
    PRIVACY_URL: pageAddress('Privacy Policy'),
    TERMS_URL: pageAddress('Terms of Service'),
    SECURITY_URL: pageAddress('Security'),
    HELP_URL: pageAddress('Help Center'),
    CONSENT_TEXT: parsed(
      (value) => siteConfig.shape.consentText.safeParse(value.trim() || undefined).data,
      'must be a sentence of at most 2,000 characters.',
    )
      .optional()
      .describe('Sentence under each form, with a link to `PRIVACY_URL`; stored with each lead'),
    CONSENT: z
      .enum(['notice', 'required'], 'must be notice or required.')
      .optional()
      .meta({ description: '`required`: with a box to tick', shown: '`notice`' }),
    STORE_URL: parsed(parseBucket, 'must name a bucket, such as s3://releases or s3://releases/site.')
      .optional()
      .describe('A bucket for the releases, `s3://bucket` or `s3://bucket/prefix`, in place of the folder'),
    S3_ENDPOINT: parsed(
      parseOrigin,
      'must be the origin of the object store, such as https://objects.example.com.',
    )
      .optional()
      .meta({ description: 'Origin of another object store', shown: 'none: AWS' }),
    RELEASER: text().optional().meta({
      description: 'Name of the releaser, for owners and history',
      shown: 'the user of the machine',
    }),
    BROWSER_PATH: text().optional().meta({
      description: 'Chromium or Chrome that opens the page for the [check](#releases)',
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
    RELEASE_ORIGIN: serverOrigin().optional().meta({
      description: 'Origin under which clients reach the release server; the audience of their tokens',
      shown: '`http://127.0.0.1:<RELEASE_PORT>`',
    }),
    IDENTITIES_FILE: text()
      .optional()
      .describe('File with the releasers of the release server, see [there](#the-release-server)'),
    RELEASE_WEBHOOK_URL: parsed((value) => {
      const { origin = '', username, password } = URL.parse(value) ?? {};
      return parseSafeOrigin(origin) === undefined || username || password ? undefined : value;
    }, 'must be an https:// address without a password. Only on this machine may it be http://.')
      .optional()
      .describe('Address to which the release server [announces](#the-release-server) each change'),
    RELEASE_WEBHOOK_SECRET: parsed(
      (value) => (/^whsec_[A-Za-z\d+/]{32,}=*$/.test(value) ? value : undefined),
      'must be "whsec_" and the output of "openssl rand -base64 32".',
    )
      .optional()
      .describe('Signs these announcements: `whsec_` and base64'),
  })
  .refine(
    ({ REPORTS_URL, REPORTS_TOKEN }) => (REPORTS_URL === undefined) === (REPORTS_TOKEN === undefined),
    'REPORTS_URL and REPORTS_TOKEN must be set together.',
  )
  .refine(
    (values) => (values.RELEASE_WEBHOOK_URL === undefined) === (values.RELEASE_WEBHOOK_SECRET === undefined),
    'RELEASE_WEBHOOK_URL and RELEASE_WEBHOOK_SECRET must be set together.',
  );

export type ReleaseConfig = ReturnType<typeof readConfig>;

/** Reads and validates the environment. Throws a {@link ReleaseError} that lists all errors. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const { data: values, error } = settings.safeParse(environment);
  if (!values) throw new ReleaseError(describeIssues(error));
  const { REPORTS_URL: reportsUrl, REPORTS_TOKEN: reportsToken } = values;
  const { RELEASE_WEBHOOK_URL: webhookUrl, RELEASE_WEBHOOK_SECRET: secret } = values;

  // Relative to the repository, as in the lead service, because the working directory varies.
  const dataFolder = resolve(import.meta.dirname, '..', '..', '..', values.DATA_DIR);
  const explicit = keptOrRemoved({
    appHost: values.APP_HOST,
    siteOrigin: values.SITE_ORIGIN,
    defaultTheme: values.DEFAULT_THEME,
    privacyUrl: values.PRIVACY_URL,
    termsUrl: values.TERMS_URL,
    securityUrl: values.SECURITY_URL,
    helpUrl: values.HELP_URL,
    consentText: values.CONSENT_TEXT,
    // Without the setting, no consent is required.
    consent: values.CONSENT === 'notice' ? none : values.CONSENT,
  });
  // Explicit settings, else those of the live page, else the defaults.
  const resolveSiteConfig: ResolveSiteConfig = (before) => {
    const resolved = { ...defaultSiteConfig, ...before, ...explicit };
    // Checked here, because the live page may have the other one of the two.
    if (resolved.consentText !== undefined && resolved.privacyUrl === undefined) {
      throw new ReleaseError(
        'CONSENT_TEXT needs PRIVACY_URL, to which its sentence links. Set it, or CONSENT_TEXT=none.',
      );
    }
    // Always in one order, because the release ID is a hash of the page with them: the defaults, then as in the schema.
    return { ...defaultSiteConfig, ...siteConfig.parse(resolved) };
  };
  const store: StoreLocation = values.STORE_URL
    ? { kind: 's3', ...values.STORE_URL, endpoint: values.S3_ENDPOINT }
    : { kind: 'directory', directory: join(dataFolder, 'site') };
  return {
    port: values.PORT,
    host: values.SITE_HOST,
    leadsPort: values.LEADS_PORT,
    boardPort: values.BOARD_PORT,
    reports: reportsUrl && reportsToken ? { url: reportsUrl, token: reportsToken } : undefined,
    dataFolder,
    /** A setting of the lead service, to which `npm start` adds a token. */
    adminTokens: environment['ADMIN_TOKENS'],
    store,
    resolveSiteConfig,
    releaser: values.RELEASER ?? userName(),
    ownersFile: values.OWNERS_FILE ?? join(import.meta.dirname, '..', '..', 'owners.json'),
    /** Where to look for the browser of the check. */
    browserLocation: { browserPath: values.BROWSER_PATH, path: environment['PATH'] ?? '' },
    /** The release server that runs the commands in place of this machine. */
    remoteServer: remoteServer(values, environment),
    /** Settings of the release server itself. */
    releaseServer: {
      port: values.RELEASE_PORT,
      host: values.RELEASE_HOST,
      /** Where its clients reach it. By default, its port on this machine. */
      origin: values.RELEASE_ORIGIN,
      identitiesFile: values.IDENTITIES_FILE,
      webhook: webhookUrl && secret ? { url: webhookUrl, secret } : undefined,
    },
  };
}

/** The settings that the environment sets. `none` becomes `undefined`, which replaces the value of the live page. */
function keptOrRemoved(values: Readonly<Record<string, string | undefined>>): Partial<SiteConfig> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, value === none ? undefined : value]));
}

/** Name of the current user, or the user ID if the user has no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
