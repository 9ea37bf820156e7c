/// <reference lib="dom" />
import { useEffect } from 'react';

interface StyleProps {
  readonly styles: string;
  /** Whether changed styles are applied while in use. */
  readonly dynamic?: boolean;
}

/**
 * Replaces `react-style-singleton`, which injects a `<style>` element. The content security policy allows only
 * styles with a known hash, and this text depends on the width of the scroll bar. Constructed stylesheets are
 * allowed, because only trusted scripts can create them. The first user's styles apply until the last user
 * unmounts.
 */
export function styleSingleton(): (props: StyleProps) => null {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return function Style({ styles, dynamic }: StyleProps) {
    const key = dynamic ? styles : '';
    useEffect(() => {
      users += 1;
      if (users === 1) sheet = adopt(styles);
      return () => {
        users -= 1;
        if (users > 0 || !sheet) return;
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
      };
      // `styles` is not a dependency unless `dynamic` is set.
    }, [key]);
    return null;
  };
}

function adopt(styles: string): CSSStyleSheet | undefined {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  } catch {
    // Safari before 16.4 cannot construct stylesheets. Only the lock on scrolling is missing there.
    return undefined;
  }
}
