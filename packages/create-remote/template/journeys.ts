import { defineJourneys, leadsTo, see } from '@countersign/contracts/journeys';

/** What this part promises its visitors: docs/journeys.md. */
export const journeys = defineJourneys({
  'the section leads to the application': [
    see('heading "Our Prices"'),
    leadsTo('link "Sign In"', '{appHost}/login', { in: 'region "Our Prices"' }),
  ],
});
