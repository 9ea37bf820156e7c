import { leadAttribution, type LeadAttribution } from '@countersign/contracts/lead';
import type { Context } from 'koa';

/** Attribution of a native form submission, from the Referer header, because no script can add it. */
export function formAttribution(ctx: Context): LeadAttribution {
  const page = URL.parse(ctx.get('Referer'));
  const isOurs = page?.host === ctx.get('Host').toLowerCase();
  // The form on an error page carries no campaign parameters.
  if (!isOurs || page.pathname.startsWith('/api/')) return {};
  const campaign = (name: string) => page.searchParams.get(`utm_${name}`) ?? undefined;
  return leadAttribution.parse({
    page: page.pathname + page.search,
    utmSource: campaign('source'),
    utmMedium: campaign('medium'),
    utmCampaign: campaign('campaign'),
    utmTerm: campaign('term'),
    utmContent: campaign('content'),
  });
}
