import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** The green of the sign-in pages (packages/identity), from background to text. */
const pine: MantineColorsTuple = [
  '#e8f6f0',
  '#cfeadf',
  '#9fdcc6',
  '#6fd3b2',
  '#3fae8b',
  '#22906d',
  '#147757',
  '#0e6a4d',
  '#0b5c46',
  '#07402f',
]

/** Greys of the dark theme, slightly green: from text to background. */
const dark: MantineColorsTuple = [
  '#e6ebe8',
  '#bcc6c0',
  '#9ba7a1',
  '#6d7973',
  '#36403b',
  '#2a322e',
  '#1c2220',
  '#131816',
  '#0e1210',
  '#090c0b',
]

const systemFonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

export const theme = createTheme({
  colors: { pine, dark },
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 6 },
  defaultRadius: 'md',
  fontFamily: systemFonts,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontFamily: systemFonts, fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects instead of `Modal.extend`, which would load all these components with the first page.
  components: {
    // In the color of its state, a title would have too little contrast.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Menu: {
      defaultProps: {
        // Inside the page's landmark. The first item gets the focus, not an invisible placeholder.
        portalProps: { target: '#page' },
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        // A `header` element would be a second banner landmark of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: 18, fontWeight: 650 } },
    },
    Paper: { defaultProps: { radius: 'lg' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250 } },
  },
})

/**
 * Corrects colors of Mantine that lack contrast (WCAG 2.2, 1.4.3), and sets the background of the pages.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1c2320',
    '--mantine-color-dimmed': '#59645e',
    '--mantine-color-placeholder': '#69746e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-success': '#147757',
    '--mantine-color-default-border': '#dfe4e1',
    '--mantine-color-anchor': '#0b5c46',
    '--page-ground': '#f6f7f5',
  },
  dark: {
    '--mantine-color-body': '#1a201d',
    '--mantine-color-text': '#e6ebe8',
    '--mantine-color-dimmed': '#9ba7a1',
    '--mantine-color-placeholder': '#8a968f',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-success': '#6fd3b2',
    '--mantine-color-default-border': '#313a35',
    '--mantine-color-anchor': '#6fd3b2',
    '--page-ground': '#121614',
  },
})
