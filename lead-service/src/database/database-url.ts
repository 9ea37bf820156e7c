import { parsed } from '@countersign/contracts/settings';

/** The parameters that the driver reads from a URL, and that make sense for this service. */
const parameters = [
  ...['application_name', 'host', 'options', 'port', 'ssl', 'sslcert', 'sslkey', 'sslmode'],
  ...['sslnegotiation', 'sslrootcert', 'uselibpqcompat'],
];
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** The driver treats these as `verify-full`, and warns on stderr that a later version will not. */
const checkedModes = ['prefer', 'require', 'verify-ca'];

/**
 * The URL of PostgreSQL. Refuses what the driver would ignore, because an operator notices an ignored parameter only at a
 * failover, and an ignored `sslmode` never.
 */
export const databaseUrl = () =>
  parsed((value) => {
    if (findMistake(value) !== '') return undefined;
    const url = new URL(value);
    const { searchParams } = url;
    const isChecked = checkedModes.includes(searchParams.get('sslmode') ?? '');
    if (isChecked && searchParams.get('uselibpqcompat') !== 'true')
      searchParams.set('sslmode', 'verify-full');
    return url;
  }, findMistake);

/**
 * What is wrong with a value; empty if nothing is. Never quotes the value, nor a name with other characters than parameters have,
 * because it may contain a password.
 */
function findMistake(value: string): string {
  if (value.trim() === '') return 'is empty. Set it, or remove it.';
  // A pattern, because `URL` cannot parse several hosts with ports.
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
  const isPostgres = ['postgres:', 'postgresql:'].includes(URL.parse(value)?.protocol ?? '');
  return isPostgres
    ? ''
    : 'must look like postgres://user:password@host:5432/database. Correct or remove it.';
}
