import { consentAttribute, fragmentPlaceholders } from '@countersign/contracts/fragment';
import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import {
  canarySlotAttributes,
  markupHash,
  slotAttributes,
  slotMarkers,
  styleAttributes,
} from '@countersign/contracts/page-markup';
import { integrityOf } from '../platform/integrity-of.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { readVersion, type VersionReader } from '../store/stored-version.ts';
import { escapeHtml } from '../platform/escape-html.ts';
import { pageStyles } from './page-styles.ts';

type RemoteMarkup = Awaited<ReturnType<typeof readMarkup>>;

/**
 * Replaces the template's slot markers by the prerendered markup and styles of each live version. A canary's slot follows in
 * a `<template>`. Throws a {@link ReleaseError} if a stored file does not match its hash.
 *
 * @param options `withCanaries`: whether the page contains canaries beside live versions, as only the landing page does
 * @returns the template with its slots, and the text of each style element in them
 */
export async function composeSlots(
  template: string,
  store: VersionReader,
  { remotes }: Pick<ReleaseDocument, 'remotes'>,
  siteConfig: SiteConfig,
  { withCanaries }: { readonly withCanaries: boolean },
): Promise<{ readonly html: string; readonly styles: readonly string[] }> {
  const markups = new Map<RemoteVersion, RemoteMarkup>();
  const remotesWithSlots = new Set([...template.matchAll(slotMarkers)].map(([, remote]) => remote));
  for (const name of remoteNames.filter((remote) => remotesWithSlots.has(remote))) {
    const { live: liveVersion, canary } = remotes[name] ?? {};
    for (const version of [liveVersion, withCanaries ? canary?.version : undefined]) {
      if (version) markups.set(version, await readMarkup(store, name, version.version, siteConfig));
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
    const { live: liveVersion, canary } = remotes[remote] ?? {};
    const stable = stylesAndSlot(remote, exposed, liveVersion);
    if (!canary || !withCanaries) return stable;
    const { remote: name, percent, version, together } = canarySlotAttributes;
    const inCanary = stylesAndSlot(remote, exposed, canary.version);
    return `${stable}<template ${name}="${remote}" ${percent}="${canary.percent}" ${version}="${canary.version.version}" ${together}="${canary.together ?? ''}">${inCanary}</template>`;
  });
  return { html, styles: [...inlined.values()] };
}

/**
 * Reads the markup of a version, and URL and content of its stylesheets, each by exposed key, and compares them with their hashes.
 * Builds without fragments have no markup.
 */
async function readMarkup(store: VersionReader, remote: RemoteName, version: string, siteConfig: SiteConfig) {
  const { manifest, hashes } = await readVersion(store, remote, version);
  const read = async (file: string) => {
    const bytes = await store.readBytes(remote, version, file);
    if (integrityOf(bytes) === hashes[file]) return new TextDecoder().decode(bytes);
    throw new ReleaseError(
      `${file} of ${remote} ${version} does not match its published hash. Publish ${remote} ${version} again, which restores it.`,
    );
  };
  const fragments = await Promise.all(
    Object.entries(manifest.fragments ?? {}).map(
      async ([exposed, file]) => [exposed, withSettings(await read(file), siteConfig)] as const,
    ),
  );
  const styles = await Promise.all(
    Object.entries(manifest.exposes).map(async ([exposed, files]) => {
      const folder = `/${remote}/${version}/`;
      const sheets = files.styles.map(
        async (file) => [`${folder}${file}`, pageStyles(await read(file), folder)] as const,
      );
      return [exposed, await Promise.all(sheets)] as const;
    }),
  );
  return { version, fragments: new Map(fragments), styles: new Map(styles) };
}

/** Replaces the placeholders of settings by their values, as parts render them in the browser. A link without an address is unavailable. */
function withSettings(markup: string, siteConfig: SiteConfig): string {
  const { appHost, consentText, ...addresses } = fragmentPlaceholders;
  const withHost = markup.replaceAll(appHost, escapeHtml(new URL(siteConfig.appHost).origin));
  let composed = withConsent(withHost, consentText, siteConfig);
  for (const [name, placeholder] of Object.entries(addresses)) {
    const address = siteConfig[name as keyof typeof addresses];
    const attributes =
      address === undefined ? 'role="link" aria-disabled="true"' : `href="${escapeHtml(address)}"`;
    composed = composed.replaceAll(`href="${placeholder}"`, () => attributes);
  }
  return composed;
}

/** Start tag, content and {@link consentAttribute} paragraph of each form that has one. */
const formsWithConsent = new RegExp(
  `(<form\\b[^>]*>)((?:(?!</form>)[^])*?)(<p\\b[^>]* ${consentAttribute}=[^]*?</p>)`,
  'g',
);

/** Shows the consent in the forms that ask for it, as the contract of {@link consentAttribute} says. */
function withConsent(markup: string, placeholder: string, { consent, consentText }: SiteConfig): string {
  return markup.replaceAll(formsWithConsent, (_, form: string, content: string, paragraph: string) => {
    if (consentText === undefined) return form + content;
    const shown = paragraph.replaceAll(placeholder, () => escapeHtml(consentText));
    if (consent !== 'required') return form + content + shown;
    const box = shown.replace('type="hidden"', 'type="checkbox" required=""');
    return form.replace(' novalidate=""', '') + content + box;
  });
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
