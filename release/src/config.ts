import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod/mini';
import { readOverrideKey, type OverrideKey } from './override/override-key.ts';
import { printableLine } from './printable.ts';
import { ReleaseFault } from './release-fault.ts';
import type { S3Location } from './store/s3-store.ts';

/** Where the store of releases is. */
export type StoreLocation =
  { readonly kind: 'directory'; readonly directory: string } | ({ readonly kind: 's3' } & S3Location);

/** Everything that can be set from outside. */
export interface ReleaseConfig {
  /** Port of the site. */
  readonly port: number;
  /** Port of the lead service. */
  readonly leadsPort: number;
  /** Folder that holds the store of releases and, by default, the leads. */
  readonly dataDirectory: string;
  /** The store of releases: a folder inside the data folder, or a bucket. */
  readonly store: StoreLocation;
  readonly site: SiteConfig;
  /** What of it was set, and is no default. */
  readonly chosenSite: Partial<SiteConfig>;
  /** Who releases: the name that the log and the owners' file know. */
  readonly releaser: string;
  /** File that says who may release which part. */
  readonly ownersFile: string;
  /** Signs developer overrides. Without it none can be made; the site takes those of the key that it has. */
  readonly overrideKey: OverrideKey | undefined;
}

const port = (name: string, initial: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^\d+$/, `${name} must be a port number from 0 to 65535.`)),
      z.pipe(
        z.transform(Number),
        z.number().check(z.lte(65535, `${name} must be a port number from 0 to 65535.`)),
      ),
    ),
    initial,
  );

/** `s3://bucket` or `s3://bucket/prefix`. */
const bucketUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;

const environmentSchema = z.object({
  PORT: port('PORT', 3000),
  LEADS_PORT: port('LEADS_PORT', 3001),
  DATA_DIR: z._default(z.string().check(z.regex(/\S/)), '.data'),
  SITE_ORIGIN: z._default(
    siteConfig.shape.siteOrigin.check(z.refine(isOrigin)),
    `https://www.${brand.toLowerCase()}.example`,
  ),
  APP_HOST: z._default(
    siteConfig.shape.appHost.check(z.refine(isOrigin)),
    `https://app.${brand.toLowerCase()}.example`,
  ),
  DEFAULT_THEME: z._default(siteConfig.shape.defaultTheme, 'system'),
  STORE_URL: z.optional(z.string().check(z.regex(bucketUrl))),
  S3_ENDPOINT: z.optional(z.string().check(z.refine(isOrigin))),
  OVERRIDE_KEY: z.optional(z.string().check(z.refine((key) => readOverrideKey(key) !== undefined))),
  RELEASER: z.optional(
    z
      .string()
      .check(
        z.regex(/\S/, 'RELEASER is empty. Set it to the name of who releases, or remove it.'),
        z.refine(isOneLine, 'RELEASER must be one line of text without control characters.'),
      ),
  ),
  OWNERS_FILE: z._default(z.string().check(z.regex(/\S/)), join(import.meta.dirname, '..', 'owners.json')),
});

/** Both are one port. Port 0 takes a free one each time. */
function portsCollide(environment: NodeJS.ProcessEnv): boolean {
  const { PORT, LEADS_PORT } = environmentSchema.shape;
  const [site, leads] = [
    PORT.safeParse(environment['PORT']),
    LEADS_PORT.safeParse(environment['LEADS_PORT']),
  ];
  return site.success && leads.success && site.data !== 0 && site.data === leads.data;
}

function isOneLine(text: string): boolean {
  return text === printableLine(text);
}

/** Nothing may follow the host: it would be lost. */
function isOrigin(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.href === `${url.origin}/`;
}

const advice: Readonly<Record<string, string>> = {
  DATA_DIR: 'DATA_DIR is empty. Set it to a folder, or remove it.',
  SITE_ORIGIN: 'SITE_ORIGIN must be the origin of the site, such as https://www.example.com.',
  APP_HOST: 'APP_HOST must be the origin of the application, such as https://app.example.com.',
  DEFAULT_THEME: 'DEFAULT_THEME must be "system" or "light".',
  STORE_URL: 'STORE_URL must name a bucket, such as s3://releases or s3://releases/site.',
  S3_ENDPOINT: 'S3_ENDPOINT must be the origin of the object store, such as https://objects.example.com.',
  OVERRIDE_KEY:
    'OVERRIDE_KEY is no private key of a developer override. Take one from "npm run release -- override --new-key".',
  OWNERS_FILE: 'OWNERS_FILE is empty. Set it to the file that names the owners of the parts, or remove it.',
};

/** Reads the environment once. Throws a {@link ReleaseFault} that lists everything wrong with it. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ReleaseConfig {
  const result = environmentSchema.safeParse(environment);
  const issues = result.error?.issues ?? [];
  const faults = issues.map((issue) => advice[String(issue.path[0])] ?? issue.message);
  if (portsCollide(environment)) faults.push('PORT and LEADS_PORT must differ.');
  if (!result.success || faults.length > 0) throw new ReleaseFault([...new Set(faults)].join(' '));

  const { PORT, LEADS_PORT, DATA_DIR, SITE_ORIGIN, APP_HOST, DEFAULT_THEME } = result.data;
  // Relative to the repository, as for the lead service: npm and other programs start it in different folders.
  const dataDirectory = resolve(import.meta.dirname, '..', '..', DATA_DIR);
  const overrideKey = readOverrideKey(result.data.OVERRIDE_KEY ?? '');
  return {
    port: PORT,
    leadsPort: LEADS_PORT,
    dataDirectory,
    store: storeLocation(dataDirectory, result.data),
    site: {
      appHost: new URL(APP_HOST).origin,
      siteOrigin: new URL(SITE_ORIGIN).origin,
      defaultTheme: DEFAULT_THEME,
      ...(overrideKey ? { overrideKey: overrideKey.publicKey } : {}),
    },
    chosenSite: {
      ...(environment['APP_HOST'] === undefined ? {} : { appHost: new URL(APP_HOST).origin }),
      ...(environment['SITE_ORIGIN'] === undefined ? {} : { siteOrigin: new URL(SITE_ORIGIN).origin }),
      ...(environment['DEFAULT_THEME'] === undefined ? {} : { defaultTheme: DEFAULT_THEME }),
      ...(overrideKey ? { overrideKey: overrideKey.publicKey } : {}),
    },
    releaser: result.data.RELEASER ?? userName(),
    ownersFile: resolve(result.data.OWNERS_FILE),
    overrideKey,
  };
}

/** Name of the user of this machine, or the number where there is no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function storeLocation(
  dataDirectory: string,
  { STORE_URL, S3_ENDPOINT }: z.infer<typeof environmentSchema>,
): StoreLocation {
  const [, bucket, path = ''] = bucketUrl.exec(STORE_URL ?? '') ?? [];
  if (bucket === undefined) return { kind: 'directory', directory: join(dataDirectory, 'site') };
  const folders = path.split('/').filter(Boolean);
  return {
    kind: 's3',
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    endpoint: S3_ENDPOINT,
  };
}

type Variables = Readonly<Record<string, string>>;

/**
 * The environment of a process that this one starts: its own, with some variables set.
 *
 * @param defaults variables that are set only where the environment says nothing
 */
export function childEnvironment(variables: Variables, defaults: Variables = {}): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env, ...variables };
}
