import { entryPolicyName } from '@countersign/contracts/file-integrity';
import type { Asset, ReleaseDocument } from '@countersign/contracts/release-document';
import { chunksOf, servableVersions } from '@countersign/contracts/release-versions';
import { integrityOf } from '../platform/integrity-of.ts';

/** Directives that all pages share. Missing fetch directives fall back to `default-src`. */
const common = [
  "default-src 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
];

/** Origins that serve a build on a developer's machine. */
const localhostSources = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Audience of a page. The page for developers can load a part that `npm run dev` serves on localhost. Such files have no hashes
 * in the policy.
 */
export type Audience = 'visitors' | 'developers';

/** Hashes of the inline scripts and styles that a page may contain, as sources of a policy. */
export interface InlineCode {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * Hashes the inline scripts and styles of the shell's template, and the styles that the composer adds. Does not read the
 * composed page, because it contains markup of parts, which must not extend the policy.
 */
export function hashInlineCode(template: string, addedStyles: readonly string[]): InlineCode {
  const scripts = elements(template, 'script')
    // Browsers do not execute data blocks.
    .filter(({ attributes }) => !/\bsrc=|\btype="application\/(?:ld\+)?json"/.test(attributes))
    .map(({ text }) => text);
  const styles = elements(template, 'style').map(({ text }) => text);
  const hashSource = (text: string) => `'${integrityOf(text)}'`;
  return { scripts: scripts.map(hashSource), styles: [...styles, ...addedStyles].map(hashSource) };
}

/**
 * The policy in the page's `<meta>` element. It lists the hash of every allowed script, without `'self'` and without
 * `'strict-dynamic'`, so a script file needs a matching `integrity` attribute. Browsers do not support hashes for external
 * stylesheets, so these rely on `integrity` alone. Allows the Trusted Types policies of all versions in the release.
 *
 * @param bundle the entry bundle, which the release document does not list
 */
export function policyInPage(
  inline: InlineCode,
  { shell, remotes }: ReleaseDocument,
  audience: Audience,
  bundle: Asset | undefined,
): string {
  if (audience === 'developers') return policyForDevelopers(inline);
  const versions = Object.values(remotes).flatMap(servableVersions);
  const listed = [shell, ...versions].flatMap(chunksOf).flatMap((chunk) => chunk.scripts);
  const hashes = [...listed, ...(bundle ? [bundle] : [])].map(({ integrity }) => `'${integrity}'`);
  const policies = [`shell@${shell.version}`, ...versions.map(({ globalName }) => globalName)];
  return [
    ...common,
    `script-src ${list([...inline.scripts, ...hashes])}`,
    `style-src ${list(["'self'", ...inline.styles])}`,
    `trusted-types ${list([entryPolicyName, ...policies.filter(isSafePolicyName)])}`,
  ].join('; ');
}

/**
 * The policy in the response header. Adds `frame-ancestors`, which `<meta>` does not support, and is a second line
 * of defence. It changes only with inline scripts and styles, so a server may apply a new release late.
 */
export function policyInHeader(inline: InlineCode, audience: Audience): string {
  if (audience === 'developers') return `${policyForDevelopers(inline)}; frame-ancestors 'none'`;
  return [
    ...common,
    "frame-ancestors 'none'",
    `script-src ${list(["'self'", ...inline.scripts])}`,
    `style-src ${list(["'self'", ...inline.styles])}`,
  ].join('; ');
}

function policyForDevelopers(inline: InlineCode): string {
  const from = ["'self'", ...localhostSources];
  return [
    ...common.filter((directive) => !directive.startsWith('connect-src')),
    `connect-src ${list([...from, 'ws://localhost:*', 'ws://127.0.0.1:*'])}`,
    `script-src ${list([...from, ...inline.scripts])}`,
    `style-src ${list([...from, ...inline.styles])}`,
  ].join('; ');
}

function list(sources: readonly string[]): string {
  return [...new Set(sources)].join(' ');
}

/** Excludes names with characters that could end the directive, because a build's name is untrusted. */
function isSafePolicyName(name: string): boolean {
  return /^[\w\-#=/@.%]+$/.test(name);
}

function elements(html: string, name: string): readonly { attributes: string; text: string }[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>([^]*?)</${name}>`, 'g'))].map(
    ([, attributes = '', text = '']) => ({ attributes, text }),
  );
}
