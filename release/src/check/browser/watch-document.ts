declare global {
  /** In the isolated world of a document: address or text → why the browser refuses it. */
  var refusals: Map<string, string> | undefined;
}

/** Runs in each document before anything of the page: records what the browser refuses under the page's policies. */
export function watchDocument(): void {
  const refusals = new Map<string, string>();
  globalThis.refusals = refusals;
  const record = (what: string, reason: string) => {
    const name = what.replace(location.origin, '').slice(0, 200);
    if (refusals.size < 20 && !refusals.has(name)) refusals.set(name, reason);
  };
  const reasons: Readonly<Record<string, string>> = {
    'trusted-types-policy': 'a Trusted Types policy that is not its own',
    'trusted-types-sink': 'set without a Trusted Types policy',
    inline: 'put into the page as text',
  };
  // Captured at the window, so that no listener of the page can stop it before.
  addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, sample }) =>
      record(sample || blockedURI, reasons[blockedURI] ?? `against the policy's ${effectiveDirective}`),
    true,
  );
  // Violations of the header Integrity-Policy dispatch no event.
  new ReportingObserver(
    (reports) => {
      for (const { body } of reports)
        record((body as { blockedURL: string }).blockedURL, 'requested without CORS');
    },
    { types: ['integrity-violation'], buffered: true },
  ).observe();
  // Runs before these reports, so that only a request with a hash is recorded as one without CORS. It also finds stylesheets,
  // of which the browser demands no hash.
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLScriptElement || node instanceof HTMLLinkElement)) continue;
      const stylesheet = 'href' in node && node.relList.contains('stylesheet') ? node.href : '';
      const address = 'src' in node ? node.src : stylesheet;
      if (address !== '' && node.integrity === '') record(address, 'requested without a hash');
    }
  }).observe(document, { childList: true, subtree: true });
}

/** Runs like {@link watchDocument}: puts every text into an element of its own, as translators do, before scripts run. */
export function translateDocument(): void {
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
