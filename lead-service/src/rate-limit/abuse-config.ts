import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { list, wholeNumber } from '@countersign/environment/variables';

export interface AbuseConfig {
  /** Number of trusted proxies in front of the service. Each appends the address of its client to `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
  /** Other origins whose pages may send leads, besides the site's own. */
  readonly allowedOrigins: readonly string[];
  readonly quotas: Quotas;
  readonly reportQuotas: Quotas;
}

/** Requests within ten minutes. 0 means unlimited. */
export interface Quotas {
  readonly address: number;
  /** A /24 of IPv4, a /64 of IPv6. */
  readonly network: number;
}

export const originVariables = {
  TRUSTED_PROXY_HOPS: wholeNumber(
    'Number of own proxies in front of the service, each of which appends to `X-Forwarded-For`. Entries that a client forges have no effect. Entries may contain ports',
    { initial: 0, min: 0, max: 16 },
  ),
  ALLOWED_ORIGINS: list(
    "Comma-separated origins of other sites whose forms and scripts may send leads (CORS, without credentials). The service's own host is always allowed",
  ),
};

const quota = (meaning: string, initial: number) => wholeNumber(meaning, { initial, min: 0, max: 1_000_000 });

const sameForNetwork = 'The same for the network of the address: /24 of IPv4, /64 of IPv6';

export const quotaVariables = {
  LEADS_PER_ADDRESS: quota('Leads that one address may send within ten minutes; `0`: no limit', 600),
  LEADS_PER_NETWORK: quota(sameForNetwork, 2400),
  REPORTS_PER_ADDRESS: quota('Page reports that one address may send within ten minutes; `0`: no limit', 600),
  REPORTS_PER_NETWORK: quota(sameForNetwork, 2400),
};

export function readAbuseConfig(reader: EnvironmentReader): AbuseConfig {
  const { TRUSTED_PROXY_HOPS, ALLOWED_ORIGINS } = reader.read(originVariables);
  for (const origin of ALLOWED_ORIGINS) {
    if (URL.parse(origin)?.origin !== origin) {
      reader.reject(
        `ALLOWED_ORIGINS must hold origins such as https://www.example.com, but has "${origin}".`,
      );
    }
  }
  const quotas = reader.read(quotaVariables);
  return {
    trustedProxyHops: TRUSTED_PROXY_HOPS,
    allowedOrigins: ALLOWED_ORIGINS,
    quotas: { address: quotas.LEADS_PER_ADDRESS, network: quotas.LEADS_PER_NETWORK },
    reportQuotas: { address: quotas.REPORTS_PER_ADDRESS, network: quotas.REPORTS_PER_NETWORK },
  };
}
