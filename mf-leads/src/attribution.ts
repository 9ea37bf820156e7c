import type { LeadAttribution } from '@countersign/contracts/lead';
import { tabStorage } from './tab-storage.ts';

const campaignParameters = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const satisfies Partial<Record<keyof LeadAttribution, string>>;

const landingKey = 'lead-landing';

/** Remembers the query that led into this tab, if a campaign is named in it. The first one counts. */
export function rememberLanding(): void {
  if (tabStorage.read(landingKey) !== undefined || Object.keys(campaignIn(location.search)).length === 0)
    return;
  tabStorage.write(landingKey, location.search);
}

/** Where a lead that is sent now comes from. */
export function attributionNow(releaseId: string): LeadAttribution {
  const { origin, pathname } = location;
  const search = withoutPreview(location.search);
  const { referrer } = document;
  // The site's own addresses say nothing about where somebody came from.
  const cameFromElsewhere = referrer !== '' && !referrer.startsWith(`${origin}/`);
  return {
    page: `${pathname}${search}`,
    ...(cameFromElsewhere && { referrer }),
    ...campaignIn(tabStorage.read(landingKey) ?? search),
    releaseId,
  };
}

/** What a developer tries out is nothing that sales need to know. */
function withoutPreview(search: string): string {
  const parameters = new URLSearchParams(search);
  if (!parameters.has('preview')) return search;
  parameters.delete('preview');
  return parameters.size > 0 ? `?${parameters}` : '';
}

function campaignIn(query: string): LeadAttribution {
  const values = new URLSearchParams(query);
  const named = Object.entries(campaignParameters).map(([name, parameter]) => [name, values.get(parameter)]);
  return Object.fromEntries(named.filter(([, value]) => value)) as LeadAttribution;
}
