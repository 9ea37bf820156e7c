/// <reference lib="dom" />
import { useEffect } from 'react';

interface StyleProps {
  readonly styles: string;
  /** Applies changed styles while they are in use. */
  readonly dynamic?: boolean;
}

/**
 * Takes the place of `react-style-singleton`, which writes a `<style>` element: the page's policy allows only those
 * whose hash it knows, and this text depends on the width of the scroll bar. A constructed stylesheet is the strict way,
 * since only a script that may run can make one. Styles of the first user hold until the last one is gone.
 */
export function styleSingleton(): (props: StyleProps) => null {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return function Style({ styles, dynamic }: StyleProps) {
    const key = dynamic ? styles : '';
    useEffect(() => {
      users += 1;
      if (users === 1) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(styles);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
      return () => {
        users -= 1;
        if (users > 0) return;
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
      };
      // Styles that change while they are in use count only where the user says so.
    }, [key]);
    return null;
  };
}
