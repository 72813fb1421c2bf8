/** The names of UTC that browsers report. */
const UTC = ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Etc/UCT', 'Etc/Zulu'];

/** The time zone of this browser. `undefined` if it is unknown. */
export function browserZone(): string | undefined {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The time zone to offer to a workspace that uses UTC, the default. `undefined` if the browser has no other.
 */
export function offeredZone(current: string, browser: string | undefined): string | undefined {
  return current === 'UTC' && browser && !UTC.includes(browser) ? browser : undefined;
}
