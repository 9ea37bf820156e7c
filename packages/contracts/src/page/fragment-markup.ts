import { canarySlotAttributes, slotAttributes, styleAttributes } from './slot-markup.ts';

/**
 * Allow-list for the markup of fragments. Allowed markup runs no code, loads nothing from other sites, submits
 * forms only to this site and needs no inline styles, which the content security policy blocks.
 */

const containers =
  'address article aside blockquote div figcaption figure footer header hgroup main nav p section search';
const headings = 'h1 h2 h3 h4 h5 h6';
const inline =
  'a abbr b bdi bdo br cite code data dfn em i kbd mark pre q s samp small span strong sub sup time u var wbr hr';
const lists = 'dd dl dt li ol ul';
const tables = 'caption col colgroup table tbody td tfoot th thead tr';
const forms =
  'button datalist fieldset form input label legend meter optgroup option output progress select textarea';
const interactive = 'details dialog summary';
const pictures = 'img picture source';
const drawings =
  'svg circle clipPath defs desc ellipse g line linearGradient mask path pattern polygon polyline radialGradient rect stop symbol text title tspan';

export const allowedElements: ReadonlySet<string> = new Set(
  [containers, headings, inline, lists, tables, forms, interactive, pictures, drawings].join(' ').split(' '),
);

/** Attributes allowed on every element, besides `aria-…` and `data-…`. */
const everywhere =
  'id class title lang dir role tabindex hidden inert translate spellcheck autocapitalize inputmode enterkeyhint draggable popover';

/** Attributes of forms, links, tables and images. Elements ignore attributes that they do not support. */
const ofElements =
  'href hreflang rel target download action method enctype novalidate autocomplete for name type value checked disabled readonly required ' +
  'placeholder maxlength minlength min max step pattern rows cols wrap multiple selected size label list ' +
  'popovertarget popovertargetaction open colspan rowspan scope headers span start reversed datetime cite ' +
  'src srcset sizes media alt width height loading decoding fetchpriority autofocus accept-charset low high optimum';

/** SVG presentation attributes without URLs of other documents. */
const ofDrawings =
  'xmlns viewBox preserveAspectRatio focusable fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin ' +
  'stroke-dasharray stroke-dashoffset stroke-miterlimit stroke-opacity opacity transform transform-origin d cx cy r rx ry x y x1 x2 y1 y2 dx dy ' +
  'points pathLength vector-effect clip-path clip-rule mask offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod ' +
  'patternUnits maskUnits clipPathUnits text-anchor dominant-baseline font-family font-size font-weight letter-spacing textLength lengthAdjust color';

const allowedAttributes: ReadonlySet<string> = new Set(
  [everywhere, ofElements, ofDrawings].join(' ').split(' '),
);

/** Attributes of the shell. A fragment with them could pass for a slot. */
const reservedAttributes: ReadonlySet<string> = new Set([
  ...Object.values(slotAttributes),
  ...Object.values(canarySlotAttributes),
  ...Object.values(styleAttributes),
  'data-theme',
]);

export function isAllowedAttribute(name: string): boolean {
  if (reservedAttributes.has(name)) return false;
  return /^(aria|data)-[\w.-]+$/.test(name) || allowedAttributes.has(name);
}
