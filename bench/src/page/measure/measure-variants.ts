import { cpus, loadavg } from 'node:os';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { createCertificate } from '@countersign/browser/certificate';
import { findBrowser } from '@countersign/browser/find-browser';
import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { environmentWith } from '../../platform/config.ts';
import type { Variant, VariantName } from '../assembly/site-files.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import { profiles, visit, type ProfileName } from './visit.ts';
import { actFigures, readFigures } from './visit-figures.ts';

export type Rounds = Partial<Record<VariantName, Round[]>>;

const viewport = { width: 1280, height: 800 };

/**
 * Visits all variants with each profile: in turn, in several rounds, so that other load on the machine affects all of them alike.
 * Each round starts with another variant, and each variant has a new browser in it. What fails is repeated once. If it fails again,
 * or at Ctrl-C, the measurement ends with what it has.
 */
export async function measureVariants(
  variants: readonly Variant[],
  chosen: readonly ProfileName[],
  runs: number,
  progress: (text: string) => void,
) {
  const [before = 0] = loadavg();
  const measured: Partial<Record<ProfileName, Rounds>> = {};
  const certificate = await createCertificate();
  const { BROWSER_PATH: browserPath, PATH: path = '' } = environmentWith({});
  const executablePath = findBrowser({ browserPath, path }) ?? 'chromium';
  const args = [...browserArguments, certificate.browserArgument];
  const server = await startPageServer(certificate);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  /** Without signal handlers of its own, which would end the process. */
  const options = { executablePath, args, handleSIGINT: false, handleSIGTERM: false };
  const attempt = async (variant: Variant, profile: ProfileName) => {
    stopping.signal.throwIfAborted();
    await using browser = await chromium.launch(options);
    const close = () => void browser.close();
    stopping.signal.addEventListener('abort', close);
    const round = await measureRound(browser, server, variant, profile);
    stopping.signal.removeEventListener('abort', close);
    return round;
  };
  let place = 'the start';
  /** Why the measurement ended early: the variant, the profile, the round and the error. */
  let failure: string | undefined;
  try {
    for (const profile of chosen) {
      const rounds: Rounds = {};
      measured[profile] = rounds;
      for (let run = 0; run < runs; run += 1) {
        progress(`${profile}: round ${run + 1} of ${runs}, load ${loadavg()[0]?.toFixed(1)}`);
        const first = run % variants.length;
        for (const variant of [...variants.slice(first), ...variants.slice(0, first)]) {
          place = `${variant.name}, ${profile}, round ${run + 1}`;
          const round = await attempt(variant, profile).catch((error: unknown) => {
            stopping.signal.throwIfAborted();
            progress(`${place} is repeated once: ${messageOf(error)}`);
            return attempt(variant, profile);
          });
          (rounds[variant.name] ??= []).push(round);
        }
      }
    }
  } catch (error) {
    failure = `${place}: ${stopping.signal.aborted ? 'interrupted' : messageOf(error)}`;
  } finally {
    server.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  const [after = 0] = loadavg();
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
  const load = `load of the machine ${before.toFixed(1)} before, ${after.toFixed(1)} after`;
  const about = `Medians of ${runs} rounds at most on ${machine}; ${load}.`;
  return { about, profiles: measured, failure };
}

export type Measurement = Awaited<ReturnType<typeof measureVariants>>;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One round of visits to one variant. */
async function measureRound(
  browser: Browser,
  server: PageServer,
  { site, deployed }: Variant,
  profileName: ProfileName,
) {
  const profile = profiles[profileName];
  const act = async (context: BrowserContext) =>
    actFigures(await visit(context, server.origin, profile, 'act'));
  const reader = await browser.newContext({ viewport });
  server.show(site);
  const read = readFigures(await visit(reader, server.origin, profile, 'read'));
  const returning = await act(reader);
  await reader.close();
  const actor = await browser.newContext({ viewport });
  const acted = await act(actor);
  server.show(deployed);
  const afterDeploy = await act(actor);
  await actor.close();
  const withDictionaries = await browser.newContext({ viewport });
  // Without earlier files, but so that the browser keeps these as dictionaries.
  server.show(site, new Map());
  await act(withDictionaries);
  server.show(deployed, site);
  const byDelta = await act(withDictionaries);
  await withDictionaries.close();
  return {
    /** First visit of a visitor who reads: of the kind `read`. */
    read,
    /** First visit of a visitor who acts, as in all further figures. */
    act: acted,
    /** Second visit of the visitor who read, to the same page. */
    returning,
    /** Second visit, after one part was deployed. */
    deployed: afterDeploy,
    /** The same, but the browser has the files of the first visit as compression dictionaries. */
    byDelta,
  };
}
export type Round = Awaited<ReturnType<typeof measureRound>>;
