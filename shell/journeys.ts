import { defineJourneys, focusIs, key, leadsTo, reload, see } from '@countersign/contracts/journeys';

/** It takes a form of mf-leads to show a toast, and the menu of mf-header to choose a theme, so these are in their journeys. */
export const journeys = defineJourneys({
  'the skip link leads to the content': [
    key('Tab'),
    focusIs('link "Skip to content"'),
    see('link "Skip to content"'),
    key('Enter'),
    focusIs('main'),
  ],
  'an unknown address has a page': [
    reload('/no/such/page'),
    see('heading "404 Page Not Found"'),
    see('"Did you forget to add the page to the router?"'),
    leadsTo('link "Back to Countersign"', '/'),
  ],
});
