import {
  answers,
  choose,
  defineJourneys,
  focusIs,
  key,
  notSee,
  press,
  reload,
  see,
  type,
} from '@countersign/contracts/journeys';

const form = { in: 'form "Ask us anything"' } as const;
const notices = 'region "Notifications (F8)"';

/**
 * What the pre-deploy check does in a browser before a version of a part goes live. Notices and theme belong to the shell, but it
 * takes a form or menu of a remote to show or change them.
 */
export const journeys = defineJourneys({
  'the skip link leads to the content': [
    key('Tab'),
    focusIs('link "Skip to content"'),
    key('Enter'),
    focusIs('main'),
  ],
  'End and Home reach the ends of the page': [
    key('End'),
    see('contentinfo'),
    key('Home'),
    see('heading "Signed in order. Kept on record."'),
  ],
  'a notice appears, F8 reaches it, and it closes': [
    type('textbox "Name"', 'Ada Example', form),
    type('textbox "Email"', 'ada@example.com', form),
    type('textbox "Message"', 'Please call us back.', form),
    answers('/api/contact', { status: 201, message: 'We call you today.' }),
    press('button "Send Message"', form),
    see('"We call you today."', { in: notices }),
    key('F8'),
    focusIs(notices),
    press('button "Close"', { in: notices }),
    notSee('"We call you today."', { in: notices }),
  ],
  'the theme is kept over a reload': {
    at: 'wide',
    steps: [
      press('button "Theme"'),
      choose('menuitemradio "Dark"'),
      see('banner', { theme: 'dark' }),
      reload(),
      see('banner', { theme: 'dark' }),
    ],
  },
  'an unknown address has a page': [reload('/no/such/page'), see('heading "404 Page Not Found"')],
});
