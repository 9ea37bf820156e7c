import { slotAttributes } from '@countersign/contracts/page-markup';

/**
 * Removes the attribute that marks the page as plain. In an unsupported browser the page stays plain, and all scripts after this
 * one are blocked. The two features together are in Safari 16.4, Chrome and Edge 105, Firefox 121 and newer, as in `browserslist`
 * of packages/webpack-config. The source text is inlined in the HTML, so the function must not use anything outside its body,
 * and no syntax newer than ES5, which an old browser could not parse.
 *
 * @param policy a new element: a parameter, because ES5 has no `const`, and lint refuses `var`
 */
function requireBrowser(plain: string, policy: HTMLMetaElement): void {
  if ('adoptedStyleSheets' in document && CSS.supports('selector(:has(a))')) {
    document.documentElement.removeAttribute(plain);
    return;
  }
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "script-src 'none'";
  document.head.appendChild(policy);
}

/** The first inline script of the page. */
export const requireBrowserScript = `(${requireBrowser})("${slotAttributes.plain}",document.createElement("meta"))`;
