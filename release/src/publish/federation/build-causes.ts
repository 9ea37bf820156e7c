import { fileIntegrityGlobal } from '@countersign/contracts/file-integrity';
import { partVersionName } from '@countersign/contracts/part-manifest';
import { summarizeList } from '../../platform/summarize-list.ts';
import { unscopedRules } from '../unscoped-rules.ts';
import type { FederationBuild } from './federation-build.ts';

/** A reason why the page could not run a build, and the option of the bundler that removes it. */
interface Cause {
  /** What is wrong, as one sentence. */
  readonly problem: string;
  /** Options to set, by bundler. */
  readonly options: { readonly Rsbuild: string; readonly webpack: string };
}

/** A build, with the name that it must have. */
interface NamedBuild extends FederationBuild {
  readonly part: string;
  /** `<part>@<version>`. */
  readonly name: string;
}

/** Version in the name of a container; `undefined` if the name is not `<part>@<version>`. */
export function versionIn(name: string, part: string): string | undefined {
  const version = name.startsWith(`${part}@`) ? name.slice(part.length + 1) : '';
  return partVersionName.safeParse(version).success ? version : undefined;
}

type Check = (build: NamedBuild) => Cause | undefined;

const federation = (options: string) => ({
  Rsbuild: `pluginModuleFederation({ ${options} })`,
  webpack: `new ModuleFederationPlugin({ ${options} })`,
});

const name: Check = ({ manifest: { metaData }, part, name: expected }) =>
  versionIn(metaData.name, part) === undefined
    ? {
        problem: `The build is named "${metaData.name}" and must be named "${part}@<version>", because two versions may run in one page.`,
        options: federation(`name: '${expected}'`),
      }
    : undefined;

const globalContainer: Check = ({ manifest: { metaData }, name: expected }) => {
  const { type } = metaData.remoteEntry;
  if (type === 'global' && (metaData.globalName ?? metaData.name) === metaData.name) return undefined;
  const problem =
    type === 'global'
      ? `The container is the global variable "${metaData.globalName}", which is not the build's name.`
      : type === 'module'
        ? 'The container is an ES module. The page runs scripts by their hash, and its loader can state none for the imports of a module.'
        : `The container is of the type "${type}" and must be a global variable.`;
  return { problem, options: federation(`library: { type: 'global', name: '${expected}' }`) };
};

const publicPath: Check = ({ manifest: { metaData } }) =>
  metaData.publicPath === 'auto'
    ? undefined
    : {
        problem: `The public path is ${metaData.publicPath === undefined ? 'computed' : `"${metaData.publicPath}"`}, but the files will be at /<part>/<version>/.`,
        options: { Rsbuild: `output: { assetPrefix: 'auto' }`, webpack: `output: { publicPath: 'auto' }` },
      };

/** Text of React's own sources, which is in every copy of it. */
const copyOfReact = /\.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE\s*=[^=]/;

const ownCopies: Check = ({ manifest: { shared }, code }) => {
  const copied = shared.filter(({ assets: { js } }) => js.sync.length + js.async.length > 0);
  const loose = shared.filter(({ singleton }) => !singleton);
  const names = new Set([...copied, ...loose].map((module) => module.name));
  if ([...code.values()].some((text) => copyOfReact.test(text))) names.add('react');
  if (names.size === 0 && shared.some((module) => module.name === 'react')) return undefined;
  if (names.size === 0) names.add('react');
  const module = `{ import: false, singleton: true, requiredVersion: '^19.3.0', strictVersion: true }`;
  return {
    problem: `The build does not take its only copy of ${summarizeList([...names])} from the page, and two copies break each other.`,
    options: federation(
      `shared: { react: ${module}, 'react-dom': …, 'react/jsx-runtime': … /* the same */ }`,
    ),
  };
};

const otherRemotes: Check = ({ manifest: { remotes } }) =>
  remotes.length === 0
    ? undefined
    : {
        problem:
          'The build loads remotes of its own, which no page could check. Parts reach each other through ShellApi.',
        options: federation('remotes: {} /* or leave it out */'),
      };

const integrity: Check = ({ code, hashes, entry }) => {
  const scripts = [...code].filter(([file]) => !file.endsWith('.css'));
  // The loader may also read the hashes from the page.
  if (scripts.some(([, text]) => text.includes(fileIntegrityGlobal))) return undefined;
  const uncovered = [...code.keys()].filter((file) => {
    const hash = hashes.get(file) ?? '';
    return file !== entry && !scripts.some(([, text]) => text.includes(hash));
  });
  if (uncovered.length === 0) return undefined;
  return {
    problem: `The loader states no SHA-256 hash of ${summarizeList(uncovered)}, and the page loads nothing without one.`,
    options: {
      Rsbuild: `security: { sri: { enable: true, algorithm: 'sha256' } }`,
      webpack: 'PageIntegrityPlugin, which docs/build-a-part.md shows',
    },
  };
};

/** Checks of the loader, which a container needs for its chunks. One without chunks has no loader. */
const ofLoader =
  (check: Check): Check =>
  (build) =>
    [...build.code.keys()].some((file) => file !== build.entry && !file.endsWith('.css'))
      ? check(build)
      : undefined;

const trustedTypes = ofLoader(({ code, entry, name: expected }) => {
  const [, found] = /\bcreatePolicy\(\s*["'`]([^"'`]*)/.exec(code.get(entry) ?? '') ?? [];
  if (found === expected) return undefined;
  const options = `output: { trustedTypes: { policyName: '${expected}' } }`;
  return {
    problem: `The loader has ${found === undefined ? 'no Trusted Types policy' : `the Trusted Types policy "${found}"`}, and the page allows it "${expected}" only.`,
    options: { Rsbuild: `tools: { rspack: { ${options} } }`, webpack: options },
  };
});

const crossOrigin = ofLoader(({ code, entry }) => {
  if (/\bcrossOrigin\s*=\s*["'`]anonymous/.test(code.get(entry) ?? '')) return undefined;
  const options = `output: { crossOriginLoading: 'anonymous' }`;
  return {
    problem:
      'The loader requests its chunks with other attributes than the preload links of the page, so each would load twice.',
    options: { Rsbuild: `tools: { rspack: { ${options} } }`, webpack: options },
  };
});

const identifier = (text: string) => text.replaceAll(/[^a-zA-Z0-9$]+/g, '_');

const uniqueName = ofLoader(({ manifest: { metaData }, code, entry, name: expected }) => {
  const registries = [...code]
    .filter(([file]) => file !== entry && !file.endsWith('.css'))
    .flatMap(([, text]) => {
      const [, property, quoted] =
        /\b(?:self|globalThis|window)(?:\.([\w$]+)|\[\s*["']([^"']+)["']\s*\])\s*=/.exec(text) ?? [];
      return property ?? quoted ?? [];
    });
  const wrong = registries.find((found) => !identifier(found).endsWith(identifier(expected)));
  // Bundlers derive it from the name of the build.
  const isDerived = wrong !== undefined && identifier(wrong).endsWith(identifier(metaData.name));
  if (wrong === undefined || isDerived) return undefined;
  const options = `output: { uniqueName: '${expected}' }`;
  return {
    problem: `The chunks register in the global variable "${wrong}", where two versions of the part would mix their modules.`,
    options: { Rsbuild: `tools: { rspack: { ${options} } }`, webpack: options },
  };
});

const scopedStyles: Check = ({ code, name: expected }) => {
  const places = [...code]
    .filter(([file]) => file.endsWith('.css'))
    .flatMap(([file, text]) => unscopedRules(text).map((rule) => `"${rule}" in ${file}`));
  if (places.length === 0) return undefined;
  const modules = `modules: { localIdentName: '_[hash:base64:6]', localIdentHashSalt: '${expected}' }`;
  return {
    problem: `The styles have ${summarizeList(places)}, which need a class of a CSS Module to match no elements of other parts.`,
    options: {
      Rsbuild: `tools: { cssLoader: { ${modules} } }, for stylesheets that are called *.module.css`,
      webpack: `css-loader with ${modules}, for stylesheets that are called *.module.css`,
    },
  };
};

/** Development builds evaluate every module as a text that ends with its address. */
const evaluatedModules = (text: string) => {
  const start = text.search(/\beval\(/);
  // Two searches, because one pattern would search the rest of the text from every `eval(`.
  return start >= 0 && /\\n\/\/# source(?:Mapping)?URL=/.test(text.slice(start));
};

const evaluatedCode: Check = ({ code }) => {
  const files = [...code].filter(([, text]) => evaluatedModules(text));
  if (files.length === 0) return undefined;
  return {
    problem: `The page's policy blocks code that is evaluated from text, as in ${summarizeList(files.map(([file]) => file))}.`,
    options: {
      Rsbuild: `mode: 'production', and output: { sourceMap: { js: 'source-map' } } or none`,
      webpack: `mode: 'production', and devtool: 'source-map' or none`,
    },
  };
};

const checks: readonly Check[] = [
  name,
  globalContainer,
  publicPath,
  uniqueName,
  ownCopies,
  otherRemotes,
  integrity,
  crossOrigin,
  trustedTypes,
  scopedStyles,
  evaluatedCode,
];

/** Everything that keeps a build from running in the page. One cause may concern many files. */
export function buildCauses(build: NamedBuild): readonly Cause[] {
  return checks.flatMap((check) => check(build) ?? []);
}
