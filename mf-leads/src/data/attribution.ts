import type { LeadAttribution } from '@countersign/contracts/lead';
import { tabStorage } from './tab-storage.ts';

const campaignParameters = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const satisfies Partial<Record<keyof LeadAttribution, string>>;

const landingStorageKey = 'lead-landing';

/** Stores the query of the landing page for this tab, if it contains campaign parameters. The first one wins. */
export function storeLandingQuery(): void {
  if (
    tabStorage.read(landingStorageKey) !== undefined ||
    Object.keys(campaignParametersIn(location.search)).length === 0
  )
    return;
  tabStorage.write(landingStorageKey, location.search);
}

/** Attribution of a lead that is sent now. */
export function currentAttribution(releaseId: string): LeadAttribution {
  const { origin, pathname } = location;
  const search = withoutPreview(location.search);
  const { referrer } = document;
  // Referrers of the same origin are not an origin of the visit.
  const isExternalReferrer = referrer !== '' && !referrer.startsWith(`${origin}/`);
  return {
    page: `${pathname}${search}`,
    ...(isExternalReferrer && { referrer }),
    ...campaignParametersIn(tabStorage.read(landingStorageKey) ?? search),
    releaseId,
  };
}

/** Removes the parameter of preview pages, which is irrelevant for sales. */
function withoutPreview(search: string): string {
  const parameters = new URLSearchParams(search);
  if (!parameters.has('preview')) return search;
  parameters.delete('preview');
  return parameters.size > 0 ? `?${parameters}` : '';
}

function campaignParametersIn(query: string): LeadAttribution {
  const values = new URLSearchParams(query);
  const named = Object.entries(campaignParameters).map(([name, parameter]) => [name, values.get(parameter)]);
  return Object.fromEntries(named.filter(([, value]) => value)) as LeadAttribution;
}
