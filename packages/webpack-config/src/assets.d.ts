/** CSS Modules: class name in the file → class name in the page. */
declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}
declare module '*.css';
