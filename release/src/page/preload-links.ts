import { bundledEntriesAttribute, preloadChoice } from '@countersign/contracts/page-markup';
import type { Asset, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import type { EntryBundle } from './entry-bundle.ts';

/** Preload link of the entry bundle, with its entries. The shell runs the bundle when the first part in it loads. */
export function bundleLink({ url, integrity, entries }: EntryBundle): string {
  const listed = entries.map((entry) => `${entry.line} ${entry.url}`).join(' ');
  return `<link rel="preload" as="script" href="${url}" integrity="${integrity}" crossorigin="anonymous" ${bundledEntriesAttribute}="${listed}">`;
}

/**
 * Preload links for the code that every visitor needs at once, except what is bundled. For a remote with a canary, both
 * versions have templates with their links, of which the page activates one.
 *
 * @param bundled URLs of the entries in the bundle
 */
export function preloadLinks({ remotes }: ReleaseDocument, bundled: ReadonlySet<string>): readonly string[] {
  const released = Object.entries(remotes);
  const withoutCanary = released
    .filter(([, { canary }]) => !canary)
    .flatMap(([, { live }]) => linksTo(live, bundled));
  const choices = released.flatMap(([name, { live, canary }]) => {
    if (!canary) return [];
    const choice = (group: CanaryGroup, version: RemoteVersion) => {
      const links = linksTo(version).join('');
      if (!links) return [];
      return `<template ${preloadChoice.remote}="${name}" ${preloadChoice.percent}="${canary.percent}" ${preloadChoice.version}="${canary.version.version}" ${preloadChoice.group}="${group}">${links}</template>`;
    };
    return [choice('stable', live), choice('canary', canary.version)].flat();
  });
  return [...withoutCanary, ...choices];
}

/**
 * Preload links of a version. Their attributes must equal those of the later use, otherwise the browser fetches a file
 * twice. Stylesheets are inlined.
 */
function linksTo(
  { entry, exposes, hydration }: RemoteVersion,
  bundled: ReadonlySet<string> = new Set(),
): readonly string[] {
  const neededAtOnce = Object.entries(exposes).filter(([key]) => (hydration?.[key] ?? 'load') === 'load');
  if (neededAtOnce.length === 0) return [];
  const scripts = [entry, ...neededAtOnce.flatMap(([, chunk]) => chunk.scripts)].filter(
    ({ url }) => !bundled.has(url),
  );
  // Removes duplicates, because several keys can share a chunk.
  return [...new Set(scripts.map(preloadLink))];
}

export function preloadLink({ url, integrity }: Asset): string {
  return `<link rel="preload" as="script" href="${url}" integrity="${integrity}" crossorigin="anonymous">`;
}

/** Preload links of the fonts of Latin letters. Of several faces of a font, browsers use the last that has a character. */
export function fontLinks(styles: string): readonly string[] {
  /** The declarations that faces of the same font share → file. */
  const files = new Map<string, string>();
  for (const [, face = ''] of styles.matchAll(/@font-face\s*\{([^}]*)\}/g)) {
    const [, file] = /url\(([^)]+\.woff2)\)/.exec(face) ?? [];
    const [, ranges = 'U+0-10FFFF'] = /unicode-range:([^;]+)/.exec(face) ?? [];
    const declarations = face.split(';').map((declaration) => declaration.trim());
    const font = declarations.filter((text) => !/^(src|unicode-range):|^$/.test(text)).join(';');
    if (file !== undefined && hasLatinLetters(ranges)) files.set(font, file);
  }
  return [...files.values()].map(
    (url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous">`,
  );
}

/** Whether a CSS `unicode-range` contains the letter A. */
function hasLatinLetters(ranges: string): boolean {
  return ranges.split(',').some((range) => {
    const [from = '', to = from] = range.trim().slice('U+'.length).split('-');
    const point = 'A'.charCodeAt(0);
    return parseInt(from.replaceAll('?', '0'), 16) <= point && parseInt(to.replaceAll('?', 'F'), 16) >= point;
  });
}
