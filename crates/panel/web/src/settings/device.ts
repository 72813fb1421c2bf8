import { texts } from '../i18n/texts';

const t = texts('settings');

/**
 * Patterns of browsers and programs, most specific first, because most user agents also contain the names of
 * other browsers.
 */
const PROGRAMS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bChromium\//, 'Chromium'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** A readable name for a `User-Agent`: "Firefox on Linux". */
export function deviceOf(userAgent: string | null | undefined): string {
  if (!userAgent?.trim()) return t('profile.unknownDevice');
  const told = (all: [RegExp, string][]) => all.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = told(SYSTEMS);
  const program = told(PROGRAMS) ?? (userAgent.startsWith('Mozilla/') ? undefined : named(userAgent));
  if (program && system) return t('profile.programOnSystem', { program, system });
  return program ?? system ?? t('profile.unknownDevice');
}

/** The name of a program: "curl" for "curl/8.5.0". */
function named(userAgent: string): string | undefined {
  return /^[\w.-]+/.exec(userAgent.trim())?.[0];
}
