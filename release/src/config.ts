import { join, resolve } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import * as z from 'zod/mini';
import { ReleaseFault } from './release-fault.ts';

/** Everything that can be set from outside. */
export interface ReleaseConfig {
  /** Port of the site. */
  readonly port: number;
  /** Port of the lead service. */
  readonly leadsPort: number;
  /** Folder that holds the store of releases and, by default, the leads. */
  readonly dataDirectory: string;
  /** The store of releases, inside the data folder. */
  readonly storeDirectory: string;
  readonly site: SiteConfig;
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
};

/** Reads the environment once. Throws a {@link ReleaseFault} that lists everything wrong with it. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): ReleaseConfig {
  const result = environmentSchema.safeParse(environment);
  const issues = result.error?.issues ?? [];
  const faults = issues.map((issue) => advice[String(issue.path[0])] ?? issue.message);
  if (portsCollide(environment)) faults.push('PORT and LEADS_PORT must differ.');
  if (!result.success || faults.length > 0) throw new ReleaseFault([...new Set(faults)].join(' '));

  const { PORT, LEADS_PORT, DATA_DIR, SITE_ORIGIN, APP_HOST, DEFAULT_THEME } = result.data;
  const dataDirectory = resolve(DATA_DIR);
  return {
    port: PORT,
    leadsPort: LEADS_PORT,
    dataDirectory,
    storeDirectory: join(dataDirectory, 'site'),
    site: {
      appHost: new URL(APP_HOST).origin,
      siteOrigin: new URL(SITE_ORIGIN).origin,
      defaultTheme: DEFAULT_THEME,
    },
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
