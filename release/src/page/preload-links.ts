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
    .flatMap(([, { live: liveVersion }]) => linksTo(liveVersion, bundled));
  const choices = released.flatMap(([name, { live: liveVersion, canary }]) => {
    if (!canary) return [];
    const choice = (group: CanaryGroup, version: RemoteVersion) => {
      const links = linksTo(version).join('');
      if (!links) return [];
      return `<template ${preloadChoice.remote}="${name}" ${preloadChoice.percent}="${canary.percent}" ${preloadChoice.version}="${canary.version.version}" ${preloadChoice.group}="${group}" ${preloadChoice.together}="${canary.together ?? ''}">${links}</template>`;
    };
    return [choice('stable', liveVersion), choice('canary', canary.version)].flat();
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

/** Preload links of the fonts named `…-basic` in the design tokens, which have the characters of every page. Others load on demand. */
export function fontLinks(styles: string): readonly string[] {
  const files = [...styles.matchAll(/url\(([^)]+-basic\.[^)]*woff2)\)/g)].map(([, file = '']) => file);
  return [...new Set(files)].map(
    (url) => `<link rel="preload" as="font" type="font/woff2" href="${url}" crossorigin="anonymous">`,
  );
}
