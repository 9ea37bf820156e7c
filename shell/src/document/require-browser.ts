import { slotAttributes } from '@countersign/contracts/page-markup';

/**
 * Ends the page's state without JavaScript, in which its HTML is. In a browser older than the project supports, keeps that state and
 * blocks all scripts after this one, because the page would break in parts. The features tell the same versions as `browserslist` in packages/webpack-config:
 * Safari got the first one last, the others the second one. The source text is inlined in the HTML, so the function must
 * not use anything outside its body, and no syntax newer than ES5, which such a browser could not parse.
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
