import { partEventName, type PartEvent } from '@countersign/contracts/part-event';
import type { Page } from '@playwright/test';

/** What the shell tells of a part, without the error. */
interface RecordedPartEvent {
  readonly remote: string;
  readonly version: string;
  readonly exposed: string | undefined;
  readonly outcome: PartEvent['outcome'];
}

/** Records the shell's events about parts. Call it before the page is opened, and its result to read them. */
export async function recordPartEvents(page: Page): Promise<() => Promise<readonly RecordedPartEvent[]>> {
  await page.addInitScript((name) => {
    const recorded: unknown[] = [];
    Object.assign(globalThis, { recordedPartEvents: recorded });
    addEventListener(name, (event) => {
      const { remote, version, exposed, outcome } = (event as CustomEvent<PartEvent>).detail;
      recorded.push({ remote, version, exposed, outcome });
    });
  }, partEventName);
  return () =>
    page.evaluate(() => Reflect.get(globalThis, 'recordedPartEvents') as readonly RecordedPartEvent[]);
}
