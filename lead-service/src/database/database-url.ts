import { parsed } from '@countersign/contracts/settings';

/** The parameters that the driver reads from a URL, and that make sense for this service. */
const parameters = [
  'application_name',
  'channel_binding',
  'host',
  'options',
  'port',
  'ssl',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'uselibpqcompat',
];
const channelBindings = ['disable', 'prefer', 'require'];
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** The driver treats these as `verify-full`, and warns on stderr that a later version will not. */
const checkedModes = ['prefer', 'require', 'verify-ca'];

/**
 * The URL of PostgreSQL. Refuses what the driver would ignore, because an operator sees an ignored parameter only at a
 * failover, and an ignored `sslmode` never.
 */
export const databaseUrl = () =>
  parsed((value) => {
    if (findMistake(value) !== '') return undefined;
    const url = new URL(value);
    if (isChecked(url.searchParams)) url.searchParams.set('sslmode', 'verify-full');
    return url;
  }, findMistake);

/** Whether the driver checks the certificate of the server. */
function isChecked(given: URLSearchParams): boolean {
  const mode = given.get('sslmode') ?? '';
  return mode === 'verify-full' || (checkedModes.includes(mode) && given.get('uselibpqcompat') !== 'true');
}

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
  const binding = given.get('channel_binding') ?? 'disable';
  if (!channelBindings.includes(binding))
    return `must have a channel_binding of ${channelBindings.join(', ')}.`;
  // The driver binds if the server offers it, and does not insist. A checked certificate protects the connection as well.
  if (binding === 'require' && !isChecked(given)) {
    return 'has channel_binding=require, which needs a checked certificate: add sslmode=require.';
  }
  const isPostgres = ['postgres:', 'postgresql:'].includes(URL.parse(value)?.protocol ?? '');
  return isPostgres
    ? ''
    : 'must look like postgres://user:password@host:5432/database. Correct or remove it.';
}
