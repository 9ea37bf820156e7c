/** Adds the metrics of all instances that respond, and returns their number. The next scrape retries the others. */
export async function scrapeMetrics(
  addresses: readonly string[],
  into: (address: string, metrics: string) => void,
): Promise<number> {
  const answers = await Promise.allSettled(
    addresses.map(async (address) => {
      const answer = await fetch(address, { signal: AbortSignal.timeout(5_000) });
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
      into(address, await answer.text());
    }),
  );
  return answers.filter(({ status }) => status === 'fulfilled').length;
}
