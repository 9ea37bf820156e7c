/**
 * Design tokens. Each key becomes the custom property `--key`. The lint step rejects stylesheets with unknown
 * names. The two colour themes have the same names.
 */

const lightColors = {
  'color-background': '#fbfaf7',
  'color-surface': '#ffffff',
  'color-surface-sunken': '#f3f1ea',
  'color-border': '#e2dfd5',
  /** Borders of controls. Contrast of 3:1 with the background, as WCAG 1.4.11 requires. */
  'color-border-control': '#85826f',
  'color-text': '#14182b',
  'color-text-muted': '#545a70',
  /** Interactive elements. */
  'color-accent': '#2a3fd6',
  'color-accent-hover': '#1f30ad',
  'color-on-accent': '#ffffff',
  /** The accent as text on a background or surface. */
  'color-accent-text': '#2a3fd6',
  'color-accent-soft': '#e9ecff',
  /** Highlights. */
  'color-seal': '#a8331f',
  'color-seal-soft': '#fdeee9',
  'color-on-seal': '#ffffff',
  'color-success': '#11714a',
  'color-success-soft': '#e2f4ea',
  'color-warning': '#8a5200',
  'color-warning-soft': '#fdf1dc',
  'color-danger': '#b3261e',
  'color-danger-soft': '#fdecea',
  'color-focus': '#2a3fd6',
  'color-overlay': 'rgb(20 24 43 / 0.5)',
  'shadow-small': '0 1px 2px rgb(20 24 43 / 0.06)',
  'shadow-medium': '0 2px 4px rgb(20 24 43 / 0.04), 0 8px 24px rgb(20 24 43 / 0.08)',
  'shadow-large': '0 4px 8px rgb(20 24 43 / 0.04), 0 24px 64px rgb(20 24 43 / 0.16)',
} as const;

type ColorName = keyof typeof lightColors;

/** The colours of the dark theme. */
export const darkColors: Readonly<Record<ColorName, string>> = {
  'color-background': '#0e1120',
  'color-surface': '#161a2d',
  'color-surface-sunken': '#0a0d19',
  'color-border': '#2a3050',
  'color-border-control': '#737ba3',
  'color-text': '#f1f2f8',
  'color-text-muted': '#a9b0cc',
  'color-accent': '#4a5ff0',
  'color-accent-hover': '#3d51dd',
  'color-on-accent': '#ffffff',
  'color-accent-text': '#a3b0ff',
  'color-accent-soft': '#1f2750',
  'color-seal': '#ffa28f',
  'color-seal-soft': '#3a1d1c',
  'color-on-seal': '#2b0d07',
  'color-success': '#66d3a0',
  'color-success-soft': '#12312a',
  'color-warning': '#f2bd6b',
  'color-warning-soft': '#35291a',
  'color-danger': '#ff9a91',
  'color-danger-soft': '#3a1b22',
  'color-focus': '#a3b0ff',
  'color-overlay': 'rgb(4 6 14 / 0.7)',
  'shadow-small': '0 1px 2px rgb(0 0 0 / 0.4)',
  'shadow-medium': '0 2px 4px rgb(0 0 0 / 0.3), 0 8px 24px rgb(0 0 0 / 0.4)',
  'shadow-large': '0 4px 8px rgb(0 0 0 / 0.3), 0 24px 64px rgb(0 0 0 / 0.6)',
};

/**
 * Where a theme is too weak for visitors whose system asks for more contrast: texts get 7:1, and all borders the 3:1 of
 * controls. The values occur in the themes as well where possible, so that the stylesheet in every page compresses well.
 */
const contrastColors = {
  light: {
    'color-border': '#85826f',
    'color-border-control': '#545a70',
    'color-text-muted': '#2a3050',
    'color-accent-text': '#1f30ad',
    'color-seal': '#7d2112',
    'color-success': '#064a2e',
    'color-warning': '#5c3600',
    'color-danger': '#851610',
  },
  dark: {
    'color-border': '#737ba3',
    'color-border-control': '#a9b0cc',
    'color-text-muted': '#e2dfd5',
    'color-accent': '#2a3fd6',
    'color-accent-hover': '#1f30ad',
    'color-accent-text': '#e9ecff',
  },
} as const satisfies Record<'light' | 'dark', Partial<Record<ColorName, string>>>;

/**
 * System colours of drawings in forced-colors mode. Browsers replace the colours of HTML elements themselves, but not those of
 * SVG elements, which would keep a theme that may not fit the forced background.
 */
const forcedDrawingColors: Partial<Record<ColorName, string>> = {
  'color-background': 'Canvas',
  'color-surface': 'Canvas',
  'color-surface-sunken': 'Canvas',
  'color-border': 'CanvasText',
  'color-border-control': 'CanvasText',
  'color-text': 'CanvasText',
  'color-text-muted': 'CanvasText',
  'color-accent': 'Highlight',
  'color-on-accent': 'HighlightText',
  'color-accent-text': 'Highlight',
  'color-accent-soft': 'Canvas',
  'color-seal': 'CanvasText',
  'color-seal-soft': 'Canvas',
  'color-on-seal': 'Canvas',
  'color-success': 'CanvasText',
  'color-success-soft': 'Canvas',
  'color-warning': 'CanvasText',
  'color-warning-soft': 'Canvas',
  'color-danger': 'CanvasText',
  'color-danger-soft': 'Canvas',
};

/** White paper, without shadows and with little space between sections. Backgrounds that remain carry meaning. */
const printTokens: Partial<Record<TokenName, string>> = {
  'color-background': '#fff',
  'color-surface-sunken': '#fff',
  'shadow-small': '0 0 #0000',
  'shadow-medium': '0 0 #0000',
  'shadow-large': '0 0 #0000',
  'space-section': '2rem',
  'height-header': '3rem',
};

const scales = {
  'font-sans':
    "'Figtree Variable', 'Figtree fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  'font-display': 'var(--font-sans)',
  'font-mono': "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  /** Type scale. Body sizes are fixed; headings scale with the viewport. */
  'text-xs': '0.8125rem',
  'text-sm': '0.9375rem',
  'text-md': '1.0625rem',
  'text-lg': '1.25rem',
  'text-xl': 'clamp(1.375rem, 1.25rem + 0.6vw, 1.75rem)',
  'text-2xl': 'clamp(1.75rem, 1.4rem + 1.6vw, 2.625rem)',
  'text-3xl': 'clamp(2.25rem, 1.6rem + 3vw, 4rem)',
  'leading-tight': '1.12',
  'leading-snug': '1.35',
  'leading-normal': '1.6',
  /** Spacing: multiples of 4 px at the default font size. */
  'space-1': '0.25rem',
  'space-2': '0.5rem',
  'space-3': '0.75rem',
  'space-4': '1rem',
  'space-5': '1.5rem',
  'space-6': '2rem',
  'space-7': '3rem',
  'space-8': '4rem',
  /** Vertical padding of page sections. */
  'space-section': 'clamp(3rem, 1.85rem + 4.6vw, 6rem)',
  /** Horizontal padding of the page. */
  'space-gutter': 'clamp(1rem, 0.5rem + 2.5vw, 2.5rem)',
  'radius-small': '0.375rem',
  'radius-medium': '0.625rem',
  'radius-large': '1rem',
  'radius-full': '999px',
  'width-page': '75rem',
  'width-text': '40rem',
  'height-header': '4.25rem',
  'duration-fast': '120ms',
  'duration-medium': '240ms',
  'easing-standard': 'cubic-bezier(0.2, 0, 0, 1)',
  'layer-header': '10',
  'layer-modal': '20',
  'layer-toast': '30',
  'layer-splash': '40',
} as const;

/** Name of a custom property, without the leading dashes. */
export type TokenName = ColorName | keyof typeof scales;

/** Every token with its value in the light theme. */
export const tokens: Readonly<Record<TokenName, string>> = { ...lightColors, ...scales };

function declarations(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/**
 * Stylesheet that defines all tokens. `data-theme` on the root element selects the theme; without JavaScript
 * the system setting does. Paper has the light theme.
 */
export function tokensStylesheet(): string {
  const dark = `color-scheme:dark;${declarations(darkColors)}`;
  const moreContrast = '(prefers-contrast:more)';
  const contrast = { light: declarations(contrastColors.light), dark: declarations(contrastColors.dark) };
  return [
    `:root{color-scheme:light;${declarations(tokens)}}`,
    `@media ${moreContrast}{:root{${contrast.light}}}`,
    `@media screen{:root[data-theme=dark]{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}`,
    `@media screen and ${moreContrast}{:root[data-theme=dark]{${contrast.dark}}}`,
    `@media screen and ${moreContrast} and (prefers-color-scheme:dark){:root:not([data-theme]){${contrast.dark}}}`,
    `@media (forced-colors:active){svg{${declarations(forcedDrawingColors)}}}`,
    `@media print{:root{print-color-adjust:exact;${declarations(printTokens)}}}`,
    `@media (prefers-reduced-motion:reduce){:root{--duration-fast:0ms;--duration-medium:0ms}}`,
  ].join('\n');
}
