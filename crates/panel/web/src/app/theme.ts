import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Surfaces of the dark scheme, from text to the deepest ground; borders are 4. */
const dark = [
  '#e9ecef',
  '#ced4da',
  '#adb5bd',
  '#868e96',
  '#343a40',
  '#2b3036',
  '#22262b',
  '#1b1e22',
  '#15181b',
  '#101214',
] as const;

const OVERLAY = { backgroundOpacity: 0.25 };
const TITLE = { fontSize: '16px', lineHeight: '24px', fontWeight: 600 };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '16px', lineHeight: '24px' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  colors: { dark: [...dark] },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    InputWrapper: { styles: { description: { fontSize: '12px', lineHeight: '16px' } } },
    TextInput: {
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'description', 'input', 'error'] },
    },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', comboboxProps: { shadow: 'md' } } },
    MultiSelect: {
      defaultProps: { size: 'sm', checkIconPosition: 'right', comboboxProps: { shadow: 'md' } },
    },
    TagsInput: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { size: 'sm' } },
    Menu: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false },
    },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 120 }, overlayProps: OVERLAY },
      styles: { title: TITLE },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 480,
        transitionProps: { duration: 120 },
        overlayProps: OVERLAY,
      },
      styles: { title: TITLE },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
  },
});

/** Colours that mean something, in both schemes with a contrast of at least 4.5. */
export const variables: CSSVariablesResolver = () => ({
  variables: {
    '--rail-width': '220px',
    '--bar-height': '48px',
    '--sandbox': '#15aabf',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#3b5bdb',
    '--mantine-color-placeholder': '#6c757d',
    '--surface-rail': '#f8f9fb',
    '--surface-raised': '#ffffff',
    '--surface-sunken': '#f6f7f9',
    '--surface-hover': '#f1f3f5',
    '--surface-chosen': '#edf2ff',
    '--line': '#e3e6ea',
    '--line-strong': '#ced4da',
    '--accent': '#3b5bdb',
    '--ok': '#237032',
    '--ok-ground': '#ebfbee',
    '--wait': '#8a5a00',
    '--wait-ground': '#fff8e1',
    '--bad': '#c92a2a',
    '--bad-ground': '#fff0f0',
    '--off': '#495057',
    '--off-ground': '#f1f3f5',
    '--sandbox-text': '#0b6b78',
    '--sandbox-ground': '#e3fafc',
    '--bar': '#4263eb',
    '--bar-wait': '#f0b429',
    '--bar-bad': '#e03131',
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-dimmed': '#adb5bd',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-placeholder': '#9aa2aa',
    '--surface-rail': dark[8],
    '--surface-raised': dark[7],
    '--surface-sunken': dark[9],
    '--surface-hover': '#25292e',
    '--surface-chosen': '#252a4a',
    '--line': '#2c3137',
    '--line-strong': '#3d444b',
    '--accent': '#91a7ff',
    '--ok': '#69db7c',
    '--ok-ground': '#16301d',
    '--wait': '#ffd43b',
    '--wait-ground': '#352c0c',
    '--bad': '#ff8787',
    '--bad-ground': '#3a1c1e',
    '--off': '#adb5bd',
    '--off-ground': '#2b3036',
    '--sandbox-text': '#66d9e8',
    '--sandbox-ground': '#0f3338',
    '--bar': '#5c7cfa',
    '--bar-wait': '#ffd43b',
    '--bar-bad': '#ff6b6b',
  },
});
