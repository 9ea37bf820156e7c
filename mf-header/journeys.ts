import {
  choose,
  defineJourneys,
  focusIs,
  goBack,
  isChosen,
  key,
  leadsTo,
  notSee,
  press,
  reload,
  scrollsTo,
  see,
  type Journey,
} from '@countersign/contracts/journeys';
import { Check, Menu, Monitor, Moon, Sun, X, type IconNode } from 'lucide';

const items = ['Features', 'Pricing', 'API', 'Contact'] as const;
const sectionOf = (item: (typeof items)[number]) => item.toLowerCase() as Lowercase<typeof item>;
const bar = { in: 'banner' } as const;
const menu = { in: 'dialog "Menu"' } as const;
const login = '{appHost}/login';

type Target = Parameters<typeof see>[0];

/** An element shows an icon, here by its first shape. */
const seeIcon = (
  what: Target,
  [[shape, attributes] = ['', {}]]: IconNode,
  place: { readonly in?: Target } = bar,
): Journey['steps'][number] => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return see(what, { ...place, icon: `<${shape}${written.join('')}>` });
};

const chooseInBar = (theme: 'Light' | 'Dark' | 'System'): Journey['steps'] => [
  press('button "Theme"', bar),
  choose(`menuitemradio "${theme}"`),
  focusIs('button "Theme"', bar),
];

/** In the open menu. */
const keyTo = (name: string, theme: string) => [key(name), focusIs(`menuitemradio "${theme}"`)];
const leadOn = ['Sign In', 'Start Free Trial'].map((label) => leadsTo(`link "${label}"`, login, bar));

export const journeys = defineJourneys({
  'each item of the bar scrolls to its section, or leads to the application': {
    at: 'wide',
    steps: [
      ...items.map((item) => scrollsTo(`link "${item}"`, sectionOf(item), bar)),
      focusIs('#contact'),
      ...leadOn,
      notSee('button "Open menu"', bar),
      // It leaves nothing, and the address of the page.
      scrollsTo('link "Countersign"', 'top', bar),
      scrollsTo('link "Countersign"', 'top', bar),
    ],
  },
  'the side menu is modal, and gives the focus back': {
    at: 'narrow',
    steps: [
      notSee('button "Theme"', bar),
      notSee('link "Sign In"', bar),
      seeIcon('button "Open menu"', Menu),
      press('button "Open menu"'),
      notSee('button "Open menu"'),
      see('heading "Menu"', menu),
      seeIcon('group "Theme"', Sun, menu),
      seeIcon('button "Close menu"', X, menu),
      // More often than the menu has stops.
      key('Tab', 12),
      focusIs('dialog "Menu"'),
      key('Escape'),
      notSee('dialog "Menu"'),
      focusIs('button "Open menu"'),
    ],
  },
  'the theme menu is used by keys, and closes': {
    at: 'wide',
    steps: [
      press('button "Theme"', bar),
      ...keyTo('ArrowUp', 'System'),
      key('Escape'),
      notSee('menu'),
      notSee('tooltip'),
      focusIs('button "Theme"', bar),
      // It leads on, and opens nothing.
      key('Tab'),
      focusIs('link "Sign In"', bar),
      notSee('menu'),
      notSee('tooltip'),
      key('Shift+Tab'),
      see('tooltip "Theme: System"'),
      ...keyTo('Enter', 'Light'),
      key('Escape'),
      ...keyTo('ArrowDown', 'Light'),
      ...keyTo('End', 'System'),
      ...keyTo('ArrowUp', 'Dark'),
      ...keyTo('l', 'Light'),
      ...keyTo('ArrowUp', 'Light'),
      ...keyTo('s', 'System'),
      key('Home'),
      ...keyTo('Tab', 'Light'),
      // A press elsewhere closes it, and a second one on its button.
      press('link "Contact"', bar),
      notSee('menu'),
      press('button "Theme"', bar),
      see('menu "Theme"'),
      press('button "Theme"', bar),
      notSee('menu'),
      // No key has chosen a theme.
      seeIcon('button "Theme"', Monitor),
    ],
  },
  'Dark by the keyboard takes effect, and System': {
    at: 'wide',
    steps: [
      press('button "Theme"', bar),
      key('ArrowDown', 2),
      key('Enter'),
      see('banner', { theme: 'dark' }),
      see('navigation "Footer"', { theme: 'dark' }),
      seeIcon('button "Theme"', Moon),
      key('Space'),
      isChosen('menuitemradio "Dark"'),
      seeIcon('menuitemradio "Dark"', Moon, {}),
      seeIcon('menuitemradio "Dark"', Check, {}),
      choose('menuitemradio "System"'),
      // In a wide window of the check, the system's theme is light.
      see('banner', { theme: 'light' }),
      seeIcon('button "Theme"', Monitor),
    ],
  },
  'Dark lasts, and Light takes effect': {
    at: 'wide',
    steps: [
      ...chooseInBar('Dark'),
      reload(),
      see('banner', { theme: 'dark' }),
      seeIcon('button "Theme"', Moon),
      ...chooseInBar('Light'),
      see('banner', { theme: 'light' }),
      seeIcon('button "Theme"', Sun),
    ],
  },
  'the themes of the side menu take effect, and its last item scrolls': {
    at: 'narrow',
    steps: [
      reload(),
      press('button "Open menu"'),
      choose('radio "Dark"', menu),
      see('dialog "Menu"', { theme: 'dark' }),
      key('ArrowUp'),
      isChosen('radio "Light"', menu),
      see('dialog "Menu"', { theme: 'light' }),
      press('button "Close menu"', menu),
      notSee('dialog "Menu"'),
      focusIs('button "Open menu"'),
      press('button "Open menu"'),
      isChosen('radio "Light"', menu),
      scrollsTo('link "Contact"', 'contact', menu),
      notSee('dialog "Menu"'),
      press('button "Open menu"'),
      goBack(),
      notSee('dialog "Menu"'),
      focusIs('button "Open menu"'),
    ],
  },
  'without scripts the links work, and there is no choice of a theme': {
    page: 'plain',
    steps: [
      notSee('button "Theme"', bar),
      ...leadOn,
      ...items.map((item) => scrollsTo(`link "${item}"`, sectionOf(item), bar)),
    ],
  },
  'each item of the side menu scrolls to its section, or leads to the application': {
    at: 'narrow',
    often: false,
    steps: [
      ...items.flatMap((item) => [
        press('button "Open menu"'),
        scrollsTo(`link "${item}"`, sectionOf(item), menu),
        notSee('dialog "Menu"'),
      ]),
      ...['Start Free Trial', 'Sign In'].flatMap((label) => [
        press('button "Open menu"'),
        leadsTo(`link "${label}"`, login, menu),
      ]),
    ],
  },
});
