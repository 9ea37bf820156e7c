/** What a unit test sees of a CSS Module: every class is called what it is called in the file. */
const classNames = new Proxy<Record<string, string | boolean>>(
  {},
  { get: (_target, name) => (name === '__esModule' ? false : String(name)) },
);

module.exports = classNames;
