import { leadAttribution, type LeadAttribution } from '@countersign/contracts/lead';
import type { Context } from 'koa';

/** Where a form was that a browser has sent without a script: the browser says so itself. */
export function formAttribution(ctx: Context): LeadAttribution {
  const page = URL.parse(ctx.get('Referer'));
  const isOurs = page?.host === ctx.get('Host').toLowerCase();
  // The form that comes back because something was wrong tells nothing.
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
