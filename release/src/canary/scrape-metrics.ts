/** Milliseconds that an instance may take to respond. */
const timeout = 5_000;
/** Largest response, in bytes. The lead service sends some hundred kilobytes. */
const maxLength = 8 * 2 ** 20;

/** Adds the metrics of all instances that respond, and returns their number. The next scrape retries the others. */
export async function scrapeMetrics(
  addresses: readonly string[],
  into: (address: string, metrics: string) => void,
): Promise<number> {
  const answers = await Promise.allSettled(
    addresses.map(async (address) => into(address, await readMetrics(new URL(address)))),
  );
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

async function readMetrics(url: URL): Promise<string> {
  const { username, password } = url;
  // `fetch` refuses addresses with credentials.
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64');
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(timeout),
    ...(username + password !== '' && { headers: { Authorization: `Basic ${credentials}` } }),
  });
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}.`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > maxLength) throw new Error(`${url.href} answered more than ${maxLength} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
