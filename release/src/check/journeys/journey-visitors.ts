import type { BrowserContextOptions } from 'playwright-core';
import type { Visitor } from '../browser/open-page.ts';

/** Without transitions and smooth scrolling, which would only take time. */
const quick: BrowserContextOptions = { reducedMotion: 'reduce' };

const wide = { width: 1280, height: 800 } as const;
const narrow = { width: 390, height: 844 } as const;

/** Who follows journeys. */
export const journeyVisitors = {
  wide: { description: '', settings: { ...quick, viewport: wide } },
  narrow: {
    description: 'in the dark',
    settings: { ...quick, viewport: narrow, hasTouch: true, colorScheme: 'dark' },
  },
  tablet: { description: '', settings: { ...quick, viewport: { width: 768, height: 1024 } } },
  early: { description: 'before the code has come', settings: { ...quick, viewport: wide } },
  plain: { description: 'without scripts', settings: { viewport: wide, javaScriptEnabled: false } },
  translated: {
    description: 'translated',
    settings: { ...quick, viewport: wide },
    before: [translateDocument],
  },
} as const satisfies Readonly<
  Record<string, Visitor & { description: string; settings: { viewport: { width: number } } }>
>;

export type JourneyVisitorName = keyof typeof journeyVisitors;

/** Runs in the page: puts every text into an element of its own, as translators do, before its scripts run. */
function translateDocument(): void {
  document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const skipped = text.parentElement?.closest('script, style, template, noscript, svg');
      if (skipped || text.data.trim() === '') continue;
      const font = document.createElement('font');
      text.replaceWith(font);
      font.append(text);
    }
  });
}
