import { emptyOr, url, type Variable } from '@countersign/environment/variables';

const example = 'postgres://user:password@host:5432/database';
/** What the driver reads from a URL, and makes sense for this service. */
const parameters = [
  ...['application_name', 'host', 'options', 'port', 'ssl', 'sslcert', 'sslkey', 'sslmode'],
  ...['sslnegotiation', 'sslrootcert', 'uselibpqcompat'],
];
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** The driver treats them as `verify-full` and warns on stderr that it may not do so for ever. */
const checkedModes = ['prefer', 'require', 'verify-ca'];

/**
 * The URL of PostgreSQL. Refuses what the driver would ignore, because an ignored parameter is found at the first failover
 * and an ignored `sslmode` never.
 */
export function databaseUrl(meaning: string): Variable<URL | undefined> {
  const wellFormed = url(meaning, ['postgres:', 'postgresql:'], example);
  return {
    ...wellFormed,
    parse(value) {
      if (findError(value) !== undefined) return undefined;
      const parsed = wellFormed.parse(value);
      const parameter = parsed?.searchParams;
      const isChecked = checkedModes.includes(parameter?.get('sslmode') ?? '');
      if (isChecked && parameter?.get('uselibpqcompat') !== 'true') parameter?.set('sslmode', 'verify-full');
      return parsed;
    },
    errorMessage: emptyOr((name, value) => {
      const error = findError(value);
      return error === undefined ? wellFormed.errorMessage(name, value) : `${name} ${error}`;
    }),
  };
}

/** Never quotes a value, nor a name with other characters than parameters have, because it may contain a password. */
function findError(value: string): string | undefined {
  const [, authority = '', search = ''] = /^[^/]*\/\/([^/?#]*)[^?#]*(\?[^#]*)?/.exec(value) ?? [];
  const given = new URLSearchParams(search);
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...given.getAll('host')];
  if (hosts.some((host) => /,|%2c/i.test(host))) {
    return 'names several hosts. Name one: put a proxy, a virtual address or a DNS name in front of PostgreSQL.';
  }
  const unknown = [...given.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    if (!/^[a-z_]+$/i.test(unknown)) {
      return 'has an unknown parameter, or a ? in the password: write it as %3F.';
    }
    return `has the unknown parameter "${unknown}". Remove it. Known parameters: ${parameters.join(', ')}.`;
  }
  const mode = given.get('sslmode');
  if (mode !== null && !sslModes.includes(mode)) return `must have an sslmode of ${sslModes.join(', ')}.`;
  return undefined;
}
