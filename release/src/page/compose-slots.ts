import { fragmentPlaceholders } from '@countersign/contracts/fragment';
import type { ReleaseContent, ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import { servableVersions } from '@countersign/contracts/release-versions';
import type { SiteConfig } from '@countersign/contracts/site-config';
import {
  canarySlotAttributes,
  markupHash,
  slotAttributes,
  slotMarkers,
  styleAttributes,
} from '@countersign/contracts/slot-markup';
import { hasIntegrity } from '../platform/file-hash.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readVersion } from '../store/stored-version.ts';
import { pageStyles } from './page-styles.ts';
import { assertSafeFragments, fragmentViolations } from './safe-fragments.ts';

/** The markup of one version of a remote. */
interface RemoteMarkup {
  readonly version: string;
  /** Exposed key → markup. Empty for builds without fragments. */
  readonly fragments: ReadonlyMap<string, string>;
  /** Exposed key → URL and content of its stylesheets. */
  readonly styles: ReadonlyMap<string, readonly (readonly [url: string, css: string])[]>;
}

/**
 * The live state before a change. It decides what happens to unsafe fragments: those of live versions are left out, because they
 * must not stop the changes of other parts. Those of other versions are refused.
 */
export interface BeforeChange {
  /** Missing before the first release. */
  readonly live?: ReleaseContent | undefined;
  /** Is told of each fragment that is left out. */
  readonly warn?: ((message: string) => void) | undefined;
}

interface SlotOptions extends BeforeChange {
  /** Whether the page contains canaries beside live versions. */
  readonly withCanaries: boolean;
}

/**
 * Replaces the template's slot markers by the prerendered markup and styles of each live version. A canary's slot follows in
 * a `<template>`. Throws a {@link ReleaseError} if a stored file does not match its hash, or a fragment of a
 * version that was not live before is unsafe.
 *
 * @returns the template with its slots, and the text of each style element in them
 */
export async function composeSlots(
  template: string,
  store: ReleaseStore,
  { remotes }: Pick<ReleaseDocument, 'remotes'>,
  site: SiteConfig,
  { withCanaries, live: before, warn = () => undefined }: SlotOptions,
): Promise<{ readonly html: string; readonly styles: readonly string[] }> {
  const markups = new Map<RemoteVersion, RemoteMarkup>();
  const remotesWithSlots = new Set([...template.matchAll(slotMarkers)].map(([, remote]) => remote));
  for (const name of remoteNames.filter((remote) => remotesWithSlots.has(remote))) {
    const { live, canary } = remotes[name] ?? {};
    const liveBefore = before?.remotes[name];
    const versionsBefore = (liveBefore ? servableVersions(liveBefore) : []).map(({ version }) => version);
    for (const version of [live, withCanaries ? canary?.version : undefined]) {
      if (!version) continue;
      const leaveOut = versionsBefore.includes(version.version) ? warn : undefined;
      markups.set(version, await readMarkup(store, name, version.version, site, leaveOut));
    }
  }
  /** URL → content of the stylesheets that are inlined already, because slots of a remote share them. */
  const inlined = new Map<string, string>();
  const stylesAndSlot = (remote: string, exposed: string, version: RemoteVersion | undefined) => {
    const markup = version && markups.get(version);
    const styles = (markup?.styles.get(exposed) ?? []).filter(([url]) => !inlined.has(url));
    for (const [url, css] of styles) inlined.set(url, css);
    return [...styles.map(styleElement), slotElement(remote, exposed, markup)].join('');
  };
  const html = template.replaceAll(slotMarkers, (_, remote: RemoteName, exposed: string) => {
    const { live, canary } = remotes[remote] ?? {};
    const stable = stylesAndSlot(remote, exposed, live);
    if (!canary || !withCanaries) return stable;
    const { remote: name, percent } = canarySlotAttributes;
    const inCanary = stylesAndSlot(remote, exposed, canary.version);
    return `${stable}<template ${name}="${remote}" ${percent}="${canary.percent}">${inCanary}</template>`;
  });
  return { html, styles: [...inlined.values()] };
}

/**
 * Reads the fragments and stylesheets of a version, and compares them with their hashes.
 *
 * @param leaveOut is told of each unsafe fragment, which is then left out. Without it, an unsafe fragment is an error
 */
async function readMarkup(
  store: ReleaseStore,
  remote: RemoteName,
  version: string,
  site: SiteConfig,
  leaveOut: BeforeChange['warn'],
): Promise<RemoteMarkup> {
  const { manifest } = await readVersion(store, remote, version);
  const hashes = (await store.hashesOf(remote, version)) ?? {};
  const readIntact = async (file: string) => {
    const bytes = await store.readBytes(remote, version, file);
    if (hasIntegrity(bytes, hashes[file])) return bytes;
    throw new ReleaseError(
      `${file} of ${remote} ${version} does not match its published hash. Publish ${remote} again under a new version.`,
    );
  };
  // Cached, because the exposed keys of a remote share stylesheets.
  const contents = new Map<string, Promise<Uint8Array>>();
  const read = (file: string) => {
    const bytes = contents.get(file) ?? readIntact(file);
    contents.set(file, bytes);
    return bytes;
  };
  const fragments = await Promise.all(
    Object.entries(manifest.fragments ?? {}).map(
      async ([exposed, file]) => [exposed, file, await read(file)] as const,
    ),
  );
  const files = new Map(fragments.map(([, file, bytes]) => [file, bytes]));
  if (!leaveOut) assertSafeFragments(manifest, files, 'be put into a page');
  const safe = fragments.filter(([exposed]) => {
    const [violation] = fragmentViolations(manifest, exposed, files);
    if (violation !== undefined)
      leaveOut?.(
        `${remote} ${version} is shown without the markup of ${exposed}: ${violation} Publish ${remote} again under a new version.`,
      );
    return violation === undefined;
  });
  const styles = await Promise.all(
    Object.entries(manifest.exposes).map(async ([exposed, files]) => {
      const folder = `/${remote}/${version}/`;
      const sheets = files.styles.map(
        async (file) => [`${folder}${file}`, pageStyles(textOf(await read(file)), folder)] as const,
      );
      return [exposed, await Promise.all(sheets)] as const;
    }),
  );
  const markup = safe.map(([exposed, , bytes]) => [exposed, withAppHost(textOf(bytes), site)] as const);
  return { version, fragments: new Map(markup), styles: new Map(styles) };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Replaces the placeholder of the application's origin. Escapes for attributes, because it occurs there only. */
function withAppHost(markup: string, { appHost }: SiteConfig): string {
  const { origin } = new URL(appHost);
  return markup.replaceAll(
    fragmentPlaceholders.appHost,
    origin.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  );
}

function styleElement([url, css]: readonly [string, string]): string {
  const file = url.slice(url.lastIndexOf('/') + 1);
  return `<style ${styleAttributes.file}="${file}" ${styleAttributes.url}="${url}">${css}</style>`;
}

function slotElement(remote: string, exposed: string, markup: RemoteMarkup | undefined): string {
  const fragment = markup?.fragments.get(exposed);
  const names = `${slotAttributes.remote}="${remote}" ${slotAttributes.exposed}="${exposed}"`;
  if (!markup || fragment === undefined) return `<div ${names}></div>`;
  const { prerendered, markupHash: hash } = slotAttributes;
  return `<div ${names} ${prerendered}="${markup.version}" ${hash}="${markupHash(fragment)}">${fragment}</div>`;
}
