import { chromium } from '@playwright/test';
import { browserPath, withRunningSite } from './running-site.ts';

/** What one part of the page costs a visitor who comes for the first time. Bytes are as sent: compressed, with headers. */
interface Weight {
  readonly part: string;
  readonly requests: number;
  readonly bytes: number;
}

const budget = { bytes: 300_000, requests: 40 };

/** Everything that a cold visit loads until the splash is over, by part. */
export async function pageWeight(): Promise<{ figures: unknown; report: string }> {
  const weights = await withRunningSite(measure);
  const total = weights.reduce(
    (sum, { requests, bytes }) => ({ requests: sum.requests + requests, bytes: sum.bytes + bytes }),
    { requests: 0, bytes: 0 },
  );
  const rows = [...weights, { part: 'total', ...total }].map(
    ({ part, requests, bytes }) =>
      `${part.padEnd(14)}${String(requests).padStart(9)}${kilobytes(bytes).padStart(12)}`,
  );
  const verdict = total.bytes <= budget.bytes && total.requests <= budget.requests ? 'within' : 'over';
  const report = [
    'Weight of the page until the splash ends (compressed, first visit)',
    `${'part'.padEnd(14)}${'requests'.padStart(9)}${'kB'.padStart(12)}`,
    ...rows,
    `${verdict} the budget of ${budget.requests} requests and ${kilobytes(budget.bytes)} kB`,
  ].join('\n');
  return { figures: { parts: weights, total, budget }, report };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

async function measure(url: string): Promise<readonly Weight[]> {
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const addresses = new Map<string, string>();
    const weights = new Map<string, Weight>();
    network.on('Network.responseReceived', ({ requestId, response }) =>
      addresses.set(requestId, response.url),
    );
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const address = addresses.get(requestId);
      if (!address?.startsWith('http')) return;
      const part = new URL(address).pathname.split('/')[1] || 'page';
      const before = weights.get(part) ?? { part, requests: 0, bytes: 0 };
      weights.set(part, { part, requests: before.requests + 1, bytes: before.bytes + encodedDataLength });
    });
    await page.goto(url);
    await page.locator('#splash').waitFor({ state: 'detached' });
    return [...weights.values()];
  } finally {
    await browser.close();
  }
}
