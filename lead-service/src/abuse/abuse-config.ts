import type { EnvironmentReader } from '../environment-reader.ts';

/** How the service protects itself from senders of too much. */
export interface AbuseConfig {
  /** How many proxies of the operator's own stand in front. Each adds the address it was called from. */
  readonly trustedProxyHops: number;
  /** Origins of other sites whose forms may be sent here, besides the site's own. */
  readonly allowedOrigins: readonly string[];
  readonly quotas: LeadQuotas;
  /** Reports of the page that an address may send within ten minutes. 0: as many as it likes. */
  readonly reportsPerAddress: number;
}

/** How many leads may be sent within ten minutes. 0: as many as anybody likes. */
export interface LeadQuotas {
  readonly address: number;
  /** A /24 of IPv4, a /64 of IPv6. */
  readonly network: number;
}

export function readAbuseConfig(reader: EnvironmentReader): AbuseConfig {
  return {
    trustedProxyHops: reader.wholeNumber('TRUSTED_PROXY_HOPS', { initial: 0, least: 0, most: 16 }),
    allowedOrigins: readOrigins(reader),
    reportsPerAddress: reader.wholeNumber('REPORTS_PER_ADDRESS', {
      initial: 600,
      least: 0,
      most: 1_000_000,
    }),
    quotas: {
      address: reader.wholeNumber('LEADS_PER_ADDRESS', { initial: 600, least: 0, most: 1_000_000 }),
      network: reader.wholeNumber('LEADS_PER_NETWORK', { initial: 2400, least: 0, most: 1_000_000 }),
    },
  };
}

function readOrigins(reader: EnvironmentReader): readonly string[] {
  const origins = reader.list('ALLOWED_ORIGINS');
  for (const origin of origins) {
    if (URL.parse(origin)?.origin !== origin) {
      reader.fault(`ALLOWED_ORIGINS must hold origins such as https://www.example.com, but has "${origin}".`);
    }
  }
  return origins;
}
