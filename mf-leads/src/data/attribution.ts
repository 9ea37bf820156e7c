// blind spot: no visitor sees what sales learn, but the tests of the form do.
import { removedParameters, withoutParameters } from '@countersign/contracts/lead-form';
import type { LeadAttribution } from '@countersign/contracts/lead-submission';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { tabStorage } from './tab-storage.ts';

const campaignParameters = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const satisfies Partial<Record<keyof LeadAttribution, string>>;

/** Parameters to remove from the page's address: those of developers, irrelevant for sales, and identifiers of a person's clicks. */
const omittedParameters = ['preview', 'variant', ...removedParameters];

const campaignStorageKey = 'lead-landing';
const firstViewStorageKey = 'lead-first-view';

/** Stores the first page view of this tab, and the page of the first one with campaign parameters. */
export function storeFirstTouch(): void {
  const page = currentPage();
  if (tabStorage.read(firstViewStorageKey) === undefined)
    tabStorage.write(firstViewStorageKey, JSON.stringify({ page, referrer: externalReferrer() }));
  if (tabStorage.read(campaignStorageKey) === undefined && Object.keys(campaignIn(page)).length > 0)
    tabStorage.write(campaignStorageKey, page);
}

/** Attribution of a lead that is sent now. */
export function currentAttribution(shell: Pick<ShellApi, 'page' | 'shownParts'>): LeadAttribution {
  const page = currentPage();
  return {
    page,
    referrer: externalReferrer(),
    ...campaignIn(tabStorage.read(campaignStorageKey) ?? page),
    landingPage: tabStorage.readText(firstViewStorageKey, 'page'),
    landingReferrer: tabStorage.readText(firstViewStorageKey, 'referrer'),
    releaseId: shell.page.releaseId,
    // Not validated here, because the service drops malformed entries.
    parts: shell.shownParts?.() as LeadAttribution['parts'],
  };
}

function currentPage(): string {
  return withoutParameters(location.pathname + location.search, omittedParameters);
}

/** The referrer, unless it is a page of this site, which is not where the visit came from. */
function externalReferrer(): string | undefined {
  const { referrer } = document;
  return referrer === '' || referrer.startsWith(`${location.origin}/`)
    ? undefined
    : withoutParameters(referrer, removedParameters);
}

function campaignIn(page: string): LeadAttribution {
  const values = new URLSearchParams(page.slice(page.indexOf('?') + 1));
  const named = Object.entries(campaignParameters).map(([name, parameter]) => [name, values.get(parameter)]);
  return Object.fromEntries(named.filter(([, value]) => value)) as LeadAttribution;
}
